/* test_sink.c - the first failure is remembered and nothing after it is written. */
#include "base/json.h"
#include "base/sink.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

Test(sink, a_buffer_contains_all_writes)
{
    struct sink_buffer out;
    sink_buffer_init(&out);
    sink_text(&out.sink, "n=");
    sink_u64(&out.sink, UINT64_MAX);
    sink_printf(&out.sink, " %s", "end");
    cr_assert_str_eq(out.bytes, "n=18446744073709551615 end");
    cr_assert_eq(out.sink.written, strlen(out.bytes));
    sink_buffer_fini(&out);
}

Test(sink, a_long_format_is_written_whole)
{
    struct sink_buffer out;
    sink_buffer_init(&out);
    sink_printf(&out.sink, "%01000d", 7);
    cr_assert_eq(out.n, 1000);
    cr_assert_eq(out.bytes[999], '7');
    sink_buffer_fini(&out);
}

Test(sink, a_full_buffer_fails_and_stays_failed)
{
    struct sink_buffer out;
    sink_buffer_init(&out);
    out.limit = 4;
    sink_text(&out.sink, "abc");
    sink_text(&out.sink, "de");
    sink_text(&out.sink, "f");
    cr_assert(out.sink.failed);
    cr_assert_str_eq(out.bytes, "abc");
    sink_buffer_fini(&out);
}

Test(sink, a_descriptor_that_cannot_be_written_is_noticed)
{
    static struct sink_fd out;
    int fd = open("/dev/full", O_WRONLY);
    cr_assert_geq(fd, 0);
    sink_fd_init(&out, fd);
    sink_text(&out.sink, "lost");
    cr_assert_not(out.sink.failed, "buffered so far");
    cr_assert_not(sink_fd_flush(&out));
    cr_assert_neq(out.error_number, 0);
    close(fd);
}

Test(json, whole_numbers_of_any_size_and_sign)
{
    struct sink_buffer out;
    sink_buffer_init(&out);
    struct json json = {.sink = &out.sink};
    json_object_open(&json, NULL);
    json_u64(&json, "most", UINT64_MAX);
    json_i64(&json, "least", INT64_MIN);
    json_array_open(&json, "list");
    json_u64(&json, NULL, 0);
    json_i64(&json, NULL, INT64_MIN);
    json_u64(&json, NULL, UINT64_MAX);
    json_i64(&json, NULL, -1);
    json_array_close(&json);
    json_object_close(&json);
    cr_expect_str_eq(out.bytes, "{\"most\":18446744073709551615,\"least\":-9223372036854775808,"
                                "\"list\":[0,-9223372036854775808,18446744073709551615,-1]}");
    sink_buffer_fini(&out);
}
