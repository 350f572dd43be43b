/* callfilter.c - compiles a list of allowed calls to a program for the kernel (seccomp).
 *
 * Rules follow one another. Each begins and ends with the call's number in the accumulator. */
#include "process/callfilter.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(offset)          BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(offset))
#define END(action)           BPF_STMT(BPF_RET | BPF_K, action)
#define EQUAL(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, (uint8_t)(yes), (uint8_t)(no))
#define FAIL_WITH(error)      (SECCOMP_RET_ERRNO | ((uint32_t)(error)&SECCOMP_RET_DATA))

enum { LOW_HALF = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0, LONGEST_JUMP = 255 };

static void filter_add(struct callfilter *filter, struct sock_filter step)
{
    if (filter->n < CALLFILTER_STEPS)
        filter->steps[filter->n++] = step;
    else
        filter->is_full = true;
}

void callfilter_init(struct callfilter *filter)
{
    filter->n = 0;
    filter->is_full = false;
#ifdef CALLFILTER_MACHINE
    filter_add(filter, (struct sock_filter)LOAD(offsetof(struct seccomp_data, arch)));
    filter_add(filter, (struct sock_filter)EQUAL(CALLFILTER_MACHINE, 1, 0));
    filter_add(filter, (struct sock_filter)END(FAIL_WITH(EPERM)));
#endif
    filter_add(filter, (struct sock_filter)LOAD(offsetof(struct seccomp_data, nr)));
}

void callfilter_allow(struct callfilter *filter, const int *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        filter_add(filter, (struct sock_filter)EQUAL((uint32_t)numbers[i], 0, 1));
        filter_add(filter, (struct sock_filter)END(SECCOMP_RET_ALLOW));
    }
}

/* Adds a test. When it fails, it jumps over the next `left` steps, to the end of the rule. */
static void filter_add_test(struct callfilter *filter, const struct callfilter_test *test, size_t left)
{
    filter_add(filter, (struct sock_filter)LOAD(offsetof(struct seccomp_data, args) +
                                                test->argument * sizeof(uint64_t) + LOW_HALF));
    filter_add(filter, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, test->mask));
    for (size_t i = 0; i < test->n; i++) {
        size_t more = test->n - 1 - i;
        filter_add(filter, (struct sock_filter)EQUAL(test->values[i], more, more > 0 ? 0 : left));
    }
}

void callfilter_allow_when(struct callfilter *filter, int number, const struct callfilter_test *tests,
                           size_t n)
{
    size_t left = 1; /* the final step, which allows the call */
    for (size_t i = 0; i < n; i++)
        left += 2 + tests[i].n;
    if (left + 1 > LONGEST_JUMP) {
        filter->is_full = true;
        return;
    }
    filter_add(filter, (struct sock_filter)EQUAL((uint32_t)number, 0, left + 1));
    for (size_t i = 0; i < n; i++) {
        left -= 2 + tests[i].n;
        filter_add_test(filter, &tests[i], left);
    }
    filter_add(filter, (struct sock_filter)END(SECCOMP_RET_ALLOW));
    filter_add(filter, (struct sock_filter)LOAD(offsetof(struct seccomp_data, nr)));
}

void callfilter_allow_data_maps(struct callfilter *filter)
{
    static const uint32_t none = 0;
    static const struct callfilter_test not_executable = {2, PROT_EXEC, &none, 1};
#ifdef SYS_mmap
    callfilter_allow_when(filter, SYS_mmap, &not_executable, 1);
#endif
#ifdef SYS_mmap2
    callfilter_allow_when(filter, SYS_mmap2, &not_executable, 1);
#endif
}

void callfilter_fail(struct callfilter *filter, int number, int error)
{
    filter_add(filter, (struct sock_filter)EQUAL((uint32_t)number, 0, 1));
    filter_add(filter, (struct sock_filter)END(FAIL_WITH(error)));
}

bool callfilter_begin(struct callfilter *filter)
{
#ifdef CALLFILTER_MACHINE
    filter_add(filter, (struct sock_filter)END(FAIL_WITH(EPERM)));
    struct sock_fprog program = {.len = (unsigned short)filter->n, .filter = filter->steps};
    return !filter->is_full &&
           (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0 ||
            prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
#else
    return false;
#endif
}
