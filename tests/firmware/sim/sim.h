/* sim.h - the host's side of the simulated board: sends commands to the agent, and receives its packets. */
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

/* The packets that the agent sent, read by the host's reader. */
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
    bool has_triggers; /* the newest STATUS has missed triggers */
    uint32_t triggers_missed;
    bool has_cores; /* the newest STATUS has hooks of other cores */
    uint32_t other_core_hooks;
    size_t n_closings;       /* number of closing packets */
    size_t last_closing;     /* index of the newest one */
    uint8_t closing_version; /* its version */
    uint64_t damaged;        /* damaged bytes and packets; 0 in every test */
};

/* Starts an agent with `target`, or a plain one for NULL, and drops its first METADATA. Room to send is
 * unlimited. */
void sim_start(const struct mpt_target *target);

void sim_command(uint8_t code);

/* Sends GET_STATUS with a request for missed triggers. */
void sim_ask_triggers(void);

/* Sends GET_STATUS with a request for hooks of other cores. */
void sim_ask_cores(void);
void sim_start_version(uint8_t version);

/* Sends STOP with a request for a closing packet. */
void sim_stop(void);

/* The host's reader of version 2, which keeps its state between calls of sim_hear(). */
extern struct mp_pairs sim_pairs;

/* Set by a test of an agent that reports losses only by the numbers of its packets. */
extern bool sim_may_lose;

/* Sends START of that version, with that byte of flags. */
void sim_start_flags(uint8_t version, uint8_t flags);

/* Sends DESCRIBE; returns the target's number of its start and of its run. */
struct mp_description_run sim_describe_run(void);

/* Starts version 3, in its flat form or not; sim_tree is the host's reader. */
void sim_start_tree(bool is_flat);
extern struct mp_tree_table sim_tree;
void sim_config(uint8_t key, uint32_t value);
void sim_receive(const uint8_t *bytes, size_t n);

/* Polls until the agent has sent everything due, and reads it. The result is valid until the next call. */
const struct heard *sim_hear(void);

/* Returns the type of the only packet sent, the answer; other packets fail the test. */
uint8_t sim_answer(void);

/* The bytes sent since the last sim_hear. */
const uint8_t *sim_sent(size_t *n);

/* Polls this many times, with a port that accepts up to three bytes each time; checks that the agent sends no more. */
struct test_random;
void sim_poll_slowly(struct test_random *random, int polls);

/* Instrumented code: functions are numbers. */
void sim_enter(uint32_t function);
void sim_exit(uint32_t function);
void sim_pass_us(uint64_t us);

#endif
