/* sim.c - the simulated board. */
#include "sim.h"

#include "protocol/frame_reader.h"
#include "support/random.h"
#include "support/stream.h"

#include <criterion/criterion.h>

struct sim sim = {.tx_room = SIZE_MAX};

static struct stream rx, tx;
static size_t rx_at;
static struct heard heard;

/* Interrupts do not nest. */
void sim_interrupt(void)
{
    static bool is_running;

    if (!sim.interrupt || is_running)
        return;
    is_running = true;
    sim.interrupt();
    is_running = false;
}

size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    size_t taken = n < sim.tx_room ? n : sim.tx_room;

    stream_bytes(&tx, bytes, taken);
    if (sim.tx_room != SIZE_MAX)
        sim.tx_room -= taken;
    return taken;
}

size_t mpt_port_read(uint8_t *bytes, size_t n)
{
    size_t got = 0;

    while (got < n && rx_at < rx.n)
        bytes[got++] = rx.bytes[rx_at++];
    if (rx_at == rx.n) { /* a case that frees all its memory ends sooner (support/plain/criterion.c) */
        stream_fini(&rx);
        rx_at = 0;
    }
    return got;
}

/* One of the rates within the range is unavailable. */
bool mpt_port_has_baud(uint32_t baud)
{
    return baud != SIM_IMPOSSIBLE_BAUD;
}

bool mpt_port_is_sent(void)
{
    return !sim.is_sending;
}

void mpt_port_set_baud(uint32_t baud)
{
    sim.baud = baud;
}

void sim_receive(const uint8_t *bytes, size_t n)
{
    stream_bytes(&rx, bytes, n);
}

static void send_command(const struct mp_command *command)
{
    uint8_t bytes[MP_COMMAND_SIZE];

    mp_command_encode(command, bytes);
    sim_receive(bytes, sizeof bytes);
}

void sim_ask_triggers(void)
{
    send_command(
        &(struct mp_command){.code = MP_GET_STATUS, .length = 1, .payload = {MP_STATUS_OF_TRIGGERS}});
}

void sim_ask_cores(void)
{
    send_command(&(struct mp_command){.code = MP_GET_STATUS, .length = 1, .payload = {MP_STATUS_OF_CORES}});
}

void sim_command(uint8_t code)
{
    send_command(&(struct mp_command){.code = code});
}

void sim_config(uint8_t key, uint32_t value)
{
    send_command(&(struct mp_command){.code = MP_SET_CONFIG,
                                      .length = 5,
                                      .payload = {key, (uint8_t)value, (uint8_t)(value >> 8),
                                                  (uint8_t)(value >> 16), (uint8_t)(value >> 24)}});
}

const uint8_t *sim_sent(size_t *n)
{
    *n = tx.n;
    return tx.bytes;
}

struct mp_pairs sim_pairs;
bool sim_may_lose;

static void hear_pair(void *user, const struct mp_pair *pair)
{
    cr_assert_lt(heard.n_pairs, SIM_RECORDS);
    heard.pairs[heard.n_pairs++] = *pair;
}

static void open_pairs(void)
{
    static struct mp_followed followed[SIM_CONTEXTS];
    static struct mp_pairs_context contexts[SIM_CONTEXTS];
    static uint32_t functions[SIM_CONTEXTS][SIM_DEPTH];
    static uint64_t starts[SIM_CONTEXTS][SIM_DEPTH];

    for (size_t i = 0; i < SIM_CONTEXTS; i++) {
        followed[i] = (struct mp_followed){.stack = {.function = functions[i], .room = SIM_DEPTH}};
        contexts[i] = (struct mp_pairs_context){.start = starts[i]};
    }
    sim_pairs = (struct mp_pairs){.call = hear_pair};
    mp_pairs_init(&sim_pairs, followed, contexts, SIM_CONTEXTS);
}

struct mp_tree_table sim_tree;

static void open_tree(void)
{
    static struct mp_tree_node nodes[SIM_NODES];
    static struct mp_tree_known_context contexts[2 * SIM_CONTEXTS];
    static struct mp_tree_evicted evicted[SIM_NODES];

    mp_tree_table_init(&sim_tree, nodes, SIM_NODES, contexts, 2 * SIM_CONTEXTS);
    mp_tree_table_keep_evicted(&sim_tree, evicted, SIM_NODES);
}

void sim_start_version(uint8_t version)
{
    send_command(&(struct mp_command){.code = MP_START, .length = 1, .payload = {version}});
}

