/* test_search.c - a search in a sorted table agrees with counting. */
#include "base/search.h"
#include "support/random.h"

#include <criterion/criterion.h>

struct row {
    uint32_t other;
    uint64_t key;
};

Test(search, finds_as_many_as_counting_does)
{
    struct test_random random = test_random_start("search");
    for (int round = 0; round < 2000; round++) {
        struct row rows[20];
        size_t n = test_random_below(&random, 21);
        uint64_t key = test_random_below(&random, 3);
        for (size_t i = 0; i < n; i++) {
            rows[i] = (struct row){.key = key};
            key += test_random_below(&random, 3);
        }
        for (uint64_t wanted = 0; wanted < 50; wanted++) {
            size_t counted = 0;
            while (counted < n && rows[counted].key <= wanted)
                counted++;
            cr_assert_eq(search_at_most(rows, n, sizeof *rows, offsetof(struct row, key), wanted), counted);
        }
    }
}

Test(search, goes_to_the_ends_of_the_numbers)
{
    static const uint64_t numbers[] = {0, 1, UINT64_MAX - 1, UINT64_MAX};
    cr_expect_eq(search_at_most(numbers, 4, sizeof *numbers, 0, UINT64_MAX), 4);
    cr_expect_eq(search_at_most(numbers, 4, sizeof *numbers, 0, UINT64_MAX - 1), 3);
    cr_expect_eq(search_at_most(numbers, 4, sizeof *numbers, 0, 0), 1);
    cr_expect_eq(search_at_most(NULL, 0, sizeof *numbers, 0, 5), 0);
}
