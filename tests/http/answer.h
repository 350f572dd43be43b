/* answer.h - reads members of an answer's JSON. */
#ifndef TESTS_HTTP_ANSWER_H
#define TESTS_HTTP_ANSWER_H

#include "base/jsonio.h"

#include <criterion/criterion.h>

/* The member `b` of the member `a`; NULL when there is none. */
static inline const struct jsonio *answer_member(const struct jsonio *json, const char *a, const char *b)
{
    return jsonio_member(jsonio_member(json, a), b);
}

/* Fails the test when it is no whole number. */
static inline uint64_t answer_number(const struct jsonio *value)
{
    uint64_t number = UINT64_MAX;
    cr_expect(jsonio_u64(value, &number));
    return number;
}

/* The sum of all elements of an array. */
static inline uint64_t answer_sum(const struct jsonio *column)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < jsonio_count(column); i++)
        sum += answer_number(jsonio_at(column, i));
    return sum;
}

#endif