void sim_start_flags(uint8_t version, uint8_t flags)
{
    send_command(&(struct mp_command){.code = MP_START, .length = 2, .payload = {version, flags}});
}

void sim_start_tree(bool is_flat)
{
    sim_start_flags(3, is_flat ? MP_TREE_WANT_FLAT : 0);
}

struct mp_description_run sim_describe_run(void)
{
    struct mp_description description;
    struct mp_description_run run;
    struct mp_setting setting;

    sim_command(MP_DESCRIBE);
    const struct heard *told = sim_hear();
    struct mp_bytes bytes = mp_bytes_over(told->description, told->description_size);
    cr_assert(mp_description_decode(&description, &bytes));
    for (int i = 0; i < description.settings; i++)
        cr_assert(mp_setting_decode(&setting, &bytes));
    (void)mp_hook_ticks_decode(&bytes);
    cr_assert(mp_description_run_decode(&run, &bytes));
    cr_assert_eq(bytes.left, MPT_VERSION_3 ? (MP_HOOK_FORMS - 1) * MP_HOOK_TICKS : 0);
    return run;
}

void sim_stop(void)
{
    send_command(&(struct mp_command){.code = MP_STOP, .length = 1, .payload = {MP_STOP_CLOSES}});
}

static bool is_closing(const uint8_t *payload, size_t n)
{
    switch (payload[0]) {
    case MP_PROFILE_DATA_V1: return mp_profile_is_closing(payload, n);
    case MP_PROFILE_DATA_V2: return payload[1] & MP_COMPACT_CLOSES;
    default: return payload[1] & MP_TREE_IS_CLOSING;
    }
}

/* Reads what the pairing of calls ignores. */
static void hear_contexts(const uint8_t *payload, size_t n)
{
    struct mp_compact_reader reader;
    struct mp_compact_event event;
    enum mp_compact_kind kind;

    cr_assert(mp_compact_open_packet(&reader, payload, n));
    while ((kind = mp_compact_next(&reader, &event)) > MP_COMPACT_END) {
        if (kind == MP_COMPACT_CONTEXT) {
            cr_assert_lt(heard.n_switches, SIM_SWITCHES);
            heard.switches[heard.n_switches].time = event.time;
            heard.switches[heard.n_switches].context = event.context;
            heard.switches[heard.n_switches++].is_blocked = event.is_blocked;
        } else if (kind == MP_COMPACT_NAME) {
            cr_assert_lt(heard.n_names, SIM_NAMES);
            heard.names[heard.n_names].context = event.context;
            heard.names[heard.n_names].is_idle = event.is_idle;
            memcpy(heard.names[heard.n_names++].name, event.name, event.name_length);
        }
    }
}

