/* device.c - simulates devices that report random programs. */
#include "faults/device.h"

#include "protocol/bytes.h"
#include "protocol/packet.h"
#include "protocol/tree_writer.h"
#include "support/calls.h"
#include "support/compact_program.h"

#include <criterion/criterion.h>
#include <string.h>

enum { CALLS = 800, PACKET_CALLS = 20, LIES = 30 }; /* one of this many records lies */

/* ---- truth ---- */

static size_t index_of(const struct truth *truth, uint64_t address)
{
    size_t i = 0;
    while (i < truth->n && truth->address[i] != address)
        i++;
    return i;
}

static void add(struct truth *truth, uint64_t caller, uint64_t callee)
{
    size_t at[2];
    for (int i = 0; i < 2; i++) {
        at[i] = index_of(truth, i ? callee : caller);
        if (at[i] < truth->n)
            continue;
        cr_assert_lt(truth->n, TRUTH_FUNCTIONS);
        truth->address[truth->n++] = i ? callee : caller;
    }
    truth->was_called[at[0]][at[1]] = true;
}

bool truth_has(const struct truth *truth, uint64_t caller, uint64_t callee)
{
    size_t a = index_of(truth, caller), b = index_of(truth, callee);
    return a < truth->n && b < truth->n && truth->was_called[a][b];
}

/* ---- version 1 ---- */

static uint32_t end_of(const struct mp_record *record)
{
    return record->start + record->duration;
}

/* Adds the calls that follow from the records, lies included. `zero` is the time at which the clock began. */
static void add_what_is_told(struct truth *truth, const struct mp_record *records, size_t n, uint32_t zero)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            if (records[k].depth + 1u == records[i].depth &&
                records[k].start - zero <= records[i].start - zero &&
                end_of(&records[k]) - zero >= end_of(&records[i]) - zero)
                add(truth, records[k].address, records[i].address);
}

static void say_calls(struct device_said *said, const struct mp_record *records, size_t n)
{
    for (size_t at = 0; at < n; at += PACKET_CALLS) {
        size_t some = n - at < PACKET_CALLS ? n - at : PACKET_CALLS;
        uint8_t *out = said->packet[said->n].payload;
        mp_profile_head_encode(&(struct mp_profile_head){MP_PROFILE_DATA_V1, (uint16_t)some}, out);
        for (size_t i = 0; i < some; i++)
            mp_record_encode(&records[at + i], out + MP_PROFILE_DATA_HEAD + i * MP_RECORD_SIZE);
        said->packet[said->n++].n = (uint16_t)(MP_PROFILE_DATA_HEAD + some * MP_RECORD_SIZE);
    }
}

static void run_calls(const struct device *device, struct test_random *random, struct device_said *said,
                      struct truth *truth)
{
    static struct mp_record records[2 * CALLS];
    struct calls calls;
    calls_make(&calls, random, CALLS, 8, false, 0);
    cr_assert_leq(calls.n, 2 * CALLS);
    size_t turns = test_random_below(random, calls.n);
    uint32_t back = device->lie == DEVICE_TIME_BACK ? 1 + (uint32_t)test_random_below(random, 5000) : 0;
    for (size_t i = 0; i < calls.n; i++) {
        const struct event *event = &calls.events[i];
        records[i] =
            (struct mp_record){.address = device->base + (uint32_t)event->call.address,
                               .start = device->clock + (uint32_t)event->ticks - (i >= turns ? back : 0),
                               .duration = (uint32_t)event->call.duration,
                               .depth = event->depth};
        if (device->lie == DEVICE_DEPTH_LIES && test_random_below(random, LIES) == 0)
            records[i].depth = (uint16_t)test_random_below(random, test_random_below(random, 4) ? 9 : 65536);
        if (calls.caller[i] != UINT32_MAX)
            add(truth, device->base + calls.events[calls.caller[i]].call.address, records[i].address);
    }
    if (device->lie == DEVICE_DEPTH_LIES)
        add_what_is_told(truth, records, calls.n, device->clock);
    truth->calls += calls.n;
    say_calls(said, records, calls.n);
    calls_free(&calls);
}

/* ---- version 2 ---- */

/* Offsets in a packet's head, whose context takes one byte. */
enum { COMPACT_TIME_AT = 6, COMPACT_DEPTH_AT = 11, COMPACT_RUN_AT = 5 };

