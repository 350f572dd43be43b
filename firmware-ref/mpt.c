/* mpt.c - the agent's side that talks: carries out commands and turns the ring of finished calls into
 * packets.
 *
 * No packet ever exists as a whole. A PROFILE_DATA packet is announced with its number of records, then each
 * record is encoded when the port has taken the one before it; `out` holds one such piece. Commands are
 * carried out between packets, so an answer never lands inside one and an announced record is always still in
 * the ring. */
#include "mpt.h"

#include "mpt_build_id.h"
#include "mpt_clock.h"
#include "mpt_state.h"
#include "protocol/bytes.h"
#include "protocol/command_reader.h"
#include "protocol/frame.h"
#include "protocol/packet.h"

#define FLUSH_TICKS ((uint32_t)((uint64_t)MPT_FLUSH_US * MPT_TICK_HZ / 1000000u))

/* Interrupts may finish calls as fast as these can be sent, and the caller has other things to do. */
#define PIECES_PER_POLL (2u * MPT_RING_RECORDS)

/* On ARM an address carries the Thumb bit; symbols are told without it. */
#if defined __arm__
#define CODE_ADDRESS_MASK 0xFFFFFFFEu
#else
#define CODE_ADDRESS_MASK 0xFFFFFFFFu
#endif

static struct {
    const struct mpt_target *target;
    struct mpt_clock clock;
    struct mp_command_reader commands;
    struct mp_frame_writer frame;
    uint32_t build_id;
    uint32_t head_at_reset;
    uint32_t packet_ticks; /* when the newest PROFILE_DATA packet was begun */
    uint16_t max_depth;
    uint8_t packet_records;
    uint8_t records_left; /* of the packet that is being sent */
    bool hello;           /* the METADATA of a start is still to be sent */
    uint8_t out_length;
    uint8_t out_sent;
    uint8_t out[MP_METADATA_SIZE + MP_FRAME_OVERHEAD]; /* the longest piece */
} sender;

static void out_put(void *user, uint8_t byte)
{
    sender.out[sender.out_length++] = byte;
}

void mpt_init(const struct mpt_target *target)
{
    sender.target = target;
    sender.frame.put = out_put;
    sender.packet_records = MPT_PACKET_RECORDS;
    sender.max_depth = MPT_STACK_DEPTH;
    sender.hello = true;
    if (MPT_BUILD_ID)
        sender.build_id = target->text_bytes ? mpt_build_id(target->text, target->text_bytes) : 0;
}

/* Calls that are running now lack a part of their callees: they are not reported. */
static void forget_running_calls(void)
{
    mpt_state.floor = mpt_state.depth;
}

void mpt_start(void)
{
    uint32_t key = mpt_port_lock();

    if (!mpt_state.depth_limit)
        forget_running_calls();
    mpt_state.depth_limit = sender.max_depth;
    mpt_port_unlock(key);
}

void mpt_stop(void)
{
    uint32_t key = mpt_port_lock();

    mpt_state.depth_limit = 0;
    mpt_port_unlock(key);
}

void mpt_reset(void)
{
    uint32_t key = mpt_port_lock();

    /* Records that an unfinished packet has announced must still come. */
    mpt_state.head = mpt_state.tail + sender.records_left;
    mpt_state.overflows = 0;
    mpt_state.dropping = 0;
    sender.head_at_reset = mpt_state.head;
    forget_running_calls();
    mpt_port_unlock(key);
}

bool mpt_is_profiling(void)
{
    return mpt_state.depth_limit != 0;
}

static uint32_t waiting_records(void)
{
    uint32_t key = mpt_port_lock();
    uint32_t waiting = mpt_state.head - mpt_state.tail;

    mpt_port_unlock(key);
    return waiting;
}

uint32_t mpt_room(void)
{
    return MPT_RING_RECORDS - waiting_records();
}

void mpt_keep_time(void)
{
    uint32_t key = mpt_port_lock();

    (void)mpt_now();
    mpt_port_unlock(key);
}

/* A call whose age is about to exceed the counter can no longer be timed, so it is given up. The oldest calls
 * lie lowest. */
static void give_up_old_calls(uint32_t now)
{
    struct mpt_state *s = &mpt_state;

    while (s->floor < s->depth && s->floor < s->depth_limit && now - s->start_ticks[s->floor] >= 1u << 31)
        s->floor++;
}

/* Returns the number of waiting records, and the time in *now; on the way does what must be done with time
 * once per 2^31 ticks. */
static uint32_t watch(uint32_t *now)
{
    uint32_t key = mpt_port_lock();
    uint32_t waiting = mpt_state.head - mpt_state.tail;

    *now = mpt_now();
    give_up_old_calls(*now);
    /* While no record waits, none can come that ended before now: the clock keeps up through silence of any
     * length. */
    if (!waiting)
        mpt_clock_advance(&sender.clock, *now);
    mpt_port_unlock(key);
    return waiting;
}

static void send_metadata(void)
{
    struct mp_metadata metadata = {
        .mcu_clock_hz = sender.target->clock_hz,
        .timer_hz = 1000000, /* of the times on the wire, whatever the counter's own */
        .elf_build_id = sender.build_id,
    };
    uint8_t payload[MP_METADATA_SIZE];
    const char *version = sender.target->fw_version;

    for (uint32_t i = 0; i < MP_FW_VERSION_SIZE && version[i]; i++)
        metadata.fw_version[i] = version[i];
    mp_metadata_encode(&metadata, payload);
    mp_frame_write(&sender.frame, MP_METADATA, payload, sizeof payload);
}

