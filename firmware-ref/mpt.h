/* mpt.h - the MiniProfiler target agent: what an application calls.
 *
 * The agent turns the calls that gcc's -finstrument-functions announces into MiniProfiler packets
 * (protocol/SPEC.md) and answers the host's commands. It allocates nothing, blocks nowhere and keeps one
 * fixed state per program. Hooks may run anywhere, interrupt handlers included; every function below belongs
 * to ONE context, the one that calls mpt_poll().
 *
 * What is reported in version 1: calls that began and ended while profiling was on. A call that was running
 * when START arrived, a call that is running when STOP arrives and one that never returns (a main loop, a
 * task) are not reported, because a part of what they called is missing and their times would say something
 * false. Their callees carry true depths all the same: depth 0 is the outermost instrumented function on the
 * task's stack, counted from power-up, whether profiling is on or off. An interrupt handler is one level
 * deeper than what it interrupted. In version 2, which START may ask for, it is all entries and exits, and
 * interrupts have stacks of their own (protocol/SPEC.md section 10). In version 3 it is the sums of the call
 * tree, counted by the hooks (section 12): exact, however many calls there are and however seldom one polls.
 */
#ifndef MPT_H
#define MPT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* SET_CONFIG (protocol command 6) with a payload of five bytes: a key, then its value as u32, little-endian.
 * Answered with ACK, or with NACK when the key is unknown, the value out of range or the payload of another
 * length. */
enum mpt_config_key {
    MPT_CONFIG_PACKET_RECORDS = 1, /* records in a full PROFILE_DATA packet, 1..255 */
    MPT_CONFIG_MIN_DURATION_US =
        2, /* shorter calls are not reported, their time stays with the caller; 0 reports all */
    MPT_CONFIG_MAX_DEPTH = 3, /* calls at this depth and deeper are not reported; 1..MPT_STACK_DEPTH */
    MPT_CONFIG_BAUD = 4,      /* bits per second of the line, where the port can change them (mpt_port.h) */
    /* Windows of version 3 (protocol/SPEC.md section 13). */
    MPT_CONFIG_WINDOW_FUNCTION = 0x10, /* a call of it that is slow keeps one; 0: none does */
    MPT_CONFIG_WINDOW_TICKS = 0x11,    /* longer than that many ticks is slow */
    MPT_CONFIG_WINDOW_AFTER = 0x12,    /* as many of the events come after the trigger, percent */
    MPT_CONFIG_WINDOW = 0x13,          /* 0: none, 1: at each trigger, 2: at the next one, 3: now */
    MPT_CONFIG_APPLICATION = 0x80, /* from here on: the application's own keys, see mpt_target.configure */
};

/* What an interrupt is called. */
struct mpt_interrupt_name {
    uint16_t exception; /* its number, on a Cortex-M 15 for SysTick, 16 + n for IRQ n */
    const char *name;   /* up to 24 bytes of UTF-8; NULL ends a list */
};

/* What the application tells about itself. Borrowed: must outlive the agent, so make it static const. */
struct mpt_target {
    uint32_t clock_hz;      /* the processor's clock, for METADATA */
    const char *fw_version; /* for METADATA; 16 characters count, more are cut */
    const void *text;       /* the ELF's .text section in memory: its CRC-32 lets the host tell a wrong ELF */
    uint32_t text_bytes;    /* 0: no build id is sent */
    /* Takes SET_CONFIG keys from MPT_CONFIG_APPLICATION up, false answers NACK. NULL: they are all NACKed. */
    bool (*configure)(uint8_t key, uint32_t value);
};

/* Call once, when the port works and before the first mpt_poll(). Computes the CRC-32 of .text (about 12
 * instructions a byte) and queues the METADATA packet that tells the host of a start. Profiling is off until
 * a START command or mpt_start(). */
void mpt_init(const struct mpt_target *target);

/* Carries out received commands and sends what is waiting, as far as the port takes it. Call it from the idle
 * or main loop, or from a low-priority context, at least once per 2^31 ticks. False: nothing is left to send
 * but, perhaps, a packet that still fills (it goes after MPT_FLUSH_US). True: more is left, as a rule because
 * the port is full; call again when it has sent something. */
bool mpt_poll(void);

/* What the commands START, STOP and RESET_BUFFERS do. */
void mpt_start(void);
void mpt_stop(void);
void mpt_reset(void);

bool mpt_is_profiling(void);

/* How many more finished calls fit before one must be dropped. */
uint32_t mpt_room(void);

/* For the wrap interrupt of a counter of less than 32 bits (mpt_port.h). Any context may call it. With one of
 * 32 bits it is needed where neither a hook nor mpt_poll() comes within 2^32 ticks, and only in version 3;
 * with MPT_TREE_LONGEST where mpt_poll() does not come within 2^31. */
void mpt_keep_time(void);

/* For an RTOS, where it switches: instrumented code runs on the stack of `task` from now on, 0 to MPT_TASKS -
 * 1 (0 at power-up; more are the last one). Nothing when it runs already. Any context may call it that no
 * instrumented task can interrupt.
 */
void mpt_context_switch(uint8_t task);

/* Before a switch: the task that is about to be left waits for something, sleeps or has ended. Without it,
 * the task is taken for one that was preempted. Called where mpt_context_switch() is, and holds for the next
 * one. */
void mpt_context_block(void);

/* Where numbers of tasks that have ended are given out again: the one of this number has not run yet, so
 * calls of the one before it are over. Any context may call it, before the new task runs. */
void mpt_context_begin(uint8_t task);

/* What a task is called, in up to 24 bytes of UTF-8, from when its next events are sent; where numbers are
 * given out again, the task of the number from then on. The string is borrowed for as long as the name is not
 * replaced; NULL: it has none. Any context may call it. */
void mpt_context_name(uint8_t task, const char *name);

/* That task runs when nothing else does. */
void mpt_context_idle(uint8_t task);

/* What interrupts are called: a list that a name of NULL ends, borrowed for ever. */
void mpt_context_interrupts(const struct mpt_interrupt_name *names);

#ifdef __cplusplus
}
#endif

#endif
