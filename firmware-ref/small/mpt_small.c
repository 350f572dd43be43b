/* mpt_small.c - the smallest agent: hooks, ring, commands and packets in one file. Build it in place of all
 * mpt*.c of the folder above, with the same port and the same mpt.h.
 *
 * It speaks version 2 of PROFILE_DATA alone, since entries and exits are all that a target must send: pairing
 * them, and what to make of a loss, are the host's. There is one stack, on which interrupts are callees of
 * what they interrupt. The only exit that is sent without its function is that of the call that has just
 * begun; nothing is predicted, so that nothing has to be remembered of a packet. Nothing is configured.
 *
 * A full ring stays closed until it is empty, so that a loss is one stretch. The next packet's number then
 * includes the lost events, and its depth is the current one. While profiling is off the ring is closed as
 * well: a hook then only counts the depth. */
#include "mpt.h"
#include "mpt_ring.h"
#include "protocol/command_reader.h"
#include "protocol/compact.h"
#include "protocol/description.h"
#include "protocol/frame.h"
#include "protocol/packet.h"

/* Jump tables, and the code that reads them, are larger than a few comparisons. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-jump-tables")
#endif

#define FLUSH_TICKS ((uint32_t)((uint64_t)MPT_FLUSH_US * MPT_TICK_HZ / 1000000u))
#define PAYLOAD     (agent.out + MP_FRAME_HEAD)
#define BYTES_2(n)  ((n)&0xFF), (((n) >> 8) & 0xFF)
#define BYTES_4(n)  BYTES_2(n), BYTES_2((n) >> 16)

enum {
    SILENT_TICKS = 1 << 30, /* longest time without a packet */
    EVENT_MOST = 12,        /* bytes of an event in a packet: token, function, time */
};

static struct {
    /* Used by the hooks, and by others with interrupts locked out. */
    uint32_t now;   /* the newest time read, 32 bits whatever the counter's width */
    uint32_t head;  /* events ever written */
    uint32_t limit; /* value of head at which the ring is closed */
    uint32_t lost;  /* events for which there was no room */
    uint32_t level; /* number of running calls */
    bool is_on;

    /* Used by mpt_poll(). */
    bool is_due;    /* a packet is to be sent, with or without events */
    uint8_t closes; /* MP_COMPACT_CLOSES: once all events of the run were sent, a packet reports that; else
                       0 */
    bool is_hello;  /* the METADATA of a start is still to be sent */
    uint8_t run;
    uint32_t read;   /* events ever taken */
    uint32_t looked; /* when the ring was last checked */
    uint32_t depth;  /* number of running calls before the next event */
    uint32_t time;   /* the time sent last */
    uint32_t number; /* of the next event in this run */
    uint32_t calls;  /* number of calls whose end was sent */
    uint32_t overflows;
    const struct mpt_target *target;
    uint8_t *at;   /* position in the packet that is being written or sent */
    uint16_t left; /* bytes of it to be sent; 0: none */
    struct mp_command_reader commands;
    uint8_t out[MPT_SMALL_PACKET_BYTES + MP_FRAME_OVERHEAD];
    struct mpt_event ring[MPT_RING_EVENTS];
} agent;

/* ---- the hooks ---- */

MPT_NOT_INSTRUMENTED void __cyg_profile_func_enter(void *this_fn, void *call_site);
MPT_NOT_INSTRUMENTED void __cyg_profile_func_exit(void *this_fn, void *call_site);

/* Interrupts are locked out. */
MPT_NOT_INSTRUMENTED static inline void look_at_clock(void)
{
    agent.now = mpt_widen(agent.now, mpt_port_ticks());
}

/* Returns the number of running calls after an event. Exits of calls that began unseen do not count. */
MPT_NOT_INSTRUMENTED static inline uint32_t level_after(uint32_t level, uint32_t word)
{
    if (mpt_word_is_enter(word))
        return level + 1;
    return level ? level - 1 : 0;
}

MPT_NOT_INSTRUMENTED static __attribute__((noinline)) void record(uint32_t word)
{
    uint32_t key = mpt_port_lock();

    look_at_clock();
    agent.level = level_after(agent.level, word);
    if (agent.head == agent.limit)
        agent.lost += agent.is_on;
    else
        agent.ring[agent.head++ % MPT_RING_EVENTS] = (struct mpt_event){agent.now, word};
    mpt_port_unlock(key);
}

