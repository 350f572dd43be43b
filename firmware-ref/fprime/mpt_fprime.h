/* mpt_fprime.h - entries and exits of functions as F-Prime's Va416x0 profiler has them: 8 bytes an event, in
 * a table in RAM.
 *
 * An event is two little-endian words: bit 31 set on exit and the function's address with its Thumb bit; a
 * 24-bit counter that runs down. As a dump: the table is filled from its begin until it is full or the
 * capture is ended, and then read, by a debugger or by mpt_fprime_take(). As a stream: what is taken makes
 * room while it fills. The newest event is dropped whole where there is no room. A stream then tells it,
 * which the original cannot, by an event that it never has: an exit of 0x7FFFFFFF whose counter is how many
 * are missing.
 *
 * The hooks are mpt_fprime_enter() and mpt_fprime_exit(), and `-finstrument-functions` calls them where the
 * image has no agent. Beside the agent, whose hooks have these names, objects whose functions F-Prime's
 * profiler is to see are changed with objcopy --redefine-sym (docs/add-fprime.md). */
#ifndef MPT_FPRIME_H
#define MPT_FPRIME_H

#include "mpt_port.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the table lies, as the original has it: MPT_FPRIME_REGION_START, an address that nothing else uses,
 * and MPT_FPRIME_REGION_SIZE, its bytes. It holds as many events as find room there, rounded down to a power
 * of two. Without, the linker places it, and MPT_FPRIME_EVENTS says how many events it holds: a power of two,
 * 8 bytes of RAM each. */
#ifdef MPT_FPRIME_REGION_START
#ifndef MPT_FPRIME_REGION_SIZE
#error "MPT_FPRIME_REGION_START needs MPT_FPRIME_REGION_SIZE, in bytes"
#endif
#if MPT_FPRIME_REGION_SIZE < 32 || MPT_FPRIME_REGION_START % 4 != 0
#error "the region has room for 4 events at least, and begins at a multiple of 4"
#endif
#undef MPT_FPRIME_EVENTS
#define MPT_FPRIME_EVENTS (1u << (31 - __builtin_clz((MPT_FPRIME_REGION_SIZE) / 8u)))
#else
#ifndef MPT_FPRIME_EVENTS
#define MPT_FPRIME_EVENTS 512
#endif
#if MPT_FPRIME_EVENTS < 4 || (MPT_FPRIME_EVENTS & (MPT_FPRIME_EVENTS - 1)) != 0
#error "MPT_FPRIME_EVENTS must be a power of two, 4 or more"
#endif
#endif

/* mpt_board.h may define MPT_FPRIME_COUNTER(), which reads a counter that runs down and is not above
 * 0xFFFFFF: SysTick's current value, as in the original. Without, the port's counter is turned round and
 * starts at 0xFFFFFF when a capture does. */

/* What an event is in the table. */
struct mpt_fprime_event {
    uint32_t function; /* and MPT_FPRIME_EXIT; 0: never written, and no event is behind it */
    uint32_t counter;
};

#define MPT_FPRIME_EXIT 0x80000000u
/* Of such an event the counter is how many are missing, MPT_FPRIME_LOST_MOST or more at the most; all ones:
 * the dump ends. */
#define MPT_FPRIME_LOST      0xFFFFFFFFu
#define MPT_FPRIME_LOST_MOST 0xFFFFFFu

/* The table, for debuggers: of a dump, its first event is the first one. */
#ifdef MPT_FPRIME_REGION_START
#define mpt_fprime_table ((struct mpt_fprime_event *)(uintptr_t)(MPT_FPRIME_REGION_START))
#else
extern struct mpt_fprime_event mpt_fprime_table[MPT_FPRIME_EVENTS];
#endif

/* Begins a capture; one that goes on is given up. */
void mpt_fprime_enable(bool is_stream);

/* Ends it. A dump has an end mark then, if there is room; what it has not is what comes after that. */
void mpt_fprime_disable(void);

/* True when events are recorded. A dump has ended once its table is full. */
bool mpt_fprime_is_on(void);

/* How many more events find room. */
uint32_t mpt_fprime_room(void);

/* How many events were dropped since the begin of a stream. */
uint32_t mpt_fprime_dropped(void);

/* Moves whole events, oldest first, to `to`, `room` bytes at the most; returns bytes, 0: nothing waits, or
 * the dump has not ended. One context may call it. */
size_t mpt_fprime_take(uint8_t *to, size_t room);

/* The same as lines of text: `P:` address, phase, counter, the numbers but the phase in hexadecimal. A line
 * has up to MPT_FPRIME_LINE bytes. */
enum { MPT_FPRIME_LINE = 23 };
size_t mpt_fprime_take_text(uint8_t *to, size_t room);

/* Function is entered, or left. Any context. */
MPT_NOT_INSTRUMENTED void mpt_fprime_enter(void *function, void *call_site);
MPT_NOT_INSTRUMENTED void mpt_fprime_exit(void *function, void *call_site);

#ifdef __cplusplus
}
#endif

#endif
