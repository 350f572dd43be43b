/* mpt.c - the agent's sending side: carries out commands and turns finished calls into packets.
 *
 * There is one packet at a time. It fills with records as calls end, is sealed when it is full or old enough,
 * and is then sent as the port takes it; until then the ring keeps new events. The answer to a command is a
 * packet, too: a packet that is still filling is sealed and sent before it. */
#include "mpt.h"

#include "mpt_baud.h"
#include "mpt_boot.h"
#include "mpt_build_id.h"
#include "mpt_calls.h"
#include "mpt_clock.h"
#include "mpt_extension.h"
#include "mpt_hook_ticks.h"
#include "mpt_stream.h"
#include "mpt_tree_send.h"
#include "mpt_window.h"
#include "protocol/bytes.h"
#include "protocol/command_reader.h"
#include "protocol/compact.h"
#include "protocol/description.h"
#include "protocol/frame.h"
#include "protocol/packet.h"
#include "protocol/tree.h"

/* A limit per poll: interrupts may end calls as fast as they can be sent, and the caller has other work. */
#define PACKETS_PER_POLL (2u + 2u * MPT_RING_RECORDS / MPT_PACKET_RECORDS)

#define RECORDS_SIZE (MP_PROFILE_DATA_HEAD + MP_RECORD_SIZE * MPT_PACKET_RECORDS)
#define STREAM_SIZE  (MPT_VERSION_2 ? MPT_PACKET_BYTES + MP_COMPACT_TOKEN_MAX : MP_METADATA_SIZE)
#define TREE_SIZE    (MPT_VERSION_3 ? MPT_PACKET_BYTES + MP_TREE_RECORD_MAX : MP_METADATA_SIZE)
#define NEWER_SIZE   (TREE_SIZE > STREAM_SIZE ? TREE_SIZE : STREAM_SIZE)
#define PAYLOAD_SIZE (RECORDS_SIZE > NEWER_SIZE ? RECORDS_SIZE : NEWER_SIZE)

static struct {
    const struct mpt_target *target;
    struct mpt_clock clock;
    struct mp_command_reader commands;
    struct mp_command command;
    uint32_t build_id;
    uint32_t packet_ticks; /* when the newest PROFILE_DATA packet was begun */
    uint8_t packet_records;
    uint8_t version;     /* of PROFILE_DATA in the run that is under way or was last; 0: there was none */
    uint8_t records;     /* in the packet that is filling */
    bool is_commanded;   /* `command` waits for the packet of version 2 that is filling */
    bool hello;          /* the METADATA of a start is still to be sent */
    bool is_closing;     /* STOP asked for a closing packet, which is still to be sent */
    uint16_t out_length; /* of the packet that is being sent; 0: none is */
    uint16_t out_sent;
    uint8_t out[PAYLOAD_SIZE + MP_FRAME_OVERHEAD];
#if MPT_HOOK_TICKS
    uint16_t hook_ticks[MPT_HOOK_FORMS]; /* in sixteenths */
#endif
} sender;

#if MPT_VERSION_3
#define TREE_IS_ON   mpt_tree.is_on
#define TREE_IS_TOLD mpt_tree.is_told
#define TREE_IS_FLAT MPT_TREE_IS_FLAT
#define TREE_EVICTS  mpt_tree_may_evict()
#else
#define TREE_IS_ON   false
#define TREE_IS_TOLD false
#define TREE_IS_FLAT false
#define TREE_EVICTS  false
#endif

#define PAYLOAD (sender.out + MP_FRAME_HEAD)

void mpt_init(const struct mpt_target *target)
{
    sender.target = target;
    sender.packet_records = MPT_PACKET_RECORDS;
    sender.hello = true;
    mpt_boot_begin();
    mpt_baud_init();
    mpt_calls_init();
#if MPT_HOOK_TICKS
    mpt_hook_ticks(sender.hook_ticks);
#endif
    if (MPT_BUILD_ID)
        sender.build_id = target->text_bytes ? mpt_build_id(target->text, target->text_bytes) : 0;
}

void mpt_start(void)
{
    if (MPT_VERSION_3)
        mpt_tree_forget_run();
    sender.version = 1;
    mpt_calls.wanted_mark = (mpt_calls.wanted_mark & MPT_MARK_STOPS) | MPT_MARK_ON;
    mpt_calls_mark();
}

