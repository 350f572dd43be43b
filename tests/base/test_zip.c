/* test_zip.c - packed files can be unpacked unchanged. */
#include "base/zip.h"

#include "support/random.h"
#include "support/unzip.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

Test(zip, the_crc_of_the_check_string_is_right)
{
    cr_assert_eq(zip_crc32("123456789", 9), 0xCBF43926);
}

static char text[300000];

static void make_text(void)
{
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)("abcde"[i * i % 5] + i / 70000);
}

Test(zip, packed_bytes_unpack_to_the_original)
{
    make_text();
    size_t packed_n = 0;
    char *packed = zip_gzip(text, sizeof text, &packed_n);
    cr_assert_not_null(packed);
    cr_assert_lt(packed_n, sizeof text / 10);
    cr_expect(unzips_to(packed, packed_n, text, sizeof text));
    free(packed);
}

Test(zip, a_sink_packs_whatever_pieces_it_gets)
{
    struct test_random random = test_random_start("zip");
    static char noise[200000]; /* cannot be compressed: fills the output blocks */
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (char)test_random_below(&random, 256);
    make_text();
    const struct {
        const char *bytes;
        size_t n;
    } wholes[] = {{text, sizeof text}, {noise, sizeof noise}, {text, 1}, {text, 32 << 10}, {text, 64 << 10}};
    for (size_t w = 0; w < sizeof wholes / sizeof *wholes; w++) {
        struct sink_buffer packed;
        sink_buffer_init(&packed);
        struct sink *zip = zip_sink_new(&packed.sink);
        for (size_t at = 0, part; at < wholes[w].n; at += part) {
            part = test_random_below(&random, 2) ? test_random_below(&random, 9)
                                                 : test_random_below(&random, 99999);
            part = part < wholes[w].n - at ? part : wholes[w].n - at;
            sink_write(zip, wholes[w].bytes + at, part);
        }
        zip_sink_end(zip);
        cr_expect_not(packed.sink.failed);
        cr_expect(unzips_to(packed.bytes, packed.n, wholes[w].bytes, wholes[w].n), "%zu", w);
        sink_buffer_fini(&packed);
    }
}

Test(zip, a_failure_at_either_end_fails_the_other)
{
    make_text();
    struct sink_buffer little;
    sink_buffer_init(&little);
    little.limit = 10;
    struct sink *zip = zip_sink_new(&little.sink);
    for (int i = 0; i < 3; i++)
        sink_write(zip, text, sizeof text);
    zip_sink_end(zip);
    cr_expect(little.sink.failed);
    sink_buffer_fini(&little);

    struct sink_buffer roomy;
    sink_buffer_init(&roomy);
    zip = zip_sink_new(&roomy.sink);
    sink_write(zip, text, 100);
    zip->failed = true; /* as a writer out of memory does */
    zip_sink_end(zip);
    cr_expect(roomy.sink.failed);
    sink_buffer_fini(&roomy);
}

Test(zip, nothing_packs_to_an_empty_member)
{
    size_t packed_n = 0;
    char *packed = zip_gzip("", 0, &packed_n);
    cr_assert_not_null(packed);
    cr_assert_gt(packed_n, 17);
    free(packed);
}
