/* callfilter.h - a list of the system calls that a process may make (seccomp). All others fail with EPERM.
 *
 * CALLFILTER_MACHINE is the machine whose call numbers the filter uses. Undefined for unsupported machines. */
#ifndef PROCESS_CALLFILTER_H
#define PROCESS_CALLFILTER_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined __x86_64__
#define CALLFILTER_MACHINE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define CALLFILTER_MACHINE AUDIT_ARCH_AARCH64
#elif defined __arm__
#define CALLFILTER_MACHINE AUDIT_ARCH_ARM
#elif defined __riscv && __riscv_xlen == 64
#define CALLFILTER_MACHINE AUDIT_ARCH_RISCV64
#endif

enum { CALLFILTER_STEPS = 700 };

/* The program for the kernel, while it is being written. */
struct callfilter {
    struct sock_filter steps[CALLFILTER_STEPS];
    size_t n;
    bool is_full; /* a rule did not fit: the filter will not be applied */
};

/* A condition on one argument of a call: (argument & mask) is one of the n values. Only the low 32 bits of the
 * argument count, since the kernel reads no more of an int. */
struct callfilter_test {
    unsigned argument; /* 0 is the first */
    uint32_t mask;
    const uint32_t *values;
    size_t n;
};

/* Begins an empty list. */
void callfilter_init(struct callfilter *filter);

/* Allows the calls with these n numbers. */
void callfilter_allow(struct callfilter *filter, const int *numbers, size_t n);

/* Allows the call when all n tests hold. Several rules for one call add up. */
void callfilter_allow_when(struct callfilter *filter, int number, const struct callfilter_test *tests,
                           size_t n);

/* Allows mmap() of memory that is not executable. */
void callfilter_allow_data_maps(struct callfilter *filter);

/* Makes the call fail with `error`, for callers that have a fallback. */
void callfilter_fail(struct callfilter *filter, int number, int error);

/* Applies the list permanently to all threads. False where the kernel cannot do that, or the process may still
 * gain privileges (no_new_privs). */
bool callfilter_begin(struct callfilter *filter);

#endif