static void start_version_2(void)
{
    if (MPT_VERSION_3)
        mpt_tree_forget_run();
    uint8_t run = (mpt_calls.wanted_mark ^ MPT_MARK_RUN) & (MPT_MARK_RUN | MPT_MARK_STOPS);

    mpt_calls.wanted_mark = run | MPT_MARK_ON | MPT_MARK_VERSION_2;
    mpt_calls_mark();
}

void mpt_stop(void)
{
    if (TREE_IS_TOLD) {
        mpt_tree_end_run();
        return;
    }
    mpt_calls.wanted_mark = (uint8_t)((mpt_calls.wanted_mark & ~MPT_MARK_ON) + MPT_MARK_STOP);
    mpt_calls_mark();
}

void mpt_reset(void)
{
    sender.records = 0;
    if (TREE_IS_ON) {
        mpt_tree_begin_run(TREE_IS_FLAT);
        return;
    }
    mpt_calls_reset();
}

bool mpt_is_profiling(void)
{
    return (mpt_calls.wanted_mark & MPT_MARK_ON) || (TREE_IS_ON);
}

uint32_t mpt_room(void)
{
    uint32_t fill = mpt_ring_fill();

    return mpt_ring.is_frozen ? 0 : (MPT_RING_EVENTS - fill) / 2;
}

static void seal_packet(uint8_t type, uint16_t length)
{
    sender.out_length = (uint16_t)mp_frame_seal(sender.out, type, length);
}

static void send_metadata(void)
{
    struct mp_metadata metadata = {
        .mcu_clock_hz = sender.target->clock_hz,
        .timer_hz = 1000000, /* of the times on the wire, independent of the counter's rate */
        .elf_build_id = sender.build_id,
    };
    const char *version = sender.target->fw_version;

    for (uint32_t i = 0; i < MP_FW_VERSION_SIZE && version[i]; i++)
        metadata.fw_version[i] = version[i];
    mp_metadata_encode(&metadata, PAYLOAD);
    seal_packet(MP_METADATA, MP_METADATA_SIZE);
}

static uint16_t status_size(const struct mp_command *command)
{
#ifdef MPT_PORT_CORE
    if (mp_command_wants_cores(command))
        return MP_STATUS_CORES_SIZE;
#endif
    return MPT_WINDOWS && mp_command_wants_triggers(command) ? MP_STATUS_LONG_SIZE : MP_STATUS_SIZE;
}

/* Includes missed triggers and hooks of other cores where `size` asks for them. */
static void send_status(uint16_t size)
{
    uint32_t fill = mpt_ring_fill();
    struct mp_status status = {
        .is_profiling = mpt_is_profiling(),
        .buffer_overflows = mpt_calls.overflows,
        .records_captured = mpt_calls.captured,
        .buffer_usage_percent = (uint8_t)(fill * 100u / MPT_RING_EVENTS),
    };

    if (TREE_IS_TOLD)
        mpt_tree_status(&status);
    else if (MPT_EXACT_STATUS)
        mpt_calls_foresee(&status.records_captured, &status.buffer_overflows);
    mp_status_encode(&status, PAYLOAD);
#if MPT_WINDOWS
    if (size >= MP_STATUS_LONG_SIZE)
        mp_status_triggers_encode(mpt_window.missed_before + mpt_window.missed_since,
                                  PAYLOAD + MP_STATUS_SIZE);
#elif defined MPT_PORT_CORE
    mp_status_triggers_encode(0, PAYLOAD + MP_STATUS_SIZE);
#endif
#ifdef MPT_PORT_CORE
    mp_status_cores_encode(mpt_other_core_hooks, PAYLOAD + MP_STATUS_LONG_SIZE);
#endif
    seal_packet(MP_STATUS, size);
}

