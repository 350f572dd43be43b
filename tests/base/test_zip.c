/* test_zip.c - what was packed comes out again. */
#include "base/zip.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

Test(zip, the_check_value_comes_out)
{
    cr_assert_eq(zip_crc32("123456789", 9), 0xCBF43926);
}

Test(zip, packed_bytes_unpack_to_what_they_were)
{
    static char text[300000], out[300000];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)("abcde"[i * i % 5] + i / 70000);
    size_t packed_n = 0;
    char *packed = zip_gzip(text, sizeof text, &packed_n);
    cr_assert_not_null(packed);
    cr_assert_lt(packed_n, sizeof text / 10);
    z_stream zlib = {.next_in = (Bytef *)packed,
                     .avail_in = (uInt)packed_n,
                     .next_out = (Bytef *)out,
                     .avail_out = sizeof out};
    cr_assert_eq(inflateInit2(&zlib, 15 + 16), Z_OK);
    cr_assert_eq(inflate(&zlib, Z_FINISH), Z_STREAM_END);
    cr_assert_eq(zlib.total_out, sizeof text);
    cr_assert_arr_eq(out, text, sizeof text);
    inflateEnd(&zlib);
    free(packed);
}

Test(zip, nothing_packs_to_an_empty_member)
{
    size_t packed_n = 0;
    char *packed = zip_gzip("", 0, &packed_n);
    cr_assert_not_null(packed);
    cr_assert_gt(packed_n, 17);
    free(packed);
}
