/* mpt_window.h - records the newest entries and exits beside the tree, and keeps those around a slow call;
 * not for applications.
 *
 * The ring of version 2 is empty while the tree is on: it holds these events, and the oldest is overwritten.
 * A bit in the ring's head leads the hooks here, so that they cost nothing more while no window is wanted.
 * Here each hook runs with interrupts locked out as a whole, so that recorded events and the tree agree.
 *
 * An entry or exit is recorded as the node that began or ended, whose callers are in the tree. So every event
 * identifies the calls that run, and overwritten events are not needed. A call without a node is recorded as
 * its function. */
#ifndef MPT_WINDOW_H
#define MPT_WINDOW_H

#include "mpt_tree.h"

#if MPT_WINDOWS

/* The word of a node's entry or exit has the node's number, at addresses where no code lies. */
#define MPT_WORD_NODE_EXIT  0xFFFC0000u
#define MPT_WORD_NODE_ENTER 0xFFFD0000u
#define MPT_WORD_NODE_END   0xFFFE0000u

enum mpt_window_state {
    MPT_WINDOW_OFF,       /* hooks do not run here */
    MPT_WINDOW_KEEPING,   /* recording, until a trigger */
    MPT_WINDOW_TRIGGERED, /* `left` more events */
    MPT_WINDOW_KEPT,      /* nothing is recorded; the events wait for mpt_poll(), or are being sent */
};

struct mpt_window {
    /* Settings: keys 0x10 to 0x13. */
    uint32_t function; /* without the bits that are 0 in all functions' addresses; 0: none triggers */
    uint32_t ticks;
    int8_t after_half; /* percent minus 50 */
    uint8_t mode;      /* 0: off, 1: at each trigger, 2: at the next one */

    volatile uint8_t state;
    uint8_t first_task; /* task that ran at the oldest event */
    uint16_t first_exception;
    uint16_t exception; /* of the newest event */
    uint32_t first;     /* number of the oldest event */
    uint32_t end;       /* one past the newest; event i lies at i % MPT_RING_EVENTS, its time is widened */
    int32_t left;
    uint8_t why; /* MP_WINDOW_... */
    uint32_t slow_function;
    uint32_t took;                          /* ticks */
    uint32_t triggered;                     /* time of the trigger */
    uint32_t missed;                        /* triggers missed before that */
    uint32_t missed_since;                  /* triggers missed since then */
    uint32_t missed_before;                 /* triggers missed since START, up to the newest window */
    bool is_sending;                        /* mpt_poll() has begun to */
    bool is_new[MPT_TASKS];                 /* another task has that number, and has not run yet */
    bool is_in_call[MPT_TREE_CONTEXTS];     /* an outermost call of the function has begun */
    uint32_t call_began[MPT_TREE_CONTEXTS]; /* when it began */
};

extern struct mpt_window mpt_window;

MPT_NOT_INSTRUMENTED static inline struct mpt_event *mpt_window_event(uint32_t number)
{
    return &mpt_ring.at[number % MPT_RING_EVENTS];
}

/* Replace mpt_tree_enter_unusual() and mpt_tree_exit_unusual() while a window is wanted, and use these. */
MPT_NOT_INSTRUMENTED void mpt_window_enter(uint32_t function, uint32_t stack);
MPT_NOT_INSTRUMENTED void mpt_window_exit(uint32_t function, uint32_t stack);

/* Record that a task runs (`word` is as in the ring), and that another task has a number. */
MPT_NOT_INSTRUMENTED void mpt_window_switch(uint32_t word);
MPT_NOT_INSTRUMENTED void mpt_window_begin(uint8_t task);

/* The trigger's own event is always in its window. */
#define MPT_WINDOW_MOST_AFTER ((int32_t)MPT_RING_EVENTS - 2)

/* These run with interrupts locked out. Record an event while events are kept; one of a call is recorded with
 * the exception in which it runs. */
MPT_NOT_INSTRUMENTED uint32_t mpt_window_now(void);
MPT_NOT_INSTRUMENTED void mpt_window_record(uint32_t ticks, uint32_t word);

/* Keeps the window after `left` more events. Returns false when another window is in the making; then this
 * trigger is missed. */
MPT_NOT_INSTRUMENTED bool mpt_window_trigger(uint8_t why, uint32_t function, uint32_t took, uint32_t ticks,
                                             int32_t left);
MPT_NOT_INSTRUMENTED int32_t mpt_window_events_after(void);

/* The tree was switched on; the tree is about to be switched off, and a kept window is not sent. Interrupts
 * are locked out. */
void mpt_window_open(void);
void mpt_window_close(void);

/* For mpt_poll(): begins windows when they are wanted, and ends them when nothing happens any more. Returns
 * true while one is to be sent. */
bool mpt_window_is_kept(void);

/* The window is sent completely. */
void mpt_window_is_sent(void);

/* Handles SET_CONFIG. Returns false when the key is not one of windows, or the value is not valid. */
bool mpt_window_configure(uint8_t key, uint32_t value);

enum { MPT_WINDOW_SETTINGS = 4 };

/* Writes the settings for the DESCRIPTION; returns the number of bytes. */
uint32_t mpt_window_describe(uint8_t *out);

/* Writes packets of windows and of the tree, alternately. Returns the payload's size, 0 when nothing is
 * due. */
uint16_t mpt_window_fill(uint8_t *payload, bool *closes);

/* Returns true while a window is recorded or sent, which needs the numbers of nodes. */
MPT_NOT_INSTRUMENTED static inline bool mpt_window_is_on(void)
{
    return mpt_window.state != MPT_WINDOW_OFF;
}

#else

enum { MPT_WINDOW_SETTINGS = 0 };

#define mpt_window_is_on() false

#endif
#endif
