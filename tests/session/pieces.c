/* pieces.c - runs the ingest thread over a source whose reads return the pieces of a test. */
#include "pieces.h"

#include "base/clock.h"
#include "bench.h"
#include "handoff/mailbox.h"

#include <criterion/criterion.h>
#include <stddef.h>

static struct pieces *pieces_of(struct source *source)
{
    return (struct pieces *)((char *)source - offsetof(struct pieces, base));
}

static bool pieces_open(struct source *source, struct error *err)
{
    source->is_open = true;
    return true;
}

static void pieces_close(struct source *source)
{
    source->is_open = false;
}

static struct source_wait pieces_poll(const struct source *source)
{
    return (struct source_wait){.fd = -1, .timeout_ms = 1};
}

static enum source_result pieces_read(struct source *source, void *bytes, size_t room, size_t *n,
                                      struct error *err)
{
    struct pieces *pieces = pieces_of(source);
    pieces->records_before_last = decoder_records(pieces->decoder);
    *n = pieces->at < pieces->count ? pieces->sizes[pieces->at] : PIECES_NOTHING;
    cr_assert_leq(*n, room);
    if (*n > 0 || pieces->records_before_last > 0 || clock_monotonic_ms() >= pieces->deadline_ms)
        pieces->at++;
    pieces->stop = pieces->at >= pieces->count;
    memcpy(bytes, pieces->bytes, *n);
    pieces->bytes += *n;
    return *n > 0 ? SOURCE_DATA : SOURCE_QUIET;
}

static void pieces_free(struct source *source) {}

static const struct source_ops pieces_ops = {.free = pieces_free,
                                             .open = pieces_open,
                                             .close = pieces_close,
                                             .poll = pieces_poll,
                                             .read = pieces_read};

void pieces_take(struct pieces *pieces, const struct session_settings *settings)
{
    struct ingest ingest;
    struct wake wake, ended;
    struct error err = {""};
    cr_assert(wake_init(&wake, &err) && wake_init(&ended, &err), "%s", err.text);
    struct board *board = board_new();
    struct mailbox *mailbox = mailbox_new(&wake);
    const struct ingest_ties ties = {
        .board = board, .mailbox = mailbox, .wake = &wake, .ended = &ended, .stop = &pieces->stop};
    struct session_settings complete = *settings;
    complete.source.spec = "unix:/nowhere";
    complete.dialect = dialect_find("miniprof");
    cr_assert(ingest_init(&ingest, &complete, &ties, &err), "%s", err.text);
    source_free(ingest.source);
    pieces->base = (struct source){.ops = &pieces_ops, .patience_ms = pieces->patience_ms};
    ingest.source = ingest.connection.source = &pieces->base;
    pieces->decoder = ingest.decoder;
    pieces->deadline_ms = clock_monotonic_ms() + BENCH_PATIENCE_MS;

    ingest_run(&ingest);
    pieces->records = decoder_records(ingest.decoder);
    ingest_fini(&ingest);
    mailbox_free(mailbox);
    board_free(board);
    wake_fini(&ended);
    wake_fini(&wake);
}
