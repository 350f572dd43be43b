/* mpt_fprime.h - entries and exits of functions in the form of F-Prime's Va416x0 profiler: 8 bytes an event,
 * in a table in RAM.
 *
 * An event is two little-endian words: bit 31 set on exit and the function's address with its Thumb bit; a
 * 24-bit counter that runs down. As a dump: the table is filled from its begin until it is full or the
 * capture is ended, and then read, by a debugger or by mpt_fprime_take(). As a stream: what is taken makes
 * room while it fills. The newest event is dropped whole where there is no room. A stream then reports it,
 * which the original cannot, by an event that it never has: an exit of 0x7FFFFFFF whose counter is how many
 * are missing.
 *
 * The hooks are mpt_fprime_enter() and mpt_fprime_exit(). In an image without the agent
 * `-finstrument-functions` calls them. Beside the agent, whose hooks have the usual names, use objcopy
 * --redefine-sym for the objects that F-Prime's profiler is to measure (docs/add-fprime.md). */
#ifndef MPT_FPRIME_H
#define MPT_FPRIME_H

#include "mpt_port.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Placement of the table, as in the original: MPT_FPRIME_REGION_START, an address that nothing else uses, and
 * MPT_FPRIME_REGION_SIZE, its bytes. It holds as many events as fit, rounded down to a power of two. Without
 * these, the linker places it, and MPT_FPRIME_EVENTS is the number of events: a power of two, 8 bytes of RAM
 * each. */
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

/* mpt_board.h may define MPT_FPRIME_COUNTER(), which reads a counter that runs down from at most 0xFFFFFF:
 * SysTick's current value, as in the original. Without it, the port's counter is negated and starts at
 * 0xFFFFFF with a capture. */

/* An event in the table. */
struct mpt_fprime_event {
    uint32_t function; /* and MPT_FPRIME_EXIT; 0: never written, and no event is behind it */
    uint32_t counter;
};

#define MPT_FPRIME_EXIT 0x80000000u
/* The counter of such an event is the number of missing ones, MPT_FPRIME_LOST_MOST meaning that or more. All
 * ones: the dump ends. */
#define MPT_FPRIME_LOST      0xFFFFFFFFu
#define MPT_FPRIME_LOST_MOST 0xFFFFFFu

/* The table, for debuggers. The first event of a dump is the first entry. */
#ifdef MPT_FPRIME_REGION_START
#define mpt_fprime_table ((struct mpt_fprime_event *)(uintptr_t)(MPT_FPRIME_REGION_START))
#else
extern struct mpt_fprime_event mpt_fprime_table[MPT_FPRIME_EVENTS];
#endif

/* Begins a capture; discards one that is running. */
void mpt_fprime_enable(bool is_stream);

/* Ends it. A dump then has an end mark if there is room; later events are missing. */
void mpt_fprime_disable(void);

/* Returns true while events are recorded. A dump has ended once its table is full. */
bool mpt_fprime_is_on(void);

/* Returns how many more events find room. */
uint32_t mpt_fprime_room(void);

/* Returns how many events were dropped since the beginning of a stream. */
uint32_t mpt_fprime_dropped(void);

/* Moves whole events, oldest first, to `to`, at most `room` bytes. Returns the number of bytes: 0 when
 * nothing waits, or the dump has not ended. One context may call it. */
size_t mpt_fprime_take(uint8_t *to, size_t room);

/* Does the same with lines of text: `P:` address, phase, counter; all but the phase in hexadecimal. A line
 * has up to MPT_FPRIME_LINE bytes. */
enum { MPT_FPRIME_LINE = 23 };
size_t mpt_fprime_take_text(uint8_t *to, size_t room);

/* A function is entered, or left. Any context may call them. */
MPT_NOT_INSTRUMENTED void mpt_fprime_enter(void *function, void *call_site);
MPT_NOT_INSTRUMENTED void mpt_fprime_exit(void *function, void *call_site);

#ifdef __cplusplus
}
#endif

#endif
