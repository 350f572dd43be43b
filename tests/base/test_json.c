/* test_json.c - writes numbers as printf() does, integers one by one and many at once, and keys. */
#include "base/json.h"

#include <criterion/criterion.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values around every power of ten, and the least and the greatest. */
enum { POWERS = 20, N = 3 * POWERS + 3 };

static void fill(uint64_t *values)
{
    size_t n = 0;
    uint64_t power = 1;
    for (int i = 0; i < POWERS; i++, power *= 10) {
        values[n++] = power - 1;
        values[n++] = power;
        values[n++] = power + 1;
    }
    values[n++] = UINT64_MAX;
    values[n++] = (uint64_t)INT64_MAX;
    values[n++] = (uint64_t)INT64_MIN;
    cr_assert_eq(n, N);
}

Test(json, integers_are_written_exactly_one_by_one_and_many_at_once)
{
    uint64_t values[N];
    fill(values);
    /* Enough numbers for several pieces, at any offset in them. */
    enum { TIMES = 40 };
    uint64_t *many = malloc(TIMES * sizeof values);
    int64_t *many_signed = malloc(TIMES * sizeof values);
    size_t room = TIMES * sizeof values * 3;
    char *expected = malloc(room), *expected_signed = malloc(room);
    cr_assert(many && many_signed && expected && expected_signed);
    size_t at = 0, at_signed = 0;
    for (size_t i = 0; i < TIMES * N; i++) {
        many[i] = values[(i + i / N) % N];
        many_signed[i] = (int64_t)many[i];
        const char *comma = i ? "," : "";
        at += (size_t)snprintf(expected + at, room - at, "%s%" PRIu64, comma, many[i]);
        at_signed += (size_t)snprintf(expected_signed + at_signed, room - at_signed, "%s%" PRId64, comma,
                                      many_signed[i]);
    }

    struct sink_buffer single, all, single_signed, all_signed;
    sink_buffer_init(&single);
    sink_buffer_init(&all);
    sink_buffer_init(&single_signed);
    sink_buffer_init(&all_signed);
    struct json one = {.sink = &single.sink}, array = {.sink = &all.sink};
    struct json one_signed = {.sink = &single_signed.sink}, array_signed = {.sink = &all_signed.sink};
    for (size_t i = 0; i < TIMES * N; i++) {
        json_u64(&one, NULL, many[i]);
        json_i64(&one_signed, NULL, many_signed[i]);
    }
    json_integers(&array, many, TIMES * N, false);
    json_integers(&array_signed, many, TIMES * N, true);
    cr_assert_str_eq(single.bytes, expected);
    cr_assert_str_eq(all.bytes, expected);
    cr_assert_str_eq(single_signed.bytes, expected_signed);
    cr_assert_str_eq(all_signed.bytes, expected_signed);

    sink_buffer_fini(&single);
    sink_buffer_fini(&all);
    sink_buffer_fini(&single_signed);
    sink_buffer_fini(&all_signed);
    free(many);
    free(many_signed);
    free(expected);
    free(expected_signed);
}

Test(json, an_empty_list_of_integers_is_empty)
{
    struct sink_buffer buffer;
    sink_buffer_init(&buffer);
    struct json json = {.sink = &buffer.sink};
    json_array_open(&json, NULL);
    json_integers(&json, NULL, 0, false);
    json_integers(&json, NULL, 0, true);
    json_array_close(&json);
    cr_assert_str_eq(buffer.bytes, "[]");
    sink_buffer_fini(&buffer);
}

static double random_double(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    double magnitude = pow(10, (double)(*seed >> 33 & 31) - 8);
    return ((double)(int64_t)*seed / 9.3e18) * magnitude;
}

static void expect_double(double value, int decimals)
{
    struct sink_buffer is;
    sink_buffer_init(&is);
    struct json json = {.sink = &is.sink};
    char expected[400];
    json_double(&json, NULL, value, decimals);
    snprintf(expected, sizeof expected, "%.*f", decimals, value);
    cr_expect_str_eq(is.bytes, expected);
    sink_buffer_fini(&is);
}

Test(json, doubles_are_written_as_printf_does)
{
    static const double some[] = {0,     -0.0,  0.0005, 0.0015, 2.5,   -2.5,        0.9995, 0.99949999,
                                  1e-30, 1e300, 1e17,   -1e9,   999.5, 4294967.296, 0.1,    DBL_MIN};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        for (int decimals = 0; decimals <= 4; decimals++)
            expect_double(some[i], decimals);
    uint64_t seed = 7;
    for (int i = 0; i < 100000; i++)
        expect_double(random_double(&seed), i % 7);
    for (int i = 0; i < 100000; i++) /* in the middle between two values, or next to it */
        expect_double(nextafter(i / 2000.0 + 0.0005, i % 3 - 1.0), 3);
}

Test(json, nan_and_infinity_are_null)
{
    struct sink_buffer is;
    sink_buffer_init(&is);
    struct json json = {.sink = &is.sink};
    json_object_open(&json, NULL);
    json_double(&json, "a", NAN, 3);
    json_double(&json, "b", -INFINITY, 3);
    json_object_close(&json);
    cr_expect_str_eq(is.bytes, "{\"a\":null,\"b\":null}");
    sink_buffer_fini(&is);
}

Test(json, a_key_may_be_of_any_length)
{
    for (size_t n = 0; n < 200; n++) {
        char key[201] = "", expected[1000];
        memset(key, 'k', n);
        snprintf(expected, sizeof expected, "{\"%s\":1,\"%s\":null,\"%s\":[true],\"%s\":1.05}", key, key, key,
                 key);
        struct sink_buffer is;
        sink_buffer_init(&is);
        struct json json = {.sink = &is.sink};
        json_object_open(&json, NULL);
        json_u64(&json, key, 1);
        json_null(&json, key);
        json_array_open(&json, key);
        json_bool(&json, NULL, true);
        json_array_close(&json);
        json_decimal(&json, key, 105, 2);
        json_object_close(&json);
        cr_expect_str_eq(is.bytes, expected);
        sink_buffer_fini(&is);
    }
}
