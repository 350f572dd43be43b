/* sse.c - the stream of updates as server-sent events.
 *
 * Each listener has a thread of the server's to itself, so it simply waits on the board. What it sends next
 * is decided when the last bytes of what it sent before are gone: a slow client skips updates and then gets
 * one larger delta, and all it can keep waiting is one text, which is shared with whoever gets the same.
 * Nothing of a snapshot is held while sending.
 *
 * Only `snapshot` and `delta` carry an id, SEQUENCE-RUN: it is what a client that comes back surely holds. */
#include "http/sse.h"

#include "exchange/board.h"
#include "export/export.h"
#include "http/api.h"
#include "http/site.h"

#include <stdlib.h>
#include <string.h>

enum { SSE_RETRY_MS = 1000 };

struct listener {
    struct stream stream;
    struct site *site;
    bool greeted;
    uint64_t holds;       /* sequence that the client has; 0: none */
    uint64_t status_mark; /* of the last status sent; 0: none */

    /* What is being sent: `words`, then `text` and an empty line if there is one. */
    struct sink_buffer words;
    struct cached *text;
    size_t sent;
};

static const char event_end[] = "\n\n";

/* FNV-1a */
static uint64_t mark_bytes(uint64_t mark, const void *bytes, size_t n)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < n; i++)
        mark = (mark ^ byte[i]) * 0x100000001B3u;
    return mark;
}

static uint64_t mark_u64(uint64_t mark, uint64_t value)
{
    return mark_bytes(mark, &value, sizeof value);
}

static uint64_t mark_text(uint64_t mark, const char *text)
{
    return text ? mark_bytes(mark, text, strlen(text) + 1) : mark_u64(mark, 0);
}

/* Differs when something differs that a status event tells of: not the counters, which every delta brings. */
static uint64_t status_mark(const struct snapshot *snapshot)
{
    const struct snapshot_source *source = &snapshot->source;
    const struct snapshot_target *target = &snapshot->target;
    uint64_t mark = 0xCBF29CE484222325u;
    mark = mark_text(mark, source->port);
    mark = mark_text(mark, source->dialect);
    mark = mark_text(mark, source->detail);
    mark = mark_text(mark, source->elf_path);
    mark = mark_u64(mark, source->provides);
    mark = mark_u64(mark, source->baud);
    mark = mark_u64(mark,
                    (uint64_t)source->state << 16 | (uint64_t)source->elf_state << 8 | source->listen_only);
    mark = mark_u64(mark, source->elf_functions);
    mark = mark_u64(mark, target->has_metadata | target->has_status << 1 | target->has_match << 2 |
                              target->elf_match << 3 | target->profiling << 4);
    mark = mark_text(mark, target->fw_version);
    mark = mark_u64(mark, target->mcu_clock_hz);
    mark = mark_u64(mark, target->timer_hz);
    mark = mark_u64(mark, target->ticks_per_second);
    mark = mark_u64(mark, target->elf_build_id);
    for (const struct exporter *const *exporter = exporter_registry; *exporter; exporter++)
        mark = mark_u64(mark, exporter_can(*exporter, snapshot, NULL));
    return mark ? mark : 1;
}

static void say_hello(struct listener *listener)
{
    struct sink *sink = &listener->words.sink;
    struct json json = {.sink = sink};
    sink_printf(sink, "retry: %d\nevent: hello\ndata: ", SSE_RETRY_MS);
    json_object_open(&json, NULL);
    json_text(&json, "version", listener->site->settings.version);
    json_u64(&json, "api_version", 1);
    json_text(&json, "run", listener->site->run);
    json_u64(&json, "heartbeat_ms", listener->site->settings.heartbeat_ms);
    json_object_close(&json);
    sink_text(sink, event_end);
}

static void say_status(struct listener *listener, const struct snapshot *snapshot)
{
    uint64_t mark = status_mark(snapshot);
    if (mark == listener->status_mark)
        return;
    listener->status_mark = mark;
    struct sink *sink = &listener->words.sink;
    struct json json = {.sink = sink};
    sink_text(sink, "event: status\ndata: ");
    api_write_status(listener->site, snapshot, &json);
    sink_text(sink, event_end);
}

static void say_update(struct listener *listener, const struct snapshot *snapshot)
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

/* Waits for the next thing to say. False when there will be none. */
static bool next(struct listener *listener)
{
    struct board *board = listener->site->settings.board;
    cached_unref(listener->text);
    listener->text = NULL;
    listener->sent = 0;
    sink_buffer_clear(&listener->words);

    struct snapshot *snapshot = NULL;
    if (!listener->greeted) {
        listener->greeted = true;
        say_hello(listener);
        snapshot = board_read(board);
    } else {
        snapshot = board_wait(board, listener->holds, listener->site->settings.heartbeat_ms);
        if (!snapshot)
            sink_text(&listener->words.sink, ":\n\n");
    }
    if (snapshot) {
        say_status(listener, snapshot);
        say_update(listener, snapshot);
        snapshot_unref(snapshot);
    }
    return !board_closed(board) && !listener->words.sink.failed;
}

/* Copies what of `from` lies behind the first *skip bytes, and lowers *skip by what does not. */
static size_t copy(char *to, size_t room, const char *from, size_t n, size_t *skip)
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
            n = copy(to, room, listener->words.bytes, listener->words.n, &skip);
        if (listener->text) {
            n += copy(to + n, room - n, listener->text->bytes, listener->text->n, &skip);
            n += copy(to + n, room - n, event_end, sizeof event_end - 1, &skip);
        }
        listener->sent += n;
        if (n > 0)
            return (ssize_t)n;
        if (!next(listener))
            return 0;
    }
}

static void listener_close(struct stream *stream)
{
    struct listener *listener = (struct listener *)stream;
    atomic_fetch_sub(&listener->site->listeners, 1);
    sink_buffer_fini(&listener->words);
    cached_unref(listener->text);
    free(listener);
}

/* The sequence in an id of ours; 0 when it is of another run or none of ours. */
static uint64_t sequence_of(const char *id, const char *run)
{
    uint64_t sequence;
    size_t digits = id ? strspn(id, "0123456789") : 0;
    if (digits == 0 || id[digits] != '-' || strcmp(id + digits + 1, run) != 0 ||
        !request_parse_u64(id, digits, &sequence))
        return 0;
    return sequence;
}

struct stream *sse_open(struct site *site, const char *last_event_id)
{
    struct listener *listener = calloc(1, sizeof *listener);
    if (!listener)
        return NULL;
    listener->stream = (struct stream){.read = listener_read, .close = listener_close};
    listener->site = site;
    listener->holds = sequence_of(last_event_id, site->run);
    sink_buffer_init(&listener->words);
    if (atomic_fetch_add(&site->listeners, 1) >= SSE_LISTENERS_MOST) {
        listener_close(&listener->stream);
        return NULL;
    }
    return &listener->stream;
}
