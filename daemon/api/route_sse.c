/* route_sse.c - the stream of updates as server-sent events.
 *
 * Each listener has its own thread of the server, so it simply waits on the board. It chooses the next event
 * when the previous one has been sent completely. So a slow client skips updates, then gets one larger delta,
 * and keeps at most one text in memory, which is shared with other clients. No snapshot is kept while sending.
 *
 * Only `snapshot` and `delta` have an id, SEQUENCE-RUN: what a client that reconnects has received for certain. */
#include "api/route_sse.h"

#include "base/bound.h"
#include "base/clock.h"
#include "handoff/board.h"
#include "export/export.h"
#include "server/connections.h"
#include "api/query.h"
#include "api/routes.h"
#include "api/site.h"
#include "api/route_status.h"

#include <stdlib.h>
#include <string.h>

enum { SSE_RETRY_MS = 1000 };

struct listener {
    struct stream stream;
    struct site *site;
    const atomic_bool *gone; /* the client has closed its end */
    bool was_greeted;
    uint64_t holds;       /* sequence that the client has: sent last, or its Last-Event-ID; 0: none */
    uint64_t status_mark; /* of the last status sent; 0: none */
    bool knows_breaches;  /* the next member is valid */
    uint64_t breaches;    /* number of all breaches up to the last update */

    /* Being sent: `words`, then `text` and an empty line if there is a text. */
    struct sink_buffer words;
    struct cached *text;
    size_t sent;
};

static const char event_end[] = "\n\n";

static void write_hello(struct listener *listener)
{
    struct sink *sink = &listener->words.sink;
    struct json json = {.sink = sink};
    sink_printf(sink, "retry: %d\nevent: hello\ndata: ", SSE_RETRY_MS);
    json_object_open(&json, NULL);
    json_text(&json, "version", listener->site->settings.version);
    json_u64(&json, "api_version", 1);
    json_text(&json, "run", listener->site->run);
    json_u64(&json, "heartbeat_ms", listener->site->settings.heartbeat_ms);
    json_object_open(&json, "figures");
    export_figures(&json);
    json_object_close(&json);
    json_array_open(&json, "limit_figures");
    for (int figure = 0; figure < BOUND_FIGURES; figure++)
        json_text(&json, NULL, bound_figure_info((enum bound_figure)figure)->name);
    json_array_close(&json);
    json_object_close(&json);
    sink_text(sink, event_end);
}

static void write_status(struct listener *listener, const struct snapshot *snapshot)
{
    uint64_t mark = status_mark(snapshot);
    if (mark == listener->status_mark)
        return;
    listener->status_mark = mark;
    struct sink *sink = &listener->words.sink;
    struct json json = {.sink = sink};
    sink_text(sink, "event: status\ndata: ");
    status_write(listener->site, snapshot, &json);
    sink_text(sink, event_end);
}

/* Writes limits broken since the last update. The first snapshot has earlier breaches. */
static void write_limits(struct listener *listener, const struct snapshot *snapshot)
{
    uint64_t before = listener->breaches, told = snapshot->bounds.told;
    bool are_new = listener->knows_breaches && listener->holds >= snapshot->cleared_at && told > before;
    listener->knows_breaches = true;
    listener->breaches = told;
    if (!are_new)
        return;
    struct sink *sink = &listener->words.sink;
    struct json json = {.sink = sink};
    sink_text(sink, "event: limit\ndata: ");
    json_object_open(&json, NULL);
    json_u64(&json, "sequence", snapshot->sequence);
    json_u64(&json, "breaches", told - before);
    export_broken(snapshot, before, &json);
    json_object_close(&json);
    sink_text(sink, event_end);
}

static void write_update(struct listener *listener, const struct snapshot *snapshot)
{
    if (listener->holds == snapshot->sequence)
        return;
    bool whole = listener->holds == 0 || listener->holds < snapshot->cleared_at ||
                 listener->holds > snapshot->sequence;
    listener->text = whole ? cache_snapshot(listener->site->cache, snapshot)
                           : cache_delta(listener->site->cache, snapshot, listener->holds);
    if (!listener->text) {
        listener->words.sink.failed = true;
        return;
    }
    sink_printf(&listener->words.sink,
                "id: %llu-%s\nevent: %s\ndata: ", (unsigned long long)snapshot->sequence, listener->site->run,
                whole ? "snapshot" : "delta");
    listener->holds = snapshot->sequence;
}

