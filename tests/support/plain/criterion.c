/* criterion.c - runs the cases of a test program one after the other, each in a process of its own, and
 * prints the results as TAP. `--filter PATTERN` runs the cases whose SUITE/NAME matches, as fnmatch() with
 * @(a|b) and
 * !(a|b) reads it; TEST_FILTER in the environment chooses among these. Other arguments are ignored. A line
 * "# SUITE::NAME" on standard error begins the log of a case (support/summary.py). */
#include "criterion/criterion.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SKIPPED = 77 };

static struct plain_test *first;
static bool failed;

void plain_register(struct plain_test *test)
{
    struct plain_test **last = &first;
    while (*last)
        last = &(*last)->next;
    *last = test;
}

void plain_check(bool held, bool fatal, const char *file, int line, const char *format, ...)
{
    if (held)
        return;
    fprintf(stderr, "%s:%d: does not hold:", file, line);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    failed = true;
    if (fatal)
        exit(1);
}

_Noreturn void plain_skip(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(SKIPPED);
}

static struct plain_options options_of(const struct plain_test *test)
{
    struct plain_options options = test->options;
    for (const struct plain_test *suite = first; suite; suite = suite->next) {
        if (suite->run || strcmp(suite->suite, test->suite) != 0)
            continue;
        options.init = options.init ? options.init : suite->options.init;
        options.fini = options.fini ? options.fini : suite->options.fini;
        options.timeout = options.timeout ? options.timeout : suite->options.timeout;
    }
    return options;
}

#ifdef __SANITIZE_ADDRESS__
size_t __sanitizer_get_current_allocated_bytes(void); /* gcc has it in no header */
#endif

/* Bytes that the program has allocated now; SIZE_MAX when unknown. */
static size_t allocated_bytes(void)
{
#ifdef __SANITIZE_ADDRESS__
    return __sanitizer_get_current_allocated_bytes();
#else
    return SIZE_MAX;
#endif
}

/* Ends the process of a case. LeakSanitizer's search at exit takes longer than most cases. It is skipped when
 * as much was freed as was allocated, since it would find nothing. */
_Noreturn static void end_case(size_t allocated_before)
{
    if (allocated_before == SIZE_MAX || allocated_bytes() != allocated_before)
        exit(failed);
    fflush(NULL);
    _exit(failed);
}

_Noreturn static void run(const struct plain_test *test)
{
    size_t allocated = allocated_bytes();
    struct plain_options options = options_of(test);
    if (options.timeout)
        alarm((unsigned)options.timeout);
    if (options.init)
        options.init();
    test->run();
    if (options.fini)
        options.fini();
    end_case(allocated);
}

static bool chosen(const struct plain_test *test, const char *pattern)
{
    char name[256];
    snprintf(name, sizeof name, "%s/%s", test->suite, test->name);
    return test->run && fnmatch(pattern, name, FNM_EXTMATCH) == 0;
}

int main(int argc, char **argv)
{
    const char *pattern = "*", *asked = getenv("TEST_FILTER");
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "--filter") == 0)
            pattern = argv[i + 1];
    int number = 0, bad = 0;
    tzset(); /* so that what it allocates does not count for a case */
    for (const struct plain_test *test = first; test; test = test->next) {
        if (!chosen(test, pattern) || !chosen(test, asked ? asked : "*"))
            continue;
        fprintf(stderr, "# %s::%s\n", test->suite, test->name);
        pid_t child = fork();
        if (child == 0)
            run(test);
        int status = -1;
        waitpid(child, &status, 0);
        bool skipped = WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED;
        bool good = status == 0 || skipped;
        bad += !good;
        printf("%s %d - %s::%s%s\n", good ? "ok" : "not ok", ++number, test->suite, test->name,
               skipped ? " # SKIP" : "");
        fflush(stdout);
    }
    printf("1..%d\n", number);
    return bad != 0 || (number == 0 && !asked); /* a pattern that matches nothing is an error */
}
