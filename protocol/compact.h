/* compact.h - what writer and reader of the compact stream share: its tokens, and what both remember of a
 * packet (SPEC.md section 10).
 *
 * Both ends keep the same state, moved by the same tokens, and start it again with every packet: so each
 * packet can be read alone. */
#ifndef PROTOCOL_COMPACT_H
#define PROTOCOL_COMPACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MP_COMPACT_HEAD = 12, /* with context and depth below 128, of at most */
    MP_COMPACT_HEAD_MAX = 20,
    MP_COMPACT_SLOTS = 64,     /* functions that a packet may name in one byte, at the most */
    MP_COMPACT_CALLS = 32,     /* running calls that began in the packet, as far as they are remembered */
    MP_COMPACT_LEVELS = 4,     /* contexts that wait for the one that runs, as far as they are remembered */
    MP_COMPACT_NAME_MAX = 24,  /* bytes of a context's name */
    MP_COMPACT_TOKEN_MAX = 28, /* of all tokens but a name's */
};

/* The first byte of a token. */
enum mp_compact_token {
    MP_TOKEN_PREDICTED = 0x00,      /* + the time, up to 0x77 */
    MP_TOKEN_PREDICTED_LONG = 0x78, /* + three bits of the time, one byte follows */
    MP_TOKEN_PREDICTED_LATE = 0x7F, /* the time follows */
    MP_TOKEN_ENTER = 0x80,          /* + slot, up to 0xBF */
    MP_TOKEN_ENTER_NEW = 0xC0,
    MP_TOKEN_EXIT = 0xC1,
    MP_TOKEN_EXIT_OTHER = 0xC2,
    MP_TOKEN_EXIT_NEW = 0xC3,
    MP_TOKEN_CONTEXT = 0xC4,
    MP_TOKEN_GAP = 0xC5,
    MP_TOKEN_CLOCK = 0xC6,
    MP_TOKEN_OPEN = 0xC7,
    MP_TOKEN_CONTEXT_BLOCKED = 0xC8,
    MP_TOKEN_NAME = 0xC9,
    MP_TOKEN_WINDOW = 0xCA,
    MP_TOKEN_WINDOW_END = 0xCB,
    MP_TOKEN_PADDING = 0xFF,
};

enum {
    MP_COMPACT_SHORT = 0x78,                           /* times below fit the token that is predicted */
    MP_COMPACT_LONG = MP_COMPACT_SHORT + 7 * 256,      /* and these with one byte more */
    MP_COMPACT_TIME_1 = 224,                           /* times below take one byte after other tokens */
    MP_COMPACT_TIME_2 = MP_COMPACT_TIME_1 + 31 * 256u, /* and these two */
    MP_COMPACT_TIME_LATE = 0xFF,
};

/* `number` of a packet: the run in the upper bits, below it the number of its first event. */
#define MP_COMPACT_EVENTS 0x0FFFFFFFu

/* Contexts on the wire: a task, or an interrupt. */
#define MP_CONTEXT_TASK(number)          (2u * (number))
#define MP_CONTEXT_INTERRUPT(number)     (2u * (number) + 1u)
#define MP_CONTEXT_IS_INTERRUPT(context) ((context)&1u)

/* The byte of MP_TOKEN_NAME. */
#define MP_NAME_IDLE 1u

/* In byte 1 of a packet: it is of a window (section 13). */
#define MP_COMPACT_IN_WINDOW 4u

/* In byte 1 of a packet: with it all events of the run have been sent (section 10.8). */
#define MP_COMPACT_CLOSES 8u

/* Why a window was kept, the byte of MP_TOKEN_WINDOW; a host may meet others. */
enum { MP_WINDOW_ASKED = 0, MP_WINDOW_SLOW_CALL = 1 };

/* Predictions and slots. */
enum {
    MP_COMPACT_NONE = 0xFF, /* `last`: nothing can be predicted */
    MP_COMPACT_EXITS = 0xFF /* a prediction: the innermost call ends */
};

struct mp_compact_level {
    uint32_t context;
    uint8_t base;
    uint8_t last;
};

/* What is remembered of the packet so far. */
struct mp_compact_state {
    uint32_t time;
    uint32_t told; /* the function sent last as an address */
    uint32_t context;
    uint8_t slots;  /* that this packet uses, a power of two */
    uint8_t used;   /* that hold a function */
    uint8_t oldest; /* the next one to be used again */
    uint8_t last;   /* the newest event: 2 * slot, + 1 for an exit */
    uint8_t known;  /* running calls */
    uint8_t base;   /* of these, those of other contexts, below */
    uint8_t levels;
    struct mp_compact_level level[MP_COMPACT_LEVELS];
    uint8_t call[MP_COMPACT_CALLS];          /* slots */
    uint8_t next[2 * MP_COMPACT_SLOTS];      /* after that event: a slot's entry, or MP_COMPACT_EXITS */
    uint32_t function[MP_COMPACT_SLOTS + 1]; /* and one that ends a search */
};

void mp_compact_state_begin(struct mp_compact_state *state, uint8_t slots, uint32_t time, uint32_t context);

/* The slot of a function, or MP_COMPACT_SLOTS when it has none. */
uint32_t mp_compact_find(struct mp_compact_state *state, uint32_t function);

/* Gives it one; calls that are remembered under a slot that is used again, and those below, are not from then
 * on. */
uint8_t mp_compact_add(struct mp_compact_state *state, uint32_t function);

/* A call of the function in that slot begins. */
void mp_compact_push(struct mp_compact_state *state, uint8_t slot);

/* One ends that is not the innermost known one: forgets those above it, or all of this context's. */
void mp_compact_unwind(struct mp_compact_state *state, uint32_t function);

/* Another context runs. */
void mp_compact_switch(struct mp_compact_state *state, uint32_t context);

#endif
