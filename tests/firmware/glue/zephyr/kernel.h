/* kernel.h - a stand-in for Zephyr's header: the part that the glue uses, after its documentation. */
#ifndef ZEPHYR_KERNEL_H
#define ZEPHYR_KERNEL_H

#include <stdint.h>

/* Bits of a thread's state. */
enum { _THREAD_DUMMY = 1, _THREAD_PENDING = 2, _THREAD_SLEEPING = 4, _THREAD_DEAD = 8, _THREAD_QUEUED = 128 };

enum { K_IDLE_PRIO = 15 };

struct k_thread {
    struct {
        uint8_t thread_state;
        int8_t prio;
    } base;
    const char *name;
};
typedef struct k_thread *k_tid_t;

k_tid_t k_current_get(void);
const char *k_thread_name_get(k_tid_t thread);
int k_thread_priority_get(k_tid_t thread);

#endif
