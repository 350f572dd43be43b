/* fuzz_agent.c - runs hooks, tasks, interrupts, commands and polls of an agent in any order on a simulated board. The
 * daemon's dialect reads the packets: none may be damaged, and no function may have more calls than began.
 *
 * A byte of the input chooses the action, the bytes after it its parameters. */
#include "fuzz.h"

#include "dialect/dialect.h"
#include "mpt.h"
#include "mpt_port.h"
#include "protocol/bytes.h"
#include "protocol/frame_reader.h"
#include "protocol/packet.h"
#include "protocol/tree.h"

enum { FUNCTIONS = 16, FIRST = 0x08000100, APART = 0x20, POLLS_MOST = 10000, PAYLOAD_MOST = 2000 };

struct sim sim;

static struct mp_bytes rest; /* the input's remaining bytes */
static struct stream received;
static size_t received_at;
static uint64_t open[FUNCTIONS];  /* calls that began since the program started and have not ended */
static uint64_t begun[FUNCTIONS]; /* calls that began in this input or were open when it began */

/* The host's side. */
static struct mp_frame_reader reader;
static const struct dialect *dialect;
static void *state;
static struct event_out out;
static struct told {
    uint64_t calls[FUNCTIONS], kept[FUNCTIONS]; /* kept: calls of windows, which the sums also include */
} told;

void __cyg_profile_func_enter(void *this_fn, void *call_site);
void __cyg_profile_func_exit(void *this_fn, void *call_site);

void sim_interrupt(void) {}

static uint64_t *of(uint64_t *counts, uint64_t address)
{
    uint64_t function = (address - FIRST) / APART;
    FUZZ_CHECK(function < FUNCTIONS && address == FIRST + function * APART);
    return &counts[function];
}

static void take(void *user, const struct event *events, size_t n)
{
    struct told *to = user;
    for (size_t i = 0; i < n; i++) {
        if (events[i].kind == EVENT_CALL)
            ++*of(events[i].flags & EVENT_KEPT ? to->kept : to->calls, events[i].call.address);
        else if (events[i].kind == EVENT_NODE && events[i].node->address)
            *of(to->calls, events[i].node->address) += events[i].node->calls;
        else if (events[i].kind == EVENT_EVICTED && events[i].evicted.address)
            *of(to->calls, events[i].evicted.address) += events[i].evicted.calls;
    }
}

size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    struct mp_frame frame;
    size_t taken = n < sim.tx_room ? n : sim.tx_room;
    mp_frame_reader_feed(&reader, bytes, taken);
    while (mp_frame_reader_next(&reader, &frame))
        dialect->decode(state, frame.body, frame.body_size, &out);
    sim.tx_room -= taken;
    return taken;
}

size_t mpt_port_read(uint8_t *bytes, size_t n)
{
    size_t got = 0;
    while (got < n && received_at < received.n)
        bytes[got++] = received.bytes[received_at++];
    return got;
}

static bool configure(uint8_t key, uint32_t value)
{
    return (key ^ value) & 1;
}

static uint8_t next(void)
{
    return rest.left ? mp_bytes_u8(&rest) : 0;
}

static void call(bool is_enter)
{
    uint32_t function = next() % FUNCTIONS;
    void *address = (void *)(uintptr_t)(FIRST + function * APART);
    if (!is_enter) {
        open[function] -= open[function] > 0;
        __cyg_profile_func_exit(address, NULL);
        return;
    }
    begun[function]++;
    open[function]++;
    __cyg_profile_func_enter(address, NULL);
}

static void command(void)
{
    struct mp_command command = {.code = (uint8_t)(next() % 9), .length = (uint8_t)(next() % 9)};
    uint8_t bytes[MP_COMMAND_SIZE];
    for (size_t i = 0; i < MP_COMMAND_PAYLOAD && i < command.length; i++)
        command.payload[i] = next();
    mp_command_encode(&command, bytes);
    stream_bytes(&received, bytes, sizeof bytes);
}

static void context(void)
{
    switch (next() % 7) {
    case 0: mpt_context_block(); break;
    case 1: mpt_context_begin(next()); break;
    case 2: mpt_context_name(next(), "t\xc3\xa4sk\xff"); break;
    case 3: mpt_context_name(next(), NULL); break;
    case 4: mpt_context_idle(next()); break;
    case 5: mpt_keep_time(); break;
    default: mpt_context_switch(next()); break;
    }
}