static void run_stream(const struct device *device, struct test_random *random, struct device_said *said,
                       struct truth *truth)
{
    do
        program_run_at(test_random_next(random), device->base);
    while (program.is_window);
    for (uint32_t a = 0; a <= PROGRAM_FUNCTIONS; a++)
        for (uint32_t b = 0; b <= PROGRAM_FUNCTIONS; b++)
            if (program.calls_from[a][b])
                add(truth, device->base + a, device->base + b);
    size_t turns = test_random_below(random, program.n_packets);
    uint32_t back =
        device->lie == DEVICE_TIME_BACK ? 1 + (uint32_t)test_random_below(random, program.time) : 0;
    for (uint32_t i = 0; i < program.n_packets; i++) {
        uint8_t *payload = said->packet[i].payload;
        memcpy(payload, program.packets[i].payload, program.packets[i].size);
        said->packet[i].n = program.packets[i].size;
        uint32_t time = mp_load_u32(payload + COMPACT_TIME_AT) + device->clock - (i >= turns ? back : 0);
        mp_store_u32(payload + COMPACT_TIME_AT, time);
        payload[COMPACT_RUN_AT] = (uint8_t)((payload[COMPACT_RUN_AT] & 0x0F) | device->run << 4);
        if (device->lie == DEVICE_DEPTH_LIES && test_random_below(random, LIES) < 10)
            payload[COMPACT_DEPTH_AT] = (uint8_t)test_random_below(random, 100);
    }
    said->n = program.n_packets;
    truth->calls += program.events; /* an upper limit: entries and exits */
}

/* ---- version 3 ---- */

enum { NODES = 60, ROUNDS = 60, TREE_PAYLOAD = 240 };

struct tree_target {
    struct mp_tree_row rows[NODES];
    struct mp_tree_head head;
    uint64_t outside;
};

static void grow(struct tree_target *target, uint32_t base, struct test_random *random, struct truth *truth)
{
    uint32_t n = target->head.nodes;
    uint32_t parent = n > 0 && test_random_below(random, 4) > 0 ? (uint32_t)test_random_below(random, n)
                                                                : MP_TREE_NO_PARENT;
    struct mp_tree_row *row = &target->rows[n];
    *row = (struct mp_tree_row){.node = n,
                                .parent = parent,
                                .function = base + 0x1000 +
                                            16 * (uint32_t)test_random_below(random, DEVICE_FUNCTIONS)};
    if (parent != MP_TREE_NO_PARENT)
        add(truth, target->rows[parent].function, row->function);
    target->head.nodes++;
}

static void work(struct tree_target *target, struct test_random *random, struct truth *truth)
{
    for (uint32_t i = 0; i < target->head.nodes; i++) {
        uint64_t calls = test_random_below(random, 5), ticks = calls ? test_random_below(random, 1000) : 0;
        target->rows[i].calls += calls;
        target->rows[i].ticks += ticks;
        target->head.elapsed += ticks;
        truth->calls += calls;
    }
    target->outside += 10;
    target->head.elapsed += 10;
}

/* Returns a row as sent: correct, or with a wrong parent if the device lies. Adds the edge that follows to `truth`. */
static struct mp_tree_row as_told(const struct device *device, const struct tree_target *target, uint32_t i,
                                  struct test_random *random, struct truth *truth)
{
    struct mp_tree_row row = target->rows[i];
    if (device->lie != DEVICE_DEPTH_LIES || i == 0 || test_random_below(random, LIES) > 0)
        return row;
    row.parent = (uint32_t)test_random_below(random, i);
    add(truth, target->rows[row.parent].function, row.function);
    return row;
}

static void run_tree(const struct device *device, struct test_random *random, struct device_said *said,
                     struct truth *truth)
{
    struct tree_target target = {.head = {.run = device->run & 15, .hz = 100000, .room = NODES}};
    uint32_t turns = (uint32_t)test_random_below(random, ROUNDS);
    uint64_t back = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        while (target.head.nodes < NODES && test_random_below(random, 3) > 0)
            grow(&target, device->base, random, truth);
        work(&target, random, truth);
        if (device->lie == DEVICE_TIME_BACK && round == turns)
            back = 1 + test_random_below(random, target.head.elapsed);
        uint8_t *out = said->packet[said->n].payload;
        struct mp_tree_head head = target.head;
        head.time = device->clock + (uint32_t)(head.elapsed - back);
        head.elapsed -= test_random_below(random, 2) ? back : 0;
        struct mp_tree_writer writer;
        mp_tree_begin(&writer, out, TREE_PAYLOAD, 0, &head);
        mp_tree_write_sums(&writer, 0, &(struct mp_tree_sums){.ticks = target.outside});
        for (uint32_t i = 0; i < target.head.nodes; i++) {
            struct mp_tree_row row = as_told(device, &target, i, random, truth);
            if (test_random_below(random, 2) && !mp_tree_write_row(&writer, &row))
                break;
        }
        said->packet[said->n++].n = writer.at;
        target.head.number++;
    }
}

void device_run(const struct device *device, struct test_random *random, struct device_said *said,
                struct truth *truth)
{
    static void (*const run[])(const struct device *, struct test_random *, struct device_said *,
                               struct truth *) = {run_calls, run_stream, run_tree};
    said->n = 0;
    run[device->form](device, random, said, truth);
}