void __cyg_profile_func_enter(void *this_fn, void *call_site)
{
    if (!MPT_ON_OTHER_CORE())
        record(mpt_word_enter(this_fn));
}

void __cyg_profile_func_exit(void *this_fn, void *call_site)
{
    if (!MPT_ON_OTHER_CORE())
        record(mpt_word_exit(this_fn));
}

MPT_NOT_INSTRUMENTED void mpt_keep_time(void)
{
    if (MPT_ON_OTHER_CORE())
        return;
    uint32_t key = mpt_port_lock();

    look_at_clock();
    mpt_port_unlock(key);
}

/* ---- on and off ---- */

void mpt_init(const struct mpt_target *target)
{
    agent.target = target;
    agent.is_hello = true;
}

/* Accounts for what the hooks have counted so far. The ring is empty, interrupts are locked out. */
static void catch_up(void)
{
    agent.number += agent.lost;
    agent.lost = 0;
    agent.depth = agent.level;
    agent.time = agent.now;
    agent.is_due = true;
}

/* Waiting events of the previous run are missing at the beginning of this one. */
void mpt_start(void)
{
    uint32_t key = mpt_port_lock();

    look_at_clock();
    agent.run++;
    agent.number = agent.head - agent.read;
    agent.read = agent.head;
    agent.limit = agent.head + MPT_RING_EVENTS;
    agent.is_on = true;
    agent.closes = 0;
    catch_up();
    mpt_port_unlock(key);
}

void mpt_stop(void)
{
    uint32_t key = mpt_port_lock();

    agent.is_on = false;
    agent.limit = agent.head;
    agent.is_due = true;
    mpt_port_unlock(key);
}

bool mpt_is_profiling(void)
{
    return agent.is_on;
}

/* Gives the events that were taken back to the hooks. Returns how many events wait. */
static uint32_t open_ring(void)
{
    uint32_t key = mpt_port_lock(), waiting = agent.head - agent.read;

    look_at_clock();
    agent.looked = agent.now;
    if (!waiting && agent.lost) {
        agent.overflows++;
        catch_up();
    }
    if (agent.is_on && !agent.lost)
        agent.limit = agent.read + MPT_RING_EVENTS;
    mpt_port_unlock(key);
    return waiting;
}

uint32_t mpt_room(void)
{
    uint32_t waiting = open_ring();

    return agent.lost ? 0 : (MPT_RING_EVENTS - waiting) / 2;
}

/* ---- packets ---- */

static void put(uint32_t byte)
{
    *agent.at++ = (uint8_t)byte;
}

static void put_varint(uint32_t value)
{
    for (; value >= 0x80; value >>= 7)
        put(value | 0x80u);
    put(value);
}

static void put_u32(uint32_t value)
{
    for (uint32_t i = 0; i < 4; i++, value >>= 8)
        put(value);
}

static void put_time(uint32_t passed)
{
    if (passed >= MP_COMPACT_TIME_2) {
        put(MP_COMPACT_TIME_LATE);
        put_varint(passed);
        return;
    }
    if (passed >= MP_COMPACT_TIME_1) {
        passed -= MP_COMPACT_TIME_1;
        put(MP_COMPACT_TIME_1 + (passed >> 8));
    }
    put(passed);
}

/* `told` is the word of the previous event in the packet. */
static void put_event(struct mpt_event event, uint32_t told)
{
    bool is_enter = mpt_word_is_enter(event.word);
    uint32_t step =
        (mpt_word_function(event.word) >> MPT_CODE_SHIFT) - (mpt_word_function(told) >> MPT_CODE_SHIFT);

    agent.number++;
    agent.depth = level_after(agent.depth, event.word);
    agent.calls += !is_enter;
    if (!is_enter && (event.word ^ MPT_WORD_KIND) == told) {
        put(MP_TOKEN_EXIT);
    } else {
        put(is_enter ? MP_TOKEN_ENTER_NEW : MP_TOKEN_EXIT_NEW);
        put_varint(step << 1 ^ (uint32_t)((int32_t)step >> 31));
    }
    put_time(event.ticks - agent.time);
    agent.time = event.ticks;
}

