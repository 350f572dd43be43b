/* server.c - an HTTP server. The only file that uses libmicrohttpd.
 *
 * Each connection has a thread, so that an event stream simply waits on the board: nothing needs to be suspended,
 * resumed or woken. Waiting threads are cheap (a small stack, mostly untouched). Their number is limited, and
 * event streams may use only a part of them (SSE_LISTENERS_MOST). connections.h describes which connection is
 * closed when there are too many. A client that reads nothing blocks only its own thread, until the connection
 * times out or the server stops. To stop, board and mailbox are closed, which ends threads that wait for data, and
 * then all sockets are shut down, which ends threads that wait for their clients. */
#include "server/server.h"

#include "base/log.h"
#include "server/cached.h"
#include "server/connections.h"

#include <microhttpd.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    CONNECTIONS_MOST = 384,
    CROWDED = 256,  /* the rest up to the limit is for connections being closed */
    PEER_MOST = 64, /* from one address, if not only loopback */
    STACK_BYTES = 512 << 10,
    STREAM_BLOCK_BYTES = 16 << 10,
    /* Send buffer of a stream: enough for a burst, but so small that a slow client's next update is recent. */
    STREAM_SEND_BYTES = 256 << 10,
};

struct server {
    struct server_settings settings;
    struct MHD_Daemon *daemon;
    struct connections *connections;
    char address[LISTEN_URL_SIZE]; /* the settings' address as text */
};

/* One request being received. */
struct call {
    bool has_begun;
    struct sink_buffer body;
    size_t body_n; /* total, including bytes that are not stored */
    char target[];
};

static void *on_target(void *user, const char *target, struct MHD_Connection *connection)
{
    size_t size = strlen(target) + 1;
    struct call *call = malloc(sizeof *call + size);
    if (!call)
        return NULL;
    *call = (struct call){0};
    sink_buffer_init(&call->body);
    memcpy(call->target, target, size);
    return call;
}

static struct connection *connection_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info->socket_context; /* the library sets both for every connection */
}

static void on_connection(void *user, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode what)
{
    struct server *server = user;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        connections_remove(*context);
        *context = NULL;
        return;
    }
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    *context = connections_add(server->connections, info->connect_fd);
}

static void on_completed(void *user, struct MHD_Connection *connection, void **context,
                         enum MHD_RequestTerminationCode why)
{
    connection_becomes(connection_of(connection), CONNECTION_ASKS, NULL);
    struct call *call = *context;
    *context = NULL;
    if (call)
        sink_buffer_fini(&call->body);
    free(call);
}

static void keep_body(struct call *call, const char *bytes, size_t n)
{
    size_t kept = call->body.n, room = kept < REQUEST_BODY_MOST ? REQUEST_BODY_MOST - kept : 0;
    sink_write(&call->body.sink, bytes, n < room ? n : room);
    call->body_n += n;
}

/* A body that is kept until it is sent, and its slot. */
struct held {
    struct stream *stream; /* or */
    char *bytes;
    atomic_uint *slot; /* or NULL */
    struct connection *connection;
};

static ssize_t on_held_read(void *user, uint64_t position, char *to, size_t room)
{
    struct held *held = user;
    connection_becomes(held->connection, CONNECTION_WAITS, held->slot);
    ssize_t n = held->stream->read(held->stream, to, room);
    connection_becomes(held->connection, CONNECTION_TAKES, held->slot);
    return n > 0 ? n : n == 0 ? MHD_CONTENT_READER_END_OF_STREAM : MHD_CONTENT_READER_END_WITH_ERROR;
}

static void on_held_free(void *user)
{
    struct held *held = user;
    if (held->stream)
        held->stream->close(held->stream);
    if (held->slot)
        atomic_fetch_sub(held->slot, 1);
    free(held->bytes);
    free(held);
}

static void on_shared_free(void *user)
{
    cached_unref(user);
}

