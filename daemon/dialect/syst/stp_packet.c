/* stp_packet.c - reads packets from the nibbles of a MIPI System Trace Protocol stream (STPv2).
 *
 * A packet is an operation code of one to four nibbles, a value, and in some kinds a time stamp. The tables
 * below have all codes of STP 2.0 to 2.4, so that unused kinds can be skipped by their length. */
#include "dialect/syst/stp_packet.h"

enum state {
    LOST, /* until ASYNC */
    CODE,
    CODE_F,
    CODE_F0,
    CODE_F0F,
    ASYNC,
    LENGTH, /* of a USER packet's value */
    CLOCK,  /* of a TIME packet: which clock, and the kind of its stamp */
    CLOCK_STAMPS,
    VALUE,
    STAMP_SIZE,
    STAMP,
};

/* Reserved codes and prefixes of longer codes are RESERVED here. */
#define NONE                                                                                                 \
    {                                                                                                        \
        SYST_STP_RESERVED, 0, 0, 0                                                                           \
    }
/* clang-format off */
static const struct syst_stp_packet codes[16] = {
    [0x0] = {SYST_STP_OTHER, 0, 0, 0},        /* NULL */
    [0x1] = {SYST_STP_MASTER8, 2, 0, 0},      /* M8 */
    [0x2] = {SYST_STP_MASTER_ERROR, 2, 0, 0}, /* MERR */
    [0x3] = {SYST_STP_CHANNEL8, 2, 0, 0},     /* C8 */
    [0x4] = {SYST_STP_DATA, 2, 0, 0},         /* D8 */
    [0x5] = {SYST_STP_DATA, 4, 0, 0},         /* D16 */
    [0x6] = {SYST_STP_DATA, 8, 0, 0},         /* D32 */
    [0x7] = {SYST_STP_DATA, 16, 0, 0},        /* D64 */
    [0x8] = {SYST_STP_DATA, 2, 1, 1},         /* D8MTS */
    [0x9] = {SYST_STP_DATA, 4, 1, 1},         /* D16MTS */
    [0xA] = {SYST_STP_DATA, 8, 1, 1},         /* D32MTS */
    [0xB] = {SYST_STP_DATA, 16, 1, 1},        /* D64MTS */
    [0xC] = {SYST_STP_OTHER, 1, 0, 0},        /* D4: SyS-T has no half bytes */
    [0xD] = {SYST_STP_OTHER, 1, 1, 0},        /* D4MTS */
    [0xE] = {SYST_STP_FLAG, 0, 1, 1},         /* FLAG_TS */
    [0xF] = NONE,
};
static const struct syst_stp_packet codes_f[16] = {
    [0x0] = NONE,
    [0x1] = {SYST_STP_MASTER16, 4, 0, 0},     /* M16 */
    [0x2] = {SYST_STP_GLOBAL_ERROR, 2, 0, 0}, /* GERR */
    [0x3] = {SYST_STP_CHANNEL16, 4, 0, 0},    /* C16 */
    [0x4] = {SYST_STP_DATA, 2, 1, 0},         /* D8TS */
    [0x5] = {SYST_STP_DATA, 4, 1, 0},         /* D16TS */
    [0x6] = {SYST_STP_DATA, 8, 1, 0},         /* D32TS */
    [0x7] = {SYST_STP_DATA, 16, 1, 0},        /* D64TS */
    [0x8] = {SYST_STP_DATA, 2, 0, 1},         /* D8M */
    [0x9] = {SYST_STP_DATA, 4, 0, 1},         /* D16M */
    [0xA] = {SYST_STP_DATA, 8, 0, 1},         /* D32M */
    [0xB] = {SYST_STP_DATA, 16, 0, 1},        /* D64M */
    [0xC] = {SYST_STP_OTHER, 1, 1, 0},        /* D4TS */
    [0xD] = {SYST_STP_OTHER, 1, 0, 0},        /* D4M */
    [0xE] = {SYST_STP_FLAG, 0, 0, 1},         /* FLAG */
    [0xF] = NONE,
};
static const struct syst_stp_packet codes_f0[16] = {
    [0x0] = {SYST_STP_VERSION, 1, 0, 0},      /* VERSION */
    [0x1] = {SYST_STP_OTHER, 0, 1, 0},        /* NULL_TS */
    [0x2] = {SYST_STP_USER, 0, 0, 0},         /* USER */
    [0x3] = {SYST_STP_USER, 0, 1, 0},         /* USER_TS */
    [0x4] = {SYST_STP_TIME, 0, 0, 0},         /* TIME */
    [0x5] = {SYST_STP_TIME, 0, 1, 0},         /* TIME_TS */
    [0x6] = {SYST_STP_OTHER, 2, 0, 0},        /* TRIG */
    [0x7] = {SYST_STP_OTHER, 2, 1, 0},        /* TRIG_TS */
    [0x8] = {SYST_STP_FREQUENCY, 8, 0, 0},    /* FREQ */
    [0x9] = {SYST_STP_FREQUENCY, 8, 1, 0},    /* FREQ_TS */
    [0xA] = {SYST_STP_OTHER, 2, 0, 0},        /* XSYNC */
    [0xB] = {SYST_STP_OTHER, 2, 1, 0},        /* XSYNC_TS */
    [0xC] = NONE, [0xD] = NONE, [0xE] = NONE, [0xF] = NONE,
};
static const struct syst_stp_packet codes_f0f[16] = {
    [0x0] = {SYST_STP_FREQUENCY, 10, 0, 0},   /* FREQ_40 */
    [0x1] = {SYST_STP_FREQUENCY, 10, 1, 0},   /* FREQ_40_TS */
    [0x2] = {SYST_STP_OTHER, 0, 0, 0},        /* DIP */
    [0x3] = {SYST_STP_CHANNEL_ERROR, 2, 0, 0}, /* CERR */
    [0x4] = NONE, [0x5] = NONE, [0x6] = NONE, [0x7] = NONE, [0x8] = NONE, [0x9] = NONE,
    [0xA] = NONE, [0xB] = NONE, [0xC] = NONE, [0xD] = NONE, [0xE] = NONE, [0xF] = NONE,
};
/* clang-format on */