static void send_status(void)
{
    uint8_t payload[MP_STATUS_SIZE];
    struct mp_status status;
    uint32_t key = mpt_port_lock();

    status.is_profiling = mpt_is_profiling();
    status.buffer_overflows = mpt_state.overflows;
    status.records_captured = mpt_state.head - sender.head_at_reset;
    status.buffer_usage_percent = (uint8_t)((mpt_state.head - mpt_state.tail) * 100u / MPT_RING_RECORDS);
    mpt_port_unlock(key);
    mp_status_encode(&status, payload);
    mp_frame_write(&sender.frame, MP_STATUS, payload, sizeof payload);
}

/* Running calls were timed, or not, by the limit of their beginning. */
static void limit_depth(uint16_t max_depth)
{
    uint32_t key = mpt_port_lock();

    sender.max_depth = max_depth;
    if (mpt_state.depth_limit) {
        mpt_state.depth_limit = max_depth;
        forget_running_calls();
    }
    mpt_port_unlock(key);
}

static bool configure(const struct mp_command *command)
{
    if (!MPT_SET_CONFIG || command->length != 5)
        return false;
    uint8_t config_key = command->payload[0];
    uint32_t value = mp_load_u32(command->payload + 1);

    switch (config_key) {
    case MPT_CONFIG_PACKET_RECORDS:
        if (value < 1 || value > 255)
            return false;
        sender.packet_records = (uint8_t)value;
        return true;
    case MPT_CONFIG_MIN_DURATION_US: {
        uint64_t ticks = (uint64_t)value * MPT_UNITS_PER_US / MPT_UNITS_PER_TICK;

        if (ticks > 1u << 31)
            return false;
        mpt_state.min_ticks = (uint32_t)ticks;
        return true;
    }
    case MPT_CONFIG_MAX_DEPTH:
        if (value < 1 || value > MPT_STACK_DEPTH)
            return false;
        limit_depth((uint16_t)value);
        return true;
    default:
        return config_key >= MPT_CONFIG_APPLICATION && sender.target->configure &&
               sender.target->configure(config_key, value);
    }
}

static void carry_out(const struct mp_command *command)
{
    bool done = true;

    switch (command->code) {
    case MP_START: mpt_start(); break;
    case MP_STOP: mpt_stop(); break;
    case MP_RESET_BUFFERS: mpt_reset(); break;
    case MP_SET_CONFIG: done = configure(command); break;
    case MP_GET_STATUS: send_status(); return;
    case MP_GET_METADATA: send_metadata(); return;
    default: done = false;
    }
    mp_frame_write(&sender.frame, done ? MP_ACK : MP_NACK, NULL, 0);
}

/* True when a command was there; its answer is then in `out`. */
static bool answer_command(void)
{
    struct mp_command command;
    uint8_t byte;

    while (mpt_port_read(&byte, 1)) {
        if (mp_command_reader_push(&sender.commands, byte, &command)) {
            carry_out(&command);
            return true;
        }
    }
    return false;
}

/* True when there is reason to send a packet; its head is then in `out`. */
static bool begin_packet(void)
{
    uint32_t now;
    uint32_t waiting = watch(&now);

    if (!waiting)
        return false;
    if (waiting > sender.packet_records)
        waiting = sender.packet_records;
    else if (waiting < sender.packet_records && mpt_is_profiling() && now - sender.packet_ticks < FLUSH_TICKS)
        return false;

    struct mp_profile_head head = {.version = MP_PROFILE_DATA_V1, .record_count = (uint16_t)waiting};
    uint8_t payload[MP_PROFILE_DATA_HEAD];

    sender.packet_ticks = now;
    sender.records_left = (uint8_t)waiting;
    mp_profile_head_encode(&head, payload);
    mp_frame_begin(&sender.frame, MP_PROFILE_DATA,
                   (uint16_t)(MP_PROFILE_DATA_HEAD + MP_RECORD_SIZE * waiting));
    mp_frame_put(&sender.frame, payload, sizeof payload);
    return true;
}

static void send_record(void)
{
    const struct mpt_record *record = &mpt_state.ring[mpt_state.tail % MPT_RING_RECORDS];
    uint8_t payload[MP_RECORD_SIZE];
    struct mp_record wire = {.address = record->function & CODE_ADDRESS_MASK, .depth = record->depth};

    mpt_clock_advance(&sender.clock, record->end_ticks);
    wire.duration = mpt_clock_us_since(&sender.clock, record->start_ticks);
    wire.start = sender.clock.us - wire.duration;
    mp_record_encode(&wire, payload);
    mp_frame_put(&sender.frame, payload, sizeof payload);
    if (--sender.records_left == 0)
        mp_frame_end(&sender.frame);

    uint32_t key = mpt_port_lock();
    mpt_state.tail++;
    mpt_state.dropping = 0;
    mpt_port_unlock(key);
}

static bool send_out(void)
{
    while (sender.out_sent < sender.out_length) {
        size_t n =
            mpt_port_write(sender.out + sender.out_sent, (size_t)(sender.out_length - sender.out_sent));
        if (!n)
            return false;
        sender.out_sent = (uint8_t)(sender.out_sent + n);
    }
    sender.out_sent = sender.out_length = 0;
    return true;
}

bool mpt_poll(void)
{
    uint32_t now;

    (void)watch(&now);
    for (uint32_t pieces = 0; pieces < PIECES_PER_POLL; pieces++) {
        if (!send_out())
            return true;
        if (sender.records_left) {
            send_record();
        } else if (sender.hello) {
            sender.hello = false;
            send_metadata();
        } else if (!answer_command() && !begin_packet()) {
            return false;
        }
    }
    return true;
}