static void hear_packet(const struct mp_frame *frame)
{
    struct mp_profile_head head;

    cr_assert_lt(heard.n_packets, SIM_PACKETS);
    heard.types[heard.n_packets] = frame->type;
    if (frame->type == MP_METADATA) {
        cr_assert(mp_metadata_decode(&heard.metadata, frame->payload, frame->length));
    } else if (frame->type == MP_STATUS) {
        cr_assert(mp_status_decode(&heard.status, frame->payload, frame->length));
        heard.has_triggers = mp_status_triggers_decode(&heard.triggers_missed, frame->payload, frame->length);
        heard.has_cores = mp_status_cores_decode(&heard.other_core_hooks, frame->payload, frame->length);
    } else if (frame->type == MP_DESCRIPTION) {
        cr_assert_leq(frame->length, sizeof heard.description);
        heard.description_size = frame->length;
        memcpy(heard.description, frame->payload, frame->length);
    } else if (frame->type == MP_EXTENSION) {
        cr_assert(sim.extension);
        sim.extension(frame->payload, frame->length);
    } else if (frame->type == MP_PROFILE_DATA && mp_compact_is_window(frame->payload, frame->length)) {
        cr_assert(sim.window);
        sim.window(frame->payload, frame->length);
    } else if (frame->type == MP_PROFILE_DATA && frame->payload[0] == MP_PROFILE_DATA_V2) {
        hear_contexts(frame->payload, frame->length);
        mp_pairs_packet(&sim_pairs, frame->payload, frame->length);
        cr_assert_eq(sim_pairs.follower.counters.malformed, 0);
        cr_assert(sim_may_lose || !sim_pairs.follower.counters.lost_in_packets);
        cr_assert_eq(sim_pairs.follower.counters.late, 0);
        cr_assert_eq(sim_pairs.follower.counters.time_jumps + sim_pairs.follower.counters.unplaced, 0);
    } else if (frame->type == MP_PROFILE_DATA && frame->payload[0] == MP_PROFILE_DATA_V3) {
        cr_assert(mp_tree_table_packet(&sim_tree, frame->payload, frame->length));
        cr_assert_eq(sim_tree.counters.malformed + sim_tree.counters.conflicts, 0);
        cr_assert_eq(sim_tree.counters.lost + sim_tree.counters.late + sim_tree.counters.beyond, 0,
                     "%llu lost, %llu late, %llu beyond", (unsigned long long)sim_tree.counters.lost,
                     (unsigned long long)sim_tree.counters.late,
                     (unsigned long long)sim_tree.counters.beyond);
    } else if (frame->type == MP_PROFILE_DATA) {
        cr_assert(mp_profile_head_decode(&head, frame->payload, frame->length));
        cr_assert_eq(head.version, MP_PROFILE_DATA_V1);
        cr_assert_eq(frame->length, MP_PROFILE_DATA_HEAD + head.record_count * MP_RECORD_SIZE);
        cr_assert_leq(heard.n_records + head.record_count, SIM_RECORDS);
        heard.counts[heard.n_packets] = head.record_count;
        for (size_t i = 0; i < head.record_count; i++)
            heard.records[heard.n_records++] =
                mp_record_decode(frame->payload + MP_PROFILE_DATA_HEAD + i * MP_RECORD_SIZE);
    }
    if (frame->type == MP_PROFILE_DATA && is_closing(frame->payload, frame->length)) {
        heard.n_closings++;
        heard.last_closing = heard.n_packets;
        heard.closing_version = frame->payload[0];
    }
    heard.n_packets++;
}

const struct heard *sim_hear(void)
{
    static uint8_t memory[MP_FRAME_READER_MEMORY(16384)];
    struct mp_frame_reader reader;
    struct mp_frame frame;

    for (int i = 0; i < 1000 && mpt_poll(); i++)
        ;
    heard = (struct heard){0};
    mp_frame_reader_init(&reader, memory, sizeof memory);
    mp_frame_reader_feed(&reader, tx.bytes, tx.n);
    while (mp_frame_reader_next(&reader, &frame))
        hear_packet(&frame);
    heard.damaged = reader.counters.bytes_skipped + reader.counters.crc_errors +
                    reader.counters.framing_errors + mp_frame_reader_waiting(&reader);
    cr_assert_eq(heard.damaged, 0, "only whole, right packets are sent");
    stream_fini(&tx);
    return &heard;
}

uint8_t sim_answer(void)
{
    const struct heard *answer = sim_hear();

    cr_assert_eq(answer->n_packets, 1);
    return answer->types[0];
}

void sim_start(const struct mpt_target *target)
{
    static const struct mpt_target plain = {.clock_hz = 25000000, .fw_version = "sim"};

    open_pairs();
    open_tree();
    mpt_init(target ? target : &plain);
    cr_assert_eq(sim_answer(), MP_METADATA);
}

void sim_enter(uint32_t function)
{
    if (sim.note)
        sim.note(function, true, false);
    __cyg_profile_func_enter((void *)(uintptr_t)function, NULL);
    if (sim.note)
        sim.note(function, true, true);
}

void sim_exit(uint32_t function)
{
    if (sim.note)
        sim.note(function, false, false);
    __cyg_profile_func_exit((void *)(uintptr_t)function, NULL);
    if (sim.note)
        sim.note(function, false, true);
}

void sim_pass_us(uint64_t us)
{
    uint64_t until = sim.ticks + us * (MPT_TICK_HZ / 1000000u);

#if MPT_TICK_BITS < 32
    /* As the wrap interrupt does. */
    for (uint64_t period = 1u << MPT_TICK_BITS; until - sim.ticks >= period;) {
        sim.ticks += period - 1;
        mpt_keep_time();
    }
#endif
    sim.ticks = until;
}

void sim_poll_slowly(struct test_random *random, int polls)
{
    for (int i = 0; i < polls; i++) {
        size_t before, after, offered = test_random_below(random, 4);

        sim.tx_room = offered;
        sim_sent(&before);
        mpt_poll();
        sim_sent(&after);
        cr_assert_leq(after - before, offered);
    }
}