static bool configure_by(const struct mp_command *command)
{
    if (!MPT_SET_CONFIG || command->length != 5)
        return false;
    uint8_t config_key = command->payload[0];
    uint32_t value = mp_load_u32(command->payload + 1);

    switch (config_key) {
    case MPT_CONFIG_PACKET_RECORDS:
        if (value < 1 || value > MPT_PACKET_RECORDS) /* the room of sender.out */
            return false;
        sender.packet_records = (uint8_t)value;
        return true;
    case MPT_CONFIG_MIN_DURATION_US: {
        uint64_t ticks = (uint64_t)value * MPT_UNITS_PER_US / MPT_UNITS_PER_TICK;

        if (ticks > 1u << 31)
            return false;
        mpt_calls.min_ticks = (uint32_t)ticks;
        return true;
    }
    case MPT_CONFIG_MAX_DEPTH:
        if (value < 1 || value > MPT_STACK_DEPTH)
            return false;
        mpt_calls.wanted_depth = value == MPT_STACK_DEPTH ? MPT_ANY_DEPTH : (uint16_t)value;
        mpt_calls_mark();
        return true;
#if MPT_BAUD
    case MPT_CONFIG_BAUD: return mpt_baud_wish(value);
#endif
    default:
#if MPT_WINDOWS
        if (mpt_window_configure(config_key, value))
            return true;
#endif
        return config_key >= MPT_CONFIG_APPLICATION && sender.target->configure &&
               sender.target->configure(config_key, value);
    }
}

/* For rare conversions, where the cost of a division does not matter. */
#define MPT_MOST_US      ((uint32_t)((uint64_t)(1u << 31) * MPT_UNITS_PER_TICK / MPT_UNITS_PER_US))
#define MPT_TO_US(ticks) ((uint32_t)((uint64_t)(ticks)*MPT_UNITS_PER_TICK / MPT_UNITS_PER_US))

#if MPT_DESCRIBE
#if MPT_BAUD
#define BAUD_SETTINGS (mpt_baud() ? 1 : 0)
#define BAUD_SETTING                                                                                         \
    {MPT_CONFIG_BAUD, MPT_PORT_BAUD_LEAST, MPT_PORT_BAUD_MOST, mpt_baud(), "baud", "Bd", 0, 0},
#else
#define BAUD_SETTINGS 0
#define BAUD_SETTING
#endif

static void send_description(void)
{
    const struct mp_description description = {
        .versions = 1 << 1 | MPT_VERSION_2 << 2 | MPT_VERSION_3 << 3,
        .tick_hz = MPT_TICK_HZ,
        .ring_calls = MPT_RING_RECORDS,
        .stack_depth = MPT_STACK_DEPTH,
        .tasks = MPT_TASKS,
        .packet_bytes = MPT_PACKET_BYTES,
        .settings = MPT_SET_CONFIG ? 3 + BAUD_SETTINGS + MPT_WINDOW_SETTINGS : 0,
    };
    const uint32_t depth = mpt_calls.wanted_depth == MPT_ANY_DEPTH ? MPT_STACK_DEPTH : mpt_calls.wanted_depth;
    const struct mp_setting settings[] = {
        {MPT_CONFIG_PACKET_RECORDS, 1, MPT_PACKET_RECORDS, sender.packet_records, "packet", "records", 0, 0},
        {MPT_CONFIG_MIN_DURATION_US, 0, MPT_MOST_US, MPT_TO_US(mpt_calls.min_ticks), "shortest", "us", 0, 0},
        {MPT_CONFIG_MAX_DEPTH, 1, MPT_STACK_DEPTH, depth, "depth", "calls", 0, 0},
        BAUD_SETTING};
    size_t at = MP_DESCRIPTION_HEAD;

    mp_description_encode(&description, PAYLOAD);
    for (uint32_t i = 0; i + MPT_WINDOW_SETTINGS < description.settings; i++)
        at += mp_setting_encode(&settings[i], PAYLOAD + at);
#if MPT_WINDOWS
    at += mpt_window_describe(PAYLOAD + at);
#endif
#if MPT_HOOK_TICKS
    at += mp_hook_ticks_encode(sender.hook_ticks[MP_HOOKS_RING], PAYLOAD + at);
#else
    at += mp_hook_ticks_encode(0, PAYLOAD + at);
#endif
    at += mpt_boot_describe(PAYLOAD + at, sender.version, mpt_is_profiling(), TREE_IS_FLAT);
#if MPT_HOOK_TICKS
    for (uint32_t form = MP_HOOKS_TREE; form < MPT_HOOK_FORMS; form++)
        at += mp_hook_ticks_encode(sender.hook_ticks[form], PAYLOAD + at);
#endif
    seal_packet(MP_DESCRIPTION, (uint16_t)at);
}
#endif

