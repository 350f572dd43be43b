/* callfilter.h - what filters of system calls (seccomp) begin with, and how one is put in force.
 *
 * CALLFILTER_MACHINE is the one machine whose numbers of calls a filter knows; undefined where there is none.
 */
#ifndef BASE_CALLFILTER_H
#define BASE_CALLFILTER_H

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>

#if defined __x86_64__
#define CALLFILTER_MACHINE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define CALLFILTER_MACHINE AUDIT_ARCH_AARCH64
#elif defined __arm__
#define CALLFILTER_MACHINE AUDIT_ARCH_ARM
#elif defined __riscv && __riscv_xlen == 64
#define CALLFILTER_MACHINE AUDIT_ARCH_RISCV64
#endif

/* The ends of a filter, and steps in it. A call that is refused fails with EPERM. */
#define CALLFILTER_REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define CALLFILTER_ALLOW  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* The first steps: calls of another machine are refused, and the number of the call is at hand. */
#define CALLFILTER_BEGIN                                                                                     \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),                                 \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CALLFILTER_MACHINE, 1, 0), CALLFILTER_REFUSE,                    \
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))

/* Does `what`, one of the ends, with the call `name`. */
#define CALLFILTER_AT(name, what) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), what

/* Puts the n steps in force for the thread that calls, for good. False where the kernel does not do that, or
 * the process may still gain rights (no_new_privs). */
static inline bool callfilter_begin(struct sock_filter *steps, size_t n)
{
    struct sock_fprog program = {.len = (unsigned short)n, .filter = steps};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#endif
