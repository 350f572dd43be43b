/* mpt_window.h - the newest entries and exits beside the tree, and when those around a slow call are kept;
 * not for applications.
 *
 * The ring of version 2 is empty as long as the tree is on: it holds these events, and the oldest is
 * overwritten. A bit in the ring's head leads the hooks here, so that they cost nothing more where no window
 * is wanted. Here each hook runs with interrupts locked out as a whole: what is recorded and what the tree
 * says are one.
 *
 * An entry or exit is recorded as the node that began or ended, whose callers the tree knows: so every event
 * says which calls ran, and nothing need be remembered of the events that were overwritten. A call without a
 * node is recorded as its function. */
#ifndef MPT_WINDOW_H
#define MPT_WINDOW_H

#include "mpt_tree.h"

#if MPT_WINDOWS

/* A word that is a node's entry or exit: with its number, at addresses where no code lies. */
#define MPT_WORD_NODE_EXIT  0xFFFC0000u
#define MPT_WORD_NODE_ENTER 0xFFFD0000u
#define MPT_WORD_NODE_END   0xFFFE0000u

enum mpt_window_state {
    MPT_WINDOW_OFF,       /* hooks do not come here */
    MPT_WINDOW_KEEPING,   /* until a trigger comes */
    MPT_WINDOW_TRIGGERED, /* `left` more events */
    MPT_WINDOW_KEPT,      /* nothing is recorded; what there is waits for mpt_poll(), or is being sent */
};

struct mpt_window {
    /* Settings: keys 0x10 to 0x13. */
    uint32_t function; /* without the bits that no function's address has; 0: none triggers */
    uint32_t ticks;
    int8_t after_half; /* percent less 50 */
    uint8_t mode;      /* 0: none is wanted, 1: at each trigger, 2: at the next one */

    volatile uint8_t state;
    uint8_t first_task; /* what ran when the first event was recorded that is there */
    uint16_t first_exception;
    uint16_t exception; /* of the newest event */
    uint32_t first;     /* number of the oldest event that is there */
    uint32_t end;       /* one past the newest; event i lies at i % MPT_RING_EVENTS, its time is widened */
    int32_t left;
    uint8_t why; /* MP_WINDOW_... */
    uint32_t slow_function;
    uint32_t took;                          /* ticks */
    uint32_t triggered;                     /* when */
    uint32_t missed;                        /* before that */
    uint32_t missed_since;                  /* since then */
    uint32_t missed_before;                 /* since START, up to the newest window */
    bool is_sending;                        /* mpt_poll() has begun to */
    bool is_new[MPT_TASKS];                 /* another task has that number, and has not run yet */
    bool is_in_call[MPT_TREE_CONTEXTS];     /* an outermost call of the function was seen to begin */
    uint32_t call_began[MPT_TREE_CONTEXTS]; /* when */
};

extern struct mpt_window mpt_window;

MPT_NOT_INSTRUMENTED static inline struct mpt_event *mpt_window_event(uint32_t number)
{
    return &mpt_ring.at[number % MPT_RING_EVENTS];
}

/* mpt_tree_enter_unusual and mpt_tree_exit_unusual while a window is wanted; they use these. */
MPT_NOT_INSTRUMENTED void mpt_window_enter(uint32_t function, uint32_t stack);
MPT_NOT_INSTRUMENTED void mpt_window_exit(uint32_t function, uint32_t stack);

/* A task runs: `word` is as the ring takes it. Another one has that number. */
MPT_NOT_INSTRUMENTED void mpt_window_switch(uint32_t word);
MPT_NOT_INSTRUMENTED void mpt_window_begin(uint8_t task);

/* The trigger's own event is in its window. */
#define MPT_WINDOW_MOST_AFTER ((int32_t)MPT_RING_EVENTS - 2)

/* These with interrupts locked out. An event, as long as events are kept; one of a call with the exception in
 * which it is. */
MPT_NOT_INSTRUMENTED uint32_t mpt_window_now(void);
MPT_NOT_INSTRUMENTED void mpt_window_record(uint32_t ticks, uint32_t word);

/* `left` more events, and the window is kept. False: another one is in the making, and this one is missed. */
MPT_NOT_INSTRUMENTED bool mpt_window_trigger(uint8_t why, uint32_t function, uint32_t took, uint32_t ticks,
                                             int32_t left);
MPT_NOT_INSTRUMENTED int32_t mpt_window_events_after(void);

/* The tree is on; it is about to be off, and what was kept is not sent. Interrupts are locked out. */
void mpt_window_open(void);
void mpt_window_close(void);

/* What mpt_poll() is for: windows begin when they are wanted, and end when nothing happens any more. True
 * while one is to be sent. */
bool mpt_window_is_kept(void);

/* All of it is sent. */
void mpt_window_is_sent(void);

/* SET_CONFIG; false: not a key of windows, or a value that makes no sense. */
bool mpt_window_configure(uint8_t key, uint32_t value);

enum { MPT_WINDOW_SETTINGS = 4 };

/* These for the DESCRIPTION: how many bytes it wrote. */
uint32_t mpt_window_describe(uint8_t *out);

/* Packets of windows and of the tree, in turns: the payload's size, 0 when nothing is due. */
uint16_t mpt_window_fill(uint8_t *payload, bool *closes);

/* True when one is kept or sent: it knows calls by the numbers of their nodes. */
MPT_NOT_INSTRUMENTED static inline bool mpt_window_is_on(void)
{
    return mpt_window.state != MPT_WINDOW_OFF;
}

#else

enum { MPT_WINDOW_SETTINGS = 0 };

#define mpt_window_is_on() false

#endif
#endif