/* An unknown version means version 1. A run of the same version may continue. */
static void start_version(const struct mp_command *wanted)
{
    uint8_t version = wanted->length ? wanted->payload[0] : 1,
            flags = wanted->length > 1 ? wanted->payload[1] : 0;
    bool is_2 = MPT_VERSION_2 && version == 2, is_3 = MPT_VERSION_3 && version == 3;
    bool is_flat = MPT_TREE_FLAT && is_3 && (flags & MP_TREE_WANT_FLAT);

    version = is_2 ? 2 : is_3 ? 3 : 1;
    if (is_3)
        mpt_tree_want(flags);
    if ((flags & MP_START_RESUMES) && mpt_is_profiling() && version == sender.version &&
        is_flat == (is_3 && TREE_IS_FLAT) && !(is_3 && TREE_EVICTS && !(flags & MP_TREE_WANT_EVICTION)))
        return;
    sender.is_closing = false;
    if (is_2)
        start_version_2();
    else if (is_3)
        mpt_tree_begin_run(is_flat);
    else
        mpt_start();
    sender.version = version;
}

/* STOP: events up to now are sent, and then, if the host wants it, a packet that reports the end. */
static void stop_by(const struct mp_command *wanted)
{
    mpt_stop();
    sender.is_closing = mp_command_wants_closing(wanted);
}

static void carry_out(const struct mp_command *command)
{
    bool done = true;

    mpt_baud_heard();
    switch (command->code) {
    case MP_START: start_version(command); break;
    case MP_STOP: stop_by(command); break;
    case MP_RESET_BUFFERS: mpt_reset(); break;
    case MP_SET_CONFIG: done = configure_by(command); break;
    case MP_GET_STATUS: send_status(status_size(command)); return;
    case MP_GET_METADATA: send_metadata(); return;
#if MPT_DESCRIBE
    case MP_DESCRIBE: send_description(); return;
#endif
    default: done = false;
    }
    seal_packet(done ? MP_ACK : MP_NACK, 0);
}

/* Sends the packet of records that is filling. */
static void send_records(void)
{
    struct mp_profile_head head = {.version = MP_PROFILE_DATA_V1, .record_count = sender.records};

    mp_profile_head_encode(&head, PAYLOAD);
    seal_packet(MP_PROFILE_DATA, (uint16_t)(MP_PROFILE_DATA_HEAD + MP_RECORD_SIZE * sender.records));
    sender.records = 0;
}

/* Sends the packet of version 2 that is filling, if there is one. */
static bool send_stream(bool even_if_empty)
{
    uint16_t size = MPT_VERSION_2 ? mpt_stream_end(PAYLOAD, even_if_empty) : 0;

    if (!size)
        return false;
    sender.packet_ticks = mpt_ring.now;
    seal_packet(MP_PROFILE_DATA, size);
    return true;
}

/* Returns true when there was a command; then a packet is in `out`. */
static bool answer_command(void)
{
    uint8_t byte;

    while (!sender.is_commanded && mpt_port_read(&byte, 1))
        sender.is_commanded = mp_command_reader_push(&sender.commands, byte, &sender.command);
    if (!sender.is_commanded)
        return false;
    if (send_stream(false))
        return true;
    sender.is_commanded = false;
    carry_out(&sender.command);
    return true;
}

static void add_record(const struct mpt_call *call)
{
    struct mp_record wire = {.address = call->function, .depth = call->depth};

    mpt_clock_advance(&sender.clock, call->end);
    wire.duration = mpt_clock_us_since(&sender.clock, call->start);
    wire.start = sender.clock.us - wire.duration;
    mp_record_encode(&wire, PAYLOAD + MP_PROFILE_DATA_HEAD + MP_RECORD_SIZE * sender.records++);
}

