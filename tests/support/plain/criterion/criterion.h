/* criterion.h - the part of Criterion's interface that our tests use, for builds in which Criterion cannot run.
 *
 * Criterion shares memory with its workers at addresses that ThreadSanitizer reserves. In such a build this
 * header replaces it; each case runs in its own process, as with Criterion. */
#ifndef SUPPORT_PLAIN_CRITERION_H
#define SUPPORT_PLAIN_CRITERION_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct plain_options {
    void (*init)(void);
    void (*fini)(void);
    double timeout; /* seconds; 0: none */
};

struct plain_test {
    const char *suite, *name;
    void (*run)(void); /* NULL: the options of a whole suite */
    struct plain_options options;
    struct plain_test *next;
};

void plain_register(struct plain_test *test);

/* Reports a failure when not `held`, and ends the case when it is fatal. */
void plain_check(bool held, bool fatal, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
_Noreturn void plain_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define PLAIN_REGISTER(Id, Suite, Name, Run, ...)                                                            \
    __attribute__((constructor)) static void Id##_register(void)                                             \
    {                                                                                                        \
        static struct plain_test test = {                                                                    \
            .suite = Suite, .name = Name, .run = Run, .options = {__VA_ARGS__}};                             \
        plain_register(&test);                                                                               \
    }
#define Test(Suite, Name, ...)                                                                               \
    static void Suite##_##Name##_run(void);                                                                  \
    PLAIN_REGISTER(Suite##_##Name, #Suite, #Name, Suite##_##Name##_run, __VA_ARGS__)                         \
    static void Suite##_##Name##_run(void)
#define TestSuite(Suite, ...) PLAIN_REGISTER(Suite##_suite, #Suite, NULL, NULL, __VA_ARGS__)

/* A condition may hold a '%', so it is not part of the format. */
#define PLAIN_CHECK(Fatal, Held, ...) plain_check(Held, Fatal, __FILE__, __LINE__, " " __VA_ARGS__)

#define cr_assert(A, ...)              PLAIN_CHECK(true, (A), __VA_ARGS__)
#define cr_assert_not(A, ...)          PLAIN_CHECK(true, !(A), __VA_ARGS__)
#define cr_assert_null(A, ...)         PLAIN_CHECK(true, (A) == NULL, __VA_ARGS__)
#define cr_assert_not_null(A, ...)     PLAIN_CHECK(true, (A) != NULL, __VA_ARGS__)
#define cr_assert_eq(A, B, ...)        PLAIN_CHECK(true, (A) == (B), __VA_ARGS__)
#define cr_assert_neq(A, B, ...)       PLAIN_CHECK(true, (A) != (B), __VA_ARGS__)
#define cr_assert_lt(A, B, ...)        PLAIN_CHECK(true, (A) < (B), __VA_ARGS__)
#define cr_assert_leq(A, B, ...)       PLAIN_CHECK(true, (A) <= (B), __VA_ARGS__)
#define cr_assert_gt(A, B, ...)        PLAIN_CHECK(true, (A) > (B), __VA_ARGS__)
#define cr_assert_geq(A, B, ...)       PLAIN_CHECK(true, (A) >= (B), __VA_ARGS__)
#define cr_assert_str_eq(A, B, ...)    PLAIN_CHECK(true, strcmp(A, B) == 0, __VA_ARGS__)
#define cr_assert_str_neq(A, B, ...)   PLAIN_CHECK(true, strcmp(A, B) != 0, __VA_ARGS__)
#define cr_assert_arr_eq(A, B, N, ...) PLAIN_CHECK(true, memcmp(A, B, N) == 0, __VA_ARGS__)
#define cr_expect(A, ...)              PLAIN_CHECK(false, (A), __VA_ARGS__)
#define cr_expect_not(A, ...)          PLAIN_CHECK(false, !(A), __VA_ARGS__)
#define cr_expect_null(A, ...)         PLAIN_CHECK(false, (A) == NULL, __VA_ARGS__)
#define cr_expect_not_null(A, ...)     PLAIN_CHECK(false, (A) != NULL, __VA_ARGS__)
#define cr_expect_eq(A, B, ...)        PLAIN_CHECK(false, (A) == (B), __VA_ARGS__)
#define cr_expect_neq(A, B, ...)       PLAIN_CHECK(false, (A) != (B), __VA_ARGS__)
#define cr_expect_float_eq(A, B, MOST, ...)                                                                  \
    PLAIN_CHECK(false, (A) - (B) <= (MOST) && (B) - (A) <= (MOST), __VA_ARGS__)
#define cr_expect_lt(A, B, ...)        PLAIN_CHECK(false, (A) < (B), __VA_ARGS__)
#define cr_expect_leq(A, B, ...)       PLAIN_CHECK(false, (A) <= (B), __VA_ARGS__)
#define cr_expect_gt(A, B, ...)        PLAIN_CHECK(false, (A) > (B), __VA_ARGS__)
#define cr_expect_geq(A, B, ...)       PLAIN_CHECK(false, (A) >= (B), __VA_ARGS__)
#define cr_expect_str_eq(A, B, ...)    PLAIN_CHECK(false, strcmp(A, B) == 0, __VA_ARGS__)
#define cr_expect_str_neq(A, B, ...)   PLAIN_CHECK(false, strcmp(A, B) != 0, __VA_ARGS__)
#define cr_expect_arr_eq(A, B, N, ...) PLAIN_CHECK(false, memcmp(A, B, N) == 0, __VA_ARGS__)

#define cr_assert_fail(...) PLAIN_CHECK(true, false, __VA_ARGS__)
#define cr_skip_test(...)   plain_skip(" " __VA_ARGS__)

#endif