static void limit_send_buffer(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    int bytes = STREAM_SEND_BYTES;
    setsockopt(info->connect_fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

/* Makes the library's response with an unshared body. Takes over the body and its slot. NULL when memory is used
 * up. */
static struct MHD_Response *hold_body(struct response *response, struct connection *connection)
{
    struct held *held = malloc(sizeof *held);
    if (!held)
        return NULL;
    *held = (struct held){response->stream, response->body.bytes, response->slot, connection};
    struct MHD_Response *out =
        held->stream ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK_BYTES, on_held_read,
                                                         held, on_held_free)
                     : MHD_create_response_from_buffer_with_free_callback_cls(response->body.n, held->bytes,
                                                                              on_held_free, held);
    if (!out) {
        free(held);
        return NULL;
    }
    response->stream = NULL;
    response->slot = NULL;
    sink_buffer_init(&response->body);
    return out;
}

/* Makes the library's response for any kind of body. */
static struct MHD_Response *take_body(struct response *response, struct MHD_Connection *connection)
{
    if (response->stream)
        limit_send_buffer(connection);
    if (response->stream || response->body.n)
        return hold_body(response, connection_of(connection));
    static char nothing[1];
    if (!response->shared)
        return MHD_create_response_from_buffer(0, nothing, MHD_RESPMEM_PERSISTENT);
    struct MHD_Response *out = MHD_create_response_from_buffer_with_free_callback_cls(
        response->shared->n, response->shared->bytes, on_shared_free, response->shared);
    if (out)
        response->shared = NULL;
    return out;
}

static enum MHD_Result send_response(const struct server *server, struct response *response,
                                     struct MHD_Connection *connection)
{
    connection_becomes(connection_of(connection), CONNECTION_TAKES, response->slot);
    struct MHD_Response *out = take_body(response, connection);
    if (!out)
        return MHD_NO;
    if (response->media_type)
        MHD_add_response_header(out, "Content-Type", response->media_type);
    for (unsigned i = 0; i < response->header_n; i++)
        MHD_add_response_header(out, response->headers[i].name, response->headers[i].value);
    for (const struct access_header *header = access_headers; header->name; header++) {
        const char *value = access_header_value(server->settings.access, header);
        if (value)
            MHD_add_response_header(out, header->name, value);
    }
    enum MHD_Result result = MHD_queue_response(connection, response->status, out);
    MHD_destroy_response(out);
    return result;
}

static const char *header_of(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* Counts of headers that a proxy may interpret differently from the library, which takes the first Host, the first
 * length, and chunks even if there is a length. */
struct framing_headers {
    unsigned hosts, lengths, codings;
};

static enum MHD_Result count_header(void *user, enum MHD_ValueKind kind, const char *key, const char *value)
{
    struct framing_headers *count = user;
    (void)kind;
    (void)value;
    count->hosts += strcasecmp(key, "Host") == 0;
    count->lengths += strcasecmp(key, "Content-Length") == 0;
    count->codings += strcasecmp(key, "Transfer-Encoding") == 0;
    return MHD_YES;
}

static bool is_ambiguous(struct MHD_Connection *connection)
{
    struct framing_headers count = {0};
    MHD_get_connection_values(connection, MHD_HEADER_KIND, count_header, &count);
    return count.hosts > 1 || count.lengths + count.codings > 1;
}

static enum MHD_Result on_request(void *user, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *upload,
                                  size_t *upload_n, void **context)
{
    struct server *server = user;
    struct call *call = *context;
    if (!call)
        return MHD_NO;
    if (!call->has_begun || *upload_n) {
        call->has_begun = true;
        keep_body(call, upload, *upload_n);
        *upload_n = 0;
        return MHD_YES;
    }
    connection_becomes(connection_of(connection), CONNECTION_WAITS, NULL);
    struct request request = {
        .method = method,
        .connection = connection_of(connection),
        .host = header_of(connection, "Host"),
        .origin = header_of(connection, "Origin"),
        .fetch_site = header_of(connection, "Sec-Fetch-Site"),
        .content_type = header_of(connection, "Content-Type"),
        .authorization = header_of(connection, "Authorization"),
        .accept_encoding = header_of(connection, "Accept-Encoding"),
        .if_none_match = header_of(connection, "If-None-Match"),
        .last_event_id = header_of(connection, "Last-Event-ID"),
        .body = call->body.n ? call->body.bytes : "",
        .body_n = call->body_n,
    };
    struct response response;
    struct error err;
    response_init(&response);
    if (is_ambiguous(connection)) {
        response_problem(&response, 400,
                         "The request has more than one Host, or more than one of Content-Length and "
                         "Transfer-Encoding: send each once.");
        response_header(&response, "Connection", "close"); /* the end of the request is unknown */
    } else if (call->body.sink.failed) {
        response_problem(&response, 500, "Out of memory while reading the body of this request.");
    } else if (request_set_target(&request, call->target, &err))
        server->settings.answer(server->settings.user, &request, &response);
    else
        response_problem(&response, 400, "%s", err.text);
    if (response.full)
        connections_make_room(server->connections, response.full, response.full_turn_ms);
    /* For HEAD, the library ends the absent body with a last chunk, which would look like the next answer. */
    if (response.stream && strcmp(method, MHD_HTTP_METHOD_HEAD) == 0)
        response_header(&response, "Connection", "close");
    enum MHD_Result result = send_response(server, &response, connection);
    response_fini(&response);
    return result;
}

static void on_log(void *user, const char *format, va_list args)
{
    char line[512];
    vsnprintf(line, sizeof line, format, args);
    line[strcspn(line, "\n")] = '\0';
    log_write(LOG_DEBUG, "http: %s", line);
}

/* Starts the library with all signals blocked: its threads inherit the mask. */
static struct MHD_Daemon *start_daemon(struct server *server, int fd)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL | MHD_USE_ITC |
            MHD_USE_ERROR_LOG,
        0, NULL, NULL, on_request, server, MHD_OPTION_EXTERNAL_LOGGER, on_log, NULL, MHD_OPTION_LISTEN_SOCKET,
        fd, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MOST, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)server->settings.stuck_s, MHD_OPTION_THREAD_STACK_SIZE, (size_t)STACK_BYTES,
        MHD_OPTION_URI_LOG_CALLBACK, on_target, NULL, MHD_OPTION_NOTIFY_COMPLETED, on_completed, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, server, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
        server->settings.address->is_loopback ? 0u : (unsigned)PEER_MOST, MHD_OPTION_END);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return daemon;
}

struct server *server_start(const struct server_settings *settings, struct error *err)
{
    struct server *server = calloc(1, sizeof *server);
    if (!server) {
        error_set(err, "Out of memory while preparing the web server.");
        return NULL;
    }
    server->settings = *settings;
    server->connections = connections_new(settings->board, CROWDED, settings->request_s, err);
    if (!server->connections)
        goto no_connections;
    int fd = listen_open(settings->address, err);
    if (fd < 0)
        goto no_socket;
    listen_url(settings->address, server->address);
    server->daemon = start_daemon(server, fd);
    if (!server->daemon) {
        error_set(err, "The web server cannot start on %s: check the limits on threads and open files.",
                  server->address);
        goto no_daemon;
    }
    return server;

no_daemon:
    close(fd);
    listen_remove(settings->address);
no_socket:
    connections_free(server->connections);
no_connections:
    free(server);
    return NULL;
}

const char *server_address(const struct server *server)
{
    return server->address;
}

void server_stop(struct server *server)
{
    MHD_stop_daemon(server->daemon);
    listen_remove(server->settings.address);
    connections_free(server->connections);
    free(server);
}