/* Writes events, when it is time for them. */
static uint8_t write_events(void)
{
    uint32_t waiting = open_ring(), since = agent.looked - agent.time, told = 0;
    uint32_t form = MPT_CODE_SHIFT << 4;

    if (!agent.is_due && waiting < MPT_RING_EVENTS / 2 && since < (waiting ? FLUSH_TICKS : SILENT_TICKS))
        return 0;
    put(MP_PROFILE_DATA_V2);
    if (!waiting) {
        agent.time = agent.looked;
        form |= agent.closes;
        agent.closes = 0;
    }
    put(form);
    put_u32((uint32_t)agent.run << 28 | (agent.number & MP_COMPACT_EVENTS));
    put_u32(agent.time);
    put(MP_CONTEXT_TASK(0));
    put_varint(agent.depth);
    put(MP_TOKEN_CLOCK);
    put_varint(MPT_TICK_HZ);
    for (; waiting && agent.at <= PAYLOAD + MPT_SMALL_PACKET_BYTES - EVENT_MOST; waiting--) {
        struct mpt_event event = agent.ring[agent.read++ % MPT_RING_EVENTS];

        put_event(event, told);
        told = event.word;
    }
    agent.is_due = waiting || agent.closes; /* the rest is still to be sent */
    return MP_PROFILE_DATA;
}

/* ---- commands ---- */

static uint8_t write_metadata(void)
{
    const char *version = agent.target->fw_version;

    put_u32(agent.target->clock_hz);
    put_u32(MPT_TICK_HZ);
    put_u32(0);
    for (uint32_t i = 0; i < MP_FW_VERSION_SIZE; i++) {
        put((uint8_t)*version);
        version += *version != 0;
    }
    return MP_METADATA;
}

static uint8_t write_status(void)
{
    put(agent.is_on);
    put_u32(agent.overflows);
    put_u32(agent.calls);
    put((agent.head - agent.read) * 100u / MPT_RING_EVENTS);
    return MP_STATUS;
}

static uint8_t write_description(void)
{
    static const uint8_t said[] = {MP_DESCRIPTION_FORM,
                                   1 << MP_PROFILE_DATA_V2,
                                   BYTES_4(MPT_TICK_HZ),
                                   BYTES_2(MPT_RING_RECORDS),
                                   BYTES_2(0xFFFFu) /* calls on a stack */,
                                   1,
                                   BYTES_2(MPT_SMALL_PACKET_BYTES),
                                   0};

    for (uint32_t i = 0; i < sizeof said; i++)
        put(said[i]);
    return MP_DESCRIPTION;
}

static uint8_t carry_out(const struct mp_command *command)
{
    uint32_t code = command->code;

    if (code == MP_GET_METADATA)
        return write_metadata();
    if (code == MP_GET_STATUS)
        return write_status();
    if (code == MP_DESCRIBE)
        return write_description();
    if (code == MP_STOP) {
        mpt_stop();
        agent.closes = mp_command_wants_closing(command) ? MP_COMPACT_CLOSES : 0;
    } else if (code == MP_START && command->length && command->payload[0] == MP_PROFILE_DATA_V2)
        mpt_start();
    else {
        return MP_NACK;
    }
    return MP_ACK;
}

/* Writes the next packet. Returns its type, 0 when there is nothing to send. */
static uint8_t write_packet(void)
{
    struct mp_command command;
    uint8_t byte;

    if (agent.is_hello) {
        agent.is_hello = false;
        return write_metadata();
    }
    while (mpt_port_read(&byte, 1))
        if (mp_command_reader_push(&agent.commands, byte, &command))
            return carry_out(&command);
    return write_events();
}

/* Returns false when there is nothing to send. */
static bool send(void)
{
    if (!agent.left) {
        agent.at = PAYLOAD;
        uint8_t type = write_packet();

        if (!type)
            return false;
        agent.left = (uint16_t)mp_frame_seal(agent.out, type, (uint16_t)(agent.at - PAYLOAD));
        agent.at = agent.out;
    }
    size_t n = mpt_port_write(agent.at, agent.left);

    agent.at += n;
    agent.left = (uint16_t)(agent.left - n);
    (void)open_ring();
    return true;
}

/* Interrupts may make calls as fast as these can be sent, so the number of packets per poll is limited to
 * what a full ring needs. */
bool mpt_poll(void)
{
    if (MPT_ON_OTHER_CORE())
        return false;
    for (uint32_t packets = 0; packets < MPT_RING_RECORDS; packets++) {
        if (!send())
            return false;
        if (agent.left)
            break;
    }
    return true;
}
