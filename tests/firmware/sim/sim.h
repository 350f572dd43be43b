/* sim.h - the far side of the simulated board: what a test sends to the agent, and receives from it. */
#ifndef FIRMWARE_SIM_H
#define FIRMWARE_SIM_H

#include "mpt.h"
#include "mpt_config.h"
#include "mpt_port.h"
#include "protocol/call_pairs.h"
#include "protocol/description.h"
#include "protocol/packet.h"
#include "protocol/tree_table.h"

void __cyg_profile_func_enter(void *this_fn, void *call_site);
void __cyg_profile_func_exit(void *this_fn, void *call_site);

enum {
    SIM_RECORDS = 4096,
    SIM_PACKETS = 4096,
    SIM_CONTEXTS = 8,
    SIM_DEPTH = 64,
    SIM_SWITCHES = 4096,
    SIM_NAMES = 256,
    SIM_NODES = 2000,
    SIM_IMPOSSIBLE_BAUD = 1234567,
};

/* Everything that the agent has sent so far, read by the host's own reader. */
struct heard {
    size_t n_packets;
    uint8_t types[SIM_PACKETS];
    uint16_t counts[SIM_PACKETS]; /* records in each packet */
    size_t n_records;
    struct mp_record records[SIM_RECORDS];
    size_t n_pairs; /* calls of version 2 */
    struct mp_pair pairs[SIM_RECORDS];
    size_t n_switches;
    struct {
        uint32_t time, context;
        bool is_blocked;
    } switches[SIM_SWITCHES]; /* of contexts, as version 2 sends them */
    size_t n_names;
    struct {
        uint32_t context;
        bool is_idle;
        char name[MP_COMPACT_NAME_MAX + 1];
    } names[SIM_NAMES];
    uint8_t description[400];
    size_t description_size;
    struct mp_metadata metadata;
    struct mp_status status;
    bool has_triggers; /* the newest STATUS has these */
    uint32_t triggers_missed;
    bool has_cores; /* it has this, too */
    uint32_t other_core_hooks;
    size_t n_closings;       /* packets that say that all was sent, */
    size_t last_closing;     /* the newest of them, as an index, */
    uint8_t closing_version; /* and of which version it is */
    uint64_t damaged;        /* bytes and packets that were not right; 0 in every test */
};

/* An agent with `target`, or a plain one for NULL, whose METADATA has been received and forgotten; unlimited
 * room to send. */
void sim_start(const struct mpt_target *target);

void sim_command(uint8_t code);

/* GET_STATUS that asks for missed triggers, too. */
void sim_ask_triggers(void);

/* GET_STATUS that asks for hooks of other cores. */
void sim_ask_cores(void);
void sim_start_version(uint8_t version);

/* STOP that asks for a closing packet. */
void sim_stop(void);

/* The host's end of version 2, which goes on from one sim_hear to the next. */
extern struct mp_pairs sim_pairs;

/* Set by a test of an agent that reports what it has lost by the numbers of its packets alone. */
extern bool sim_may_lose;

/* START of that version, with that byte of flags. */
void sim_start_flags(uint8_t version, uint8_t flags);

/* What the target says when it is asked to describe itself: which start and which run it is. */
struct mp_description_run sim_describe_run(void);

/* Version 3, in its flat form or not; its host's end. */
void sim_start_tree(bool is_flat);
extern struct mp_tree_table sim_tree;
void sim_config(uint8_t key, uint32_t value);
void sim_receive(const uint8_t *bytes, size_t n);

/* Lets the agent send all it wants to, and reads it. The result is good until the next call. */
const struct heard *sim_hear(void);

/* The one packet that answers: its type; anything else fails the test. */
uint8_t sim_answer(void);

/* The bytes sent since the last sim_hear. */
const uint8_t *sim_sent(size_t *n);

/* Polls this many times, with a port that takes up to three bytes each time: the agent sends no more. */
struct test_random;
void sim_poll_slowly(struct test_random *random, int polls);

/* Instrumented code: functions are numbers. */
void sim_enter(uint32_t function);
void sim_exit(uint32_t function);
void sim_pass_us(uint64_t us);

#endif
