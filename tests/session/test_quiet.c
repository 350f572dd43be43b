/* test_quiet.c - when a line counts as quiet: only a read without bytes shows that. */
#include "pieces.h"
#include "support/stream.h"

#include <criterion/criterion.h>

static const struct session_settings a_line_that_soon_counts_as_quiet = {
    .timing = {.idle_ms = 1, .gather_ms = 60000}};

/* A packet of an unknown type, in which a packet with a record lies. */
static struct stream write_nested(void)
{
    const struct mp_record record = {.address = 0x1000, .start = 100, .duration = 10};
    struct stream inner = {0}, outer = {0};
    stream_records(&inner, &record, 1);
    stream_packet(&outer, 0x7F, inner.bytes, inner.n);
    stream_fini(&inner);
    return outer;
}

Test(quiet, a_packet_with_unread_bytes_is_not_given_up)
{
    struct stream stream = write_nested();
    struct pieces pieces = {
        .patience_ms = 20, .bytes = stream.bytes, .sizes = (size_t[]){stream.n - 2, 2}, .count = 2};
    pieces_take(&pieces, &a_line_that_soon_counts_as_quiet);
    cr_expect_eq(pieces.records, 0);
    stream_fini(&stream);
}

Test(quiet, a_packet_whose_rest_does_not_come_is_given_up_for_one_that_lies_in_it)
{
    struct stream stream = write_nested();
    struct pieces pieces = {
        .bytes = stream.bytes, .sizes = (size_t[]){stream.n - 2, PIECES_NOTHING}, .count = 2};
    pieces_take(&pieces, &a_line_that_soon_counts_as_quiet);
    cr_expect_eq(pieces.records_before_last, 1);
    stream_fini(&stream);
}