static void order(void)
{
    switch (next() % 4) {
    case 0: mpt_start(); break;
    case 1: mpt_stop(); break;
    case 2: mpt_reset(); break;
    default: FUZZ_CHECK(mpt_room() <= MPT_RING_RECORDS); break;
    }
}

static void poll_until_quiet(void)
{
    int polls = 0;
    sim.tx_room = SIZE_MAX;
    while (mpt_poll())
        FUZZ_CHECK(++polls < POLLS_MOST);
}

static void happen(uint8_t what)
{
    switch (what % 16) {
    case 0:
    case 1:
    case 2: call(true); break;
    case 3:
    case 4:
    case 5: call(false); break;
    case 6: sim.ticks += next(); break;
    case 7: sim.ticks += (uint64_t)next() << (next() % 25); break;
    case 8:
    case 9: context(); break;
    case 10: sim.exception = next() % 4 == 0 ? next() % 32 : 0; break;
    case 11:
        sim.tx_room = next() * 4u;
        mpt_poll();
        break;
    case 12: command(); break;
    case 13: stream_byte(&received, next()); break;
    case 14: poll_until_quiet(); break;
    default: order(); break;
    }
}

static void check(void)
{
    const struct mp_frame_counters *counters = &reader.counters;
    const struct dialect_health *health = dialect->health(state);
    FUZZ_CHECK(counters->crc_errors == 0 && counters->framing_errors == 0 && counters->unknown_types == 0);
    FUZZ_CHECK(counters->bytes_skipped == 0 && mp_frame_reader_waiting(&reader) == 0);
    FUZZ_CHECK(health->malformed == 0);
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        FUZZ_CHECK(told.calls[i] <= begun[i] && told.kept[i] <= begun[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct mpt_target target = {
        .clock_hz = MPT_TICK_HZ, .fw_version = "fuzz 1.0", .configure = configure};
    static const struct mpt_interrupt_name interrupts[] = {
        {15, "SysTick"}, {20, "a name longer than twenty-four bytes"}, {0, NULL}};
    static const struct dialect_settings settings;
    static uint8_t memory[MP_FRAME_READER_MEMORY(PAYLOAD_MOST)];
    static bool is_named;
    dialect = dialect_find("miniprof");
    state = fuzz_state(dialect->state_size);
    FUZZ_CHECK(dialect->start(state, &settings, NULL));
    mp_frame_reader_init(&reader, memory, sizeof memory);
    told = (struct told){0};
    out = (struct event_out){.batch = take, .user = &told};
    rest = mp_bytes_over(data, size);
    memcpy(begun, open, sizeof begun);
    sim = (struct sim){.ticks_per_reading = 1};
    received_at = 0;
    mpt_init(&target);
    if (!is_named)
        mpt_context_interrupts(interrupts);
    is_named = true;
    while (rest.left)
        happen(next());
    sim.exception = 0;
    poll_until_quiet();
    check();
    mpt_start(); /* version 1 clears the tree, since the next input has a new host */
    mpt_stop();
    mpt_reset();
    for (int s = 0; s < 3; s++) {
        sim.ticks += MPT_TICK_HZ / 2;
        poll_until_quiet();
    }
    stream_fini(&received);
    return 0;
}

void fuzz_begin_with(struct stream *stream)
{
    static const uint8_t calls[] = {0, 1, 6, 9,  1, 2, 6,  4, 4,  2, 3, 1, 8, 6,  2,
                                    0, 5, 6, 20, 3, 5, 10, 0, 19, 0, 6, 3, 6, 10, 1};
    static const uint8_t wanted[][2] = {{1, 0}, {2, 0}, {3, 0}, {3, MP_TREE_WANT_EVICTION}};
    for (size_t form = 0; form < sizeof wanted / sizeof *wanted; form++) {
        static const uint8_t heard[] = {12, MP_START, 2};
        stream_bytes(stream, heard, sizeof heard);
        stream_bytes(stream, wanted[form], sizeof wanted[form]);
        stream_byte(stream, 14);
        for (int i = 0; i < 6; i++)
            stream_bytes(stream, calls, sizeof calls);
        for (uint8_t i = 0; i < 36 && wanted[form][1]; i++) { /* more chains than node slots */
            const uint8_t pair[] = {0, i / 6, 6, 20, 0, i % 6, 6, 9, 3, i % 6, 3, i / 6, 11, 200};
            stream_bytes(stream, pair, sizeof pair);
        }
        static const uint8_t stops[] = {11, 30, 12, MP_STOP, 1, MP_STOP_CLOSES, 14, 12, MP_DESCRIBE, 0, 14};
        stream_bytes(stream, stops, sizeof stops);
    }
}
