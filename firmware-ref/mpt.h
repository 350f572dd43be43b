/* mpt.h - the MiniProfiler target agent: what an application calls.
 *
 * The agent turns the calls that gcc's -finstrument-functions reports into MiniProfiler packets
 * (protocol/SPEC.md) and answers the host's commands. It allocates nothing, blocks nowhere and keeps one
 * fixed state per program. Hooks may run anywhere, interrupt handlers included; every function below belongs
 * to ONE context, the one that calls mpt_poll().
 *
 * Version 1 reports calls that began and ended while profiling was on. A call that was running when START
 * arrived, a call that is running when STOP arrives and one that never returns (a main loop, a task) are not
 * reported, because a part of what they called is missing and their times would be false. Their callees are
 * reported with true depths: depth 0 is the outermost instrumented function on the task's stack, counted from
 * power-up, whether profiling is on or off. An interrupt handler is one level deeper than what it
 * interrupted. Version 2, which START may request, reports all entries and exits, and interrupts have
 * separate stacks (protocol/SPEC.md section 10). Version 3 reports the sums of the call tree, counted by the
 * hooks (section 12): exact at any rate of calls, however rarely mpt_poll() runs.
 */
#ifndef MPT_H
#define MPT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* SET_CONFIG (protocol command 6) with a payload of five bytes: a key, then its value as u32, little-endian.
 * The answer is ACK, or NACK when the key is unknown, the value is out of range or the payload has another
 * length. */
enum mpt_config_key {
    MPT_CONFIG_PACKET_RECORDS = 1, /* records in a full PROFILE_DATA packet, 1..MPT_PACKET_RECORDS */
    MPT_CONFIG_MIN_DURATION_US =
        2, /* shorter calls are not reported, their time stays with the caller; 0 reports all */
    MPT_CONFIG_MAX_DEPTH = 3, /* calls at this depth and deeper are not reported; 1..MPT_STACK_DEPTH */
    MPT_CONFIG_BAUD = 4,      /* bits per second of the line, where the port can change them (mpt_port.h) */
    /* Windows of version 3 (protocol/SPEC.md section 13). */
    MPT_CONFIG_WINDOW_FUNCTION = 0x10, /* a slow call of it keeps a window; 0: no call does */
    MPT_CONFIG_WINDOW_TICKS = 0x11,    /* a call that takes more ticks is slow */
    MPT_CONFIG_WINDOW_AFTER = 0x12,    /* percentage of the events that follow the trigger */
    MPT_CONFIG_WINDOW = 0x13,          /* keep a window 0: never, 1: at each trigger, 2: at the next one, 3:
                                          now */
    MPT_CONFIG_APPLICATION = 0x80,     /* the application's own keys begin here, see mpt_target.configure */
};

/* The name of an interrupt. */
struct mpt_interrupt_name {
    uint16_t exception; /* its number, on a Cortex-M 15 for SysTick, 16 + n for IRQ n */
    const char *name;   /* up to 24 bytes of UTF-8; NULL ends a list */
};

/* Describes the application. The agent keeps the pointer, so make it static const. */
struct mpt_target {
    uint32_t clock_hz;      /* the processor's clock, for METADATA */
    const char *fw_version; /* for METADATA; 16 characters count, more are cut */
    const void *text;    /* the ELF's .text section in memory: its CRC-32 lets the host notice a wrong ELF */
    uint32_t text_bytes; /* 0: no build id is sent */
    /* Handles SET_CONFIG keys from MPT_CONFIG_APPLICATION up; false is answered with NACK. With NULL all of
     * these are. */
    bool (*configure)(uint8_t key, uint32_t value);
};

/* Call once, when the port works and before the first mpt_poll(). Computes the CRC-32 of .text (about 12
 * instructions a byte) and queues the METADATA packet that reports a start to the host. Profiling is off until
 * a START command or mpt_start(). */
void mpt_init(const struct mpt_target *target);

/* Carries out received commands and sends what is waiting, as far as the port takes it. Call it from the idle
 * or main loop, or from a low-priority context, at least once per 2^31 ticks. Returns true when more is left
 * to send, usually because the port is full: call again when it has sent something. Returns false when only a
 * packet that is not full is left, which is sent after MPT_FLUSH_US, or nothing. */
bool mpt_poll(void);

/* Do the same as the commands START, STOP and RESET_BUFFERS. */
void mpt_start(void);
void mpt_stop(void);
void mpt_reset(void);

bool mpt_is_profiling(void);

/* Returns how many more finished calls fit before one must be dropped. */
uint32_t mpt_room(void);

/* Call this in the wrap interrupt of a counter of less than 32 bits (mpt_port.h), from any context. In
 * version 3 a counter of 32 bits needs it where neither a hook nor mpt_poll() runs within 2^32 ticks; with
 * MPT_TREE_LONGEST, where mpt_poll() does not run within 2^31. */
void mpt_keep_time(void);

/* For an RTOS, where it switches: instrumented code runs on the stack of `task` from now on, 0 to MPT_TASKS -
 * 1 (0 at power-up; greater numbers count as the last one). Does nothing when that task runs already. Any
 * context may call it that no instrumented task can interrupt.
 */
void mpt_context_switch(uint8_t task);

/* Before a switch: the task that is about to be left waits for something, sleeps or has ended. Without this
 * call, the task counts as preempted. Call it where mpt_context_switch() is called; it applies to the next
 * switch. */
void mpt_context_block(void);

/* Where numbers of ended tasks are reused: a new task has this number and has not run yet, so calls of the
 * previous one are over. Any context may call it, before the new task runs. */
void mpt_context_begin(uint8_t task);

/* Names a task, in up to 24 bytes of UTF-8, from when its next events are sent; where numbers are reused,
 * this names the newest task of the number. The string is borrowed until the name is replaced; NULL removes
 * the name. Any context may call it. */
void mpt_context_name(uint8_t task, const char *name);

/* Declares the task that runs when nothing else does. */
void mpt_context_idle(uint8_t task);

/* Names interrupts: a list that ends with a name of NULL, borrowed for ever. */
void mpt_context_interrupts(const struct mpt_interrupt_name *names);

#ifdef __cplusplus
}
#endif

#endif