/* Adds all records that there are and that fit. */
static void add_records(void)
{
    struct mpt_call calls[MPT_CALLS_AT_ONCE];
    uint32_t most, n;

    do {
        most = sender.packet_records - sender.records;
        most = most < MPT_CALLS_AT_ONCE ? most : MPT_CALLS_AT_ONCE;
        n = most ? mpt_calls_take(calls, most) : 0;
        for (uint32_t i = 0; i < n; i++)
            add_record(&calls[i]);
    } while (n && n == most);
}

/* Returns true when a packet of version 2 is in `out`. */
static bool fill_stream(void)
{
    bool is_due = mpt_stream_fill(PAYLOAD);
    uint32_t fill = mpt_ring_fill(), since = mpt_ring.now - sender.packet_ticks;

    if (!fill)
        mpt_calls_age(mpt_ring.ticks);
    if (is_due || (!fill && since >= MPT_FLUSH_TICKS))
        return send_stream(since >= 1u << 30) || is_due;
    return false;
}

/* Returns true when a packet of version 3, or of a window beside it, is in `out`. */
static bool fill_tree(void)
{
#if MPT_WINDOWS
    uint16_t size = mpt_window_fill(PAYLOAD, &sender.is_closing);
#else
    uint16_t size = mpt_tree_fill(PAYLOAD, &sender.is_closing);
#endif

    if (size)
        seal_packet(MP_PROFILE_DATA, size);
    return size;
}

/* Returns true when a packet of records is in `out`. */
static bool fill_packet(void)
{
    uint32_t fill = mpt_ring_fill();

    if (fill < 2u * sender.packet_records && fill < MPT_RING_EVENTS / 2 && mpt_calls.is_on &&
        mpt_is_profiling() && !mpt_ring.is_frozen && mpt_ring.now - sender.packet_ticks < MPT_FLUSH_TICKS)
        return false;
    add_records();
    if (sender.records) {
        sender.packet_ticks = mpt_ring.now;
        send_records();
        return true;
    }
    /* While nothing waits, no later call can have ended before now: the clock advances even in a silence. */
    if (!mpt_ring_fill()) {
        mpt_calls_age(mpt_ring.ticks);
        mpt_clock_advance(&sender.clock, mpt_ring.ticks);
    }
    return false;
}

/* When STOP's mark was read and nothing is left to send, writes the closing packet if it is wanted. Returns
 * true when it is in `out`. */
static bool close_run(void)
{
    if (!sender.is_closing || mpt_calls.mark != mpt_calls.wanted_mark)
        return false;
    sender.is_closing = false;
    if (MPT_VERSION_2 && mpt_calls.mark & MPT_MARK_VERSION_2)
        seal_packet(MP_PROFILE_DATA, mpt_stream_close(PAYLOAD));
    else
        send_records();
    return true;
}

/* Fills a packet of the version that is sent now. */
static bool fill_any(void)
{
    if (TREE_IS_TOLD && fill_tree())
        return true;
    if (TREE_IS_ON)
        return false;
    return (MPT_VERSION_2 && mpt_calls.version == 2 ? fill_stream() : fill_packet()) || close_run();
}

static bool send_out(void)
{
    while (sender.out_sent < sender.out_length) {
        size_t n =
            mpt_port_write(sender.out + sender.out_sent, (size_t)(sender.out_length - sender.out_sent));
        if (!n)
            return false;
        sender.out_sent = (uint16_t)(sender.out_sent + n);
    }
    sender.out_sent = sender.out_length = 0;
    return true;
}

static bool poll_packets(void)
{
    for (uint32_t packets = 0; packets < PACKETS_PER_POLL; packets++) {
        if (!mpt_extension_send() || !send_out() || mpt_baud_waits()) {
            if (!mpt_is_profiling())
                mpt_calls_follow();
            return true;
        }
        if (sender.hello) {
            sender.hello = false;
            send_metadata();
        } else if (!answer_command() && (mpt_baud_is_quiet() || !mpt_extension_in_turn(fill_any))) {
            return false;
        }
    }
    return true;
}

bool mpt_poll(void)
{
    if (MPT_ON_OTHER_CORE())
        return false;
#if MPT_VERSION_3
    bool is_apart = mpt_tree_begin_poll(), is_left = poll_packets();

    if (is_apart)
        mpt_tree_end_poll();
    return is_left;
#else
    return poll_packets();
#endif
}
