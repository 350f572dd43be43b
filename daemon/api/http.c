/* http.c - the web server: connects the site (site.h) with the HTTP server. */
#include "api/http.h"

#include "handoff/board.h"
#include "handoff/mailbox.h"
#include "server/server.h"
#include "api/site.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct http {
    struct site site;
    struct listen_address address;
    struct server *server;
};

bool http_address_is_free(const char *listen, struct error *err)
{
    struct listen_address address;
    if (!listen_parse(listen, &address, err))
        return false;
    if (address.any.sa_family == AF_UNIX)
        return true;
    int fd = listen_open(&address, err);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static void answer_request(void *user, struct request *request, struct response *response)
{
    site_answer(user, request, response);
}

struct http *http_start(const struct http_settings *settings, struct error *err)
{
    struct http *http = calloc(1, sizeof *http);
    if (!http) {
        error_set(err, "Out of memory while preparing the web server.");
        return NULL;
    }
    struct site *site = &http->site;
    if (!listen_parse(settings->listen, &http->address, err) ||
        !site_init(site, settings, &http->address, err))
        goto no_site;
    http->server = server_start(&(struct server_settings){.address = &http->address,
                                                          .access = &site->access,
                                                          .board = settings->board,
                                                          .stuck_s = site->settings.stuck_s,
                                                          .request_s = site->settings.request_s,
                                                          .answer = answer_request,
                                                          .user = site},
                                err);
    if (http->server)
        return http;
    site_fini(site);
no_site:
    free(http);
    return NULL;
}

const char *http_address(const struct http *http)
{
    return server_address(http->server);
}

void http_write_ways_in(const struct http *http, struct sink *sink)
{
    const char *token = http->site.access.token, *path = http->address.un.sun_path;
    if (http->address.any.sa_family == AF_UNIX)
        sink_printf(sink,
                    "reach it with: curl --unix-socket %s http://localhost/api/v1/snapshot\n"
                    "or from another machine: ssh -L 7777:%s HOST, then open http://localhost:7777/\n",
                    path, path);
    else if (token)
        sink_printf(sink, "open http://miniprofd:%s@%sopen\n", token, http_address(http) + strlen("http://"));
}

void http_stop(struct http *http)
{
    if (!http)
        return;
    board_close(http->site.settings.board);
    mailbox_close(http->site.settings.mailbox);
    server_stop(http->server);
    site_fini(&http->site);
    free(http);
}