/* ---- stamps ---- */

static uint8_t stamps_of(uint8_t version)
{
    static const uint8_t kinds[] = {SYST_STP_LEGACY, SYST_STP_LEGACY, SYST_STP_DELTA, SYST_STP_ABSOLUTE,
                                    SYST_STP_GRAY};
    uint8_t kind = version & 7;
    return kind < sizeof kinds ? kinds[kind] : SYST_STP_UNKNOWN;
}

static uint64_t gray_of(uint64_t number)
{
    return number ^ number >> 1;
}

static uint64_t number_of(uint64_t gray)
{
    for (int shift = 1; shift < 64; shift *= 2)
        gray ^= gray >> shift;
    return gray;
}

/* Returns the clock's time from the low `bits` bits in a stamp. */
static uint64_t time_of(const struct syst_stp_packets *packets, uint64_t stamp, unsigned bits)
{
    uint64_t high = bits < 64 ? UINT64_MAX << bits : 0;
    switch (packets->stamps) {
    case SYST_STP_DELTA: return packets->time + stamp;
    case SYST_STP_GRAY: return number_of((gray_of(packets->time) & high) | stamp);
    case SYST_STP_ABSOLUTE: {
        uint64_t time = (packets->time & high) | stamp;
        /* A clock never goes back: the next nibble has changed, but was not sent. */
        return bits > 0 && bits < 64 && time < packets->time ? time + (UINT64_C(1) << bits) : time;
    }
    default: return packets->time;
    }
}

/* ---- packets ---- */

static uint64_t add_nibble(const struct syst_stp_packets *packets, uint64_t value, uint8_t nibble)
{
    if (packets->most_first || packets->packet.kind == SYST_STP_VERSION_MORE)
        return value << 4 | nibble;
    return value | (uint64_t)nibble << 4 * packets->got;
}

static enum syst_stp_step lose(struct syst_stp_packets *packets)
{
    packets->state = LOST;
    return SYST_STP_LOST;
}

static enum syst_stp_step begin_value(struct syst_stp_packets *packets);

static enum syst_stp_step end_packet(struct syst_stp_packets *packets)
{
    packets->state = CODE;
    switch (packets->packet.kind) {
    case SYST_STP_FREQUENCY: packets->hz = packets->value; break;
    case SYST_STP_VERSION:
        packets->stamps = stamps_of((uint8_t)packets->value);
        packets->told = SYST_STP_NOT_TOLD;
        if (packets->value & 8) {
            packets->packet = (struct syst_stp_packet){.kind = SYST_STP_VERSION_MORE, .nibbles = 2};
            return begin_value(packets);
        }
        break;
    case SYST_STP_VERSION_MORE:
        packets->told = packets->value & 0x80 ? SYST_STP_TOLD_LEAST : SYST_STP_TOLD_MOST;
        packets->packet.kind = SYST_STP_VERSION;
        break;
    default: break;
    }
    return SYST_STP_PACKET;
}

/* Continues after the value of a packet. */
static enum syst_stp_step end_value(struct syst_stp_packets *packets)
{
    if (!packets->packet.has_time)
        return end_packet(packets);
    packets->got = 0;
    packets->stamp = 0;
    packets->is_aside = false;
    packets->wanted = 2;
    packets->state = packets->stamps == SYST_STP_LEGACY ? STAMP : STAMP_SIZE;
    return SYST_STP_INSIDE;
}

static enum syst_stp_step begin_value(struct syst_stp_packets *packets)
{
    packets->value = 0;
    packets->got = 0;
    if (packets->packet.nibbles == 0)
        return end_value(packets);
    packets->state = VALUE;
    return SYST_STP_INSIDE;
}