/* Waits for the next event. False when there will be none. */
static bool wait_for_next_event(struct listener *listener)
{
    struct board *board = listener->site->settings.board;
    cached_unref(listener->text);
    listener->text = NULL;
    listener->sent = 0;
    sink_buffer_clear(&listener->words);

    struct snapshot *snapshot = NULL;
    if (!listener->was_greeted) {
        listener->was_greeted = true;
        write_hello(listener);
        snapshot = board_read(board);
    } else {
        pauses_sweep(&listener->site->pauses, clock_monotonic_ms());
        snapshot = board_wait(board, listener->holds, listener->site->settings.heartbeat_ms, listener->gone);
        if (listener->gone && atomic_load(listener->gone)) {
            snapshot_unref(snapshot);
            return false;
        }
        if (!snapshot)
            sink_text(&listener->words.sink, ":\n\n");
    }
    if (snapshot) {
        write_status(listener, snapshot);
        write_limits(listener, snapshot);
        write_update(listener, snapshot);
        snapshot_unref(snapshot);
    }
    return !board_closed(board) && !listener->words.sink.failed;
}

/* Copies `from` without its first *skip bytes, and subtracts the skipped bytes from *skip. */
static size_t copy_after_skip(char *to, size_t room, const char *from, size_t n, size_t *skip)
{
    if (*skip >= n) {
        *skip -= n;
        return 0;
    }
    size_t copied = n - *skip < room ? n - *skip : room;
    memcpy(to, from + *skip, copied);
    *skip = 0;
    return copied;
}

static ssize_t listener_read(struct stream *stream, char *to, size_t room)
{
    struct listener *listener = (struct listener *)stream;
    for (;;) {
        size_t skip = listener->sent, n = 0;
        if (listener->words.n)
            n = copy_after_skip(to, room, listener->words.bytes, listener->words.n, &skip);
        if (listener->text) {
            n += copy_after_skip(to + n, room - n, listener->text->bytes, listener->text->n, &skip);
            n += copy_after_skip(to + n, room - n, event_end, sizeof event_end - 1, &skip);
        }
        listener->sent += n;
        if (n > 0)
            return (ssize_t)n;
        if (!wait_for_next_event(listener))
            return 0;
    }
}

static void listener_close(struct stream *stream)
{
    struct listener *listener = (struct listener *)stream;
    sink_buffer_fini(&listener->words);
    cached_unref(listener->text);
    free(listener);
}

/* Returns the sequence in a Last-Event-ID, 0 when it is of another run or invalid. */
static uint64_t sequence_of(const char *id, const char *run)
{
    uint64_t sequence;
    size_t digits = id ? strspn(id, "0123456789") : 0;
    if (digits == 0 || id[digits] != '-' || strcmp(id + digits + 1, run) != 0 ||
        !request_parse_u64(id, digits, &sequence))
        return 0;
    return sequence;
}

struct stream *sse_open(struct site *site, const struct request *request)
{
    struct listener *listener = calloc(1, sizeof *listener);
    if (!listener)
        return NULL;
    listener->stream = (struct stream){.read = listener_read, .close = listener_close};
    listener->site = site;
    listener->gone = connection_gone(request->connection);
    listener->holds = sequence_of(request->last_event_id, site->run);
    sink_buffer_init(&listener->words);
    return &listener->stream;
}

static void answer_events(struct site *site, const struct request *request, struct response *response)
{
    if (!query_none(request, response))
        return;
    if (!response_take_slot(response, &site->listeners, SSE_LISTENERS_MOST, "streams of updates"))
        return;
    response->media_type = "text/event-stream";
    response->stream = sse_open(site, request);
    if (!response->stream)
        response_problem(response, 503, "Out of memory: ask again later.");
}

const struct route routes_sse[] = {
    {.method = "GET",
     .path = "/api/v1/events",
     .answer = answer_events,
     .id = "events",
     .summary =
         "Server-sent events: hello (versions, the description of each figure, and limit_figures, "
         "which limits can be put on), status, snapshot "
         "(a whole one, on connecting and after the profile was cleared), delta (what changed since the "
         "sequence it names in 'since', new messages of the target among it), limit (limits that were broken "
         "since the update before), and comments as heartbeat. The "
         "id of snapshot and delta is SEQUENCE-RUN, where RUN identifies this run of the daemon; "
         "a client that sends it back as Last-Event-ID goes on with a delta from there.",
     .media_type = "text/event-stream",
     .errors = {503}},
    {0},
};
