/* test_quiet.c - when a line has gone quiet: only a read that finds nothing tells. */
#include "bench.h"
#include "base/clock.h"
#include "exchange/mailbox.h"
#include "session/ingest.h"
#include "source/transport.h"
#include "support/stream.h"

#include <criterion/criterion.h>

/* A source of two pieces, one a read; then the thread stops. In the place of NOTHING reads find nothing until
 * there is a record. */
enum { NOTHING = 0 };
struct pieces {
    struct source base;
    const uint8_t *bytes;
    size_t sizes[2], at;
    atomic_bool stop;
    const struct decoder *decoder;
    uint64_t deadline_ms; /* for that record */
    uint64_t records;     /* when the last read began */
};

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
    struct pieces *pieces = (struct pieces *)source;
    pieces->records = decoder_records(pieces->decoder);
    *n = pieces->at < 2 ? pieces->sizes[pieces->at] : NOTHING;
    if (*n > 0 || pieces->records > 0 || clock_monotonic_ms() >= pieces->deadline_ms)
        pieces->at++;
    pieces->stop = pieces->at >= 2;
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

/* Has the thread read both, of a line that counts as quiet after a millisecond; returns the records. */
static uint64_t read_all(struct pieces *pieces)
{
    struct ingest ingest;
    struct wake wake, ended;
    struct error err = {""};
    cr_assert(wake_init(&wake, &err) && wake_init(&ended, &err), "%s", err.text);
    struct board *board = board_new();
    struct mailbox *mailbox = mailbox_new(&wake);
    const struct ingest_ties ties = {
        .board = board, .mailbox = mailbox, .wake = &wake, .ended = &ended, .stop = &pieces->stop};
    const struct session_settings settings = {.source = {.spec = "unix:/nowhere"},
                                              .dialect = dialect_find("miniprof"),
                                              .timing = {.idle_ms = 1, .gather_ms = 60000}};
    cr_assert(ingest_init(&ingest, &settings, &ties, &err), "%s", err.text);
    source_free(ingest.source);
    ingest.source = ingest.connection.source = &pieces->base;
    pieces->base.ops = &pieces_ops;
    pieces->decoder = ingest.decoder;
    pieces->deadline_ms = clock_monotonic_ms() + BENCH_PATIENCE_MS;

    ingest_run(&ingest);
    uint64_t records = decoder_records(ingest.decoder);
    ingest_fini(&ingest);
    mailbox_free(mailbox);
    board_free(board);
    wake_fini(&ended);
    wake_fini(&wake);
    return records;
}

/* A packet that nobody knows, in which a packet with a record lies. */
static struct stream write_nested(void)
{
    const struct mp_record record = {.address = 0x1000, .start = 100, .duration = 10};
    struct stream inner = {0}, outer = {0};
    stream_records(&inner, &record, 1);
    stream_packet(&outer, 0x7F, inner.bytes, inner.n);
    stream_fini(&inner);
    return outer;
}

Test(quiet, a_packet_whose_rest_lies_unread_is_not_given_up)
{
    struct stream stream = write_nested();
    struct pieces pieces = {.base.patience_ms = 20, .bytes = stream.bytes, .sizes = {stream.n - 2, 2}};
    cr_expect_eq(read_all(&pieces), 0);
    stream_fini(&stream);
}

Test(quiet, a_packet_whose_rest_does_not_come_is_given_up_for_one_that_lies_in_it)
{
    struct stream stream = write_nested();
    struct pieces pieces = {.bytes = stream.bytes, .sizes = {stream.n - 2, NOTHING}};
    read_all(&pieces);
    cr_expect_eq(pieces.records, 1);
    stream_fini(&stream);
}