static enum syst_stp_step begin_packet(struct syst_stp_packets *packets, struct syst_stp_packet packet)
{
    packets->packet = packet;
    switch (packet.kind) {
    case SYST_STP_RESERVED: return lose(packets);
    case SYST_STP_USER: packets->state = LENGTH; return SYST_STP_INSIDE;
    case SYST_STP_TIME: packets->state = CLOCK; return SYST_STP_INSIDE;
    default: return begin_value(packets);
    }
}

static enum syst_stp_step end_stamp(struct syst_stp_packets *packets)
{
    if (packets->is_aside)
        return end_value(packets);
    packets->time = time_of(packets, packets->stamp, 4u * packets->wanted);
    return end_packet(packets);
}

static enum syst_stp_step begin_stamp(struct syst_stp_packets *packets, uint8_t size)
{
    packets->stamp = 0;
    packets->got = 0;
    packets->wanted = size <= 12 ? size : size == 13 ? 14 : 16;
    packets->state = STAMP;
    if (size == 0xF)
        return lose(packets);
    return size == 0 ? end_stamp(packets) : SYST_STP_INSIDE;
}

static void begin_clock_stamp(struct syst_stp_packets *packets, uint8_t version)
{
    packets->is_aside = true;
    packets->stamp = 0;
    packets->got = 0;
    packets->wanted = 2;
    packets->state = stamps_of(version) == SYST_STP_LEGACY ? STAMP : STAMP_SIZE;
}

/* ---- nibbles ---- */

static enum syst_stp_step feed_code(struct syst_stp_packets *packets, uint8_t nibble)
{
    switch (packets->state) {
    case CODE:
        if (nibble != 0xF)
            return begin_packet(packets, codes[nibble]);
        packets->state = CODE_F;
        break;
    case CODE_F:
        if (nibble != 0 && nibble != 0xF)
            return begin_packet(packets, codes_f[nibble]);
        packets->state = nibble == 0 ? CODE_F0 : ASYNC;
        break;
    case CODE_F0:
        if (nibble != 0xF)
            return begin_packet(packets, codes_f0[nibble]);
        packets->state = CODE_F0F;
        break;
    default: return begin_packet(packets, codes_f0f[nibble]);
    }
    return SYST_STP_INSIDE;
}

static enum syst_stp_step feed_inside(struct syst_stp_packets *packets, uint8_t nibble)
{
    switch (packets->state) {
    case ASYNC: return nibble == 0xF ? SYST_STP_INSIDE : lose(packets);
    case LENGTH: packets->packet.nibbles = nibble + 1; return begin_value(packets);
    case CLOCK: packets->state = CLOCK_STAMPS; return SYST_STP_INSIDE;
    case CLOCK_STAMPS: begin_clock_stamp(packets, nibble); return SYST_STP_INSIDE;
    case VALUE:
        packets->value = add_nibble(packets, packets->value, nibble);
        return ++packets->got < packets->packet.nibbles ? SYST_STP_INSIDE : end_value(packets);
    case STAMP_SIZE: return begin_stamp(packets, nibble);
    case STAMP:
        packets->stamp = add_nibble(packets, packets->stamp, nibble);
        return ++packets->got < packets->wanted ? SYST_STP_INSIDE : end_stamp(packets);
    case LOST: return SYST_STP_INSIDE;
    default: return feed_code(packets, nibble);
    }
}

enum syst_stp_step syst_stp_packets_feed(struct syst_stp_packets *packets, uint8_t nibble)
{
    bool is_async = nibble == 0 && packets->run == SYST_STP_ASYNC_RUN;
    packets->run = nibble != 0xF                       ? 0
                   : packets->run < SYST_STP_ASYNC_RUN ? packets->run + 1
                                                       : SYST_STP_ASYNC_RUN;
    if (!is_async)
        return feed_inside(packets, nibble);
    bool was_due = packets->state == ASYNC || packets->state == LOST;
    packets->state = CODE;
    return was_due ? SYST_STP_SYNC : SYST_STP_RESYNC;
}

bool syst_stp_packets_lose(struct syst_stp_packets *packets)
{
    bool was_lost = packets->state == LOST;
    packets->state = LOST;
    return !was_lost;
}

void syst_stp_packets_start(struct syst_stp_packets *packets, uint32_t value)
{
    packets->run = 0;
    packets->packet = codes_f[0x6];
    packets->value = value;
    packets->is_aside = false;
    begin_stamp(packets, 0xE);
}

bool syst_stp_packets_are_lost(const struct syst_stp_packets *packets)
{
    return packets->state == LOST;
}

bool syst_stp_packets_are_starting(const struct syst_stp_packets *packets)
{
    return (packets->state == VALUE || packets->state == STAMP_SIZE || packets->state == STAMP) &&
           packets->packet.kind == SYST_STP_DATA && packets->packet.has_time;
}

bool syst_stp_packets_are_at_stamp(const struct syst_stp_packets *packets)
{
    return packets->state == STAMP && packets->got == 0 && syst_stp_packets_are_starting(packets);
}
