/* compact_program.h - random programs of tasks and interrupts, on a target that sends them in the compact
 * stream and sometimes drops events; with the truth about them. */
#ifndef TESTS_SUPPORT_COMPACT_PROGRAM_H
#define TESTS_SUPPORT_COMPACT_PROGRAM_H

#include "protocol/call_pairs.h"
#include "protocol/compact_writer.h"
#include "support/random.h"

enum {
    PROGRAM_CONTEXTS = 7, /* tasks 0, 1, 2; interrupts 1 to 4 as contexts 3, 5, 7, 9 */
    PROGRAM_DEEPEST = 24,
    PROGRAM_FUNCTIONS = 9,
    PROGRAM_STEPS = 1200,
    PROGRAM_PACKETS = 3000,
    PROGRAM_PAYLOAD = 200,
};

/* A call that ended. One ended by longjmp sent no exit: it ended between `end`, the last event of its
 * context, and `latest_end`, when the call that it jumped to ended. */
struct program_call {
    uint32_t function, start, end, latest_end, context;
    bool is_jumped;
};

/* One program, and what its target knows about it. */
struct program {
    struct test_random random;
    bool may_jump, has_gaps, has_tasks, is_window;
    uint32_t running;                   /* index of the context */
    uint32_t waiting[PROGRAM_CONTEXTS]; /* interrupted contexts */
    uint32_t n_waiting;
    struct {
        uint32_t function[PROGRAM_DEEPEST], start[PROGRAM_DEEPEST], n;
        uint32_t newest; /* time of an event */
    } stack[PROGRAM_CONTEXTS];
    struct program_call *by_start[3 * PROGRAM_STEPS]; /* times are unique */
    struct program_call calls[PROGRAM_STEPS];
    uint32_t n_calls, n_jumped, events, base;
    bool calls_from[PROGRAM_FUNCTIONS + 1]
                   [PROGRAM_FUNCTIONS + 1]; /* [caller][callee]: there was such a call */
    /* the target */
    uint32_t time, told_number;
    struct mp_call_stack known[PROGRAM_CONTEXTS];
    uint32_t known_functions[PROGRAM_CONTEXTS][PROGRAM_DEEPEST],
        known_start[PROGRAM_CONTEXTS][PROGRAM_DEEPEST];
    bool is_frozen;
    uint32_t lost;
    struct {
        int32_t net, lowest;
        uint32_t sum;
    } gap[PROGRAM_CONTEXTS];
    /* the line */
    struct mp_compact_writer writer;
    bool is_open;
    uint8_t payload[PROGRAM_PAYLOAD + MP_COMPACT_TOKEN_MAX];
    struct {
        uint16_t size;
        uint8_t payload[PROGRAM_PAYLOAD];
    } packets[PROGRAM_PACKETS];
    uint32_t n_packets;
};

/* The newest program. */
extern struct program program;

/* Runs the program of that seed to its end. */
void program_run(uint64_t seed);

/* As program_run(), but packets have the address base + n for function n. */
void program_run_at(uint64_t seed, uint32_t base);

/* Calls `send` with the numbers of the program's packets, as over a bad line: one in `one_in` is lost, except the
 * last, and after one in `one_in` this packet or an older one is repeated. */
void program_send_lossy(uint32_t one_in, void (*send)(uint32_t packet));

/* Opens a reader of the program's packets, whose `call` and `loss` are set, with room for `room` contexts,
 * at most PROGRAM_CONTEXTS. Only one can be open. */
void program_open_host(struct mp_pairs *host, uint32_t room);

/* A random number below `limit`, from the program's generator. */
uint32_t program_below(uint32_t limit);

/* The call that began at that time; NULL when none did, or it has not ended. */
const struct program_call *program_call_at(uint64_t start);

/* The number of programs that a test tries: 300, or TEST_PROGRAMS. */
uint64_t programs_wanted(void);

#endif
