/* stp_reader.c - from the nibbles of a MIPI System Trace Protocol stream to messages.
 *
 * The lowest nibble of a value comes first. Packets are an operation code, a value, and for some a time
 * stamp. A message is the values from one with a stamp to a flag, or to one that is marked as the last. */
#include "dialect/syst/stp_reader.h"

enum state {
    LOST, /* until a mark is seen */
    CODE,
    CODE_F,
    CODE_F0,
    ASYNC,
    VALUE,
    TIME_SIZE,
    TIME,
};

enum kind { OTHER, DATA, MASTER, CHANNEL, FREQUENCY, FLAG };

/* By operation code; 0 is no packet at all. */
static const struct syst_stp_packet codes[16] = {
    [0x1] = {MASTER, 2, 0, 0, 0}, [0x2] = {OTHER, 2, 0, 0, 0}, [0x3] = {CHANNEL, 2, 0, 0, 0},
    [0x4] = {DATA, 2, 0, 0, 0},   [0x5] = {DATA, 4, 0, 0, 0},  [0x6] = {DATA, 8, 0, 0, 0},
    [0x7] = {DATA, 16, 0, 0, 0},  [0x8] = {DATA, 2, 1, 1, 1},  [0x9] = {DATA, 4, 1, 1, 1},
    [0xA] = {DATA, 8, 1, 1, 1},   [0xB] = {DATA, 16, 1, 1, 1}, [0xC] = {OTHER, 1, 0, 0, 0},
    [0xD] = {OTHER, 1, 1, 0, 0},  [0xE] = {FLAG, 0, 1, 0, 1},
};

/* After an F; 0 and F lead on. */
static const struct syst_stp_packet codes_f[16] = {
    [0x1] = {MASTER, 4, 0, 0, 0}, [0x2] = {OTHER, 2, 0, 0, 0}, [0x3] = {CHANNEL, 4, 0, 0, 0},
    [0x4] = {DATA, 2, 1, 1, 0},   [0x5] = {DATA, 4, 1, 1, 0},  [0x6] = {DATA, 8, 1, 1, 0},
    [0x7] = {DATA, 16, 1, 1, 0},  [0x8] = {DATA, 2, 0, 0, 1},  [0x9] = {DATA, 4, 0, 0, 1},
    [0xA] = {DATA, 8, 0, 0, 1},   [0xB] = {DATA, 16, 0, 0, 1}, [0xC] = {OTHER, 1, 1, 0, 0},
    [0xD] = {OTHER, 1, 0, 0, 0},  [0xE] = {FLAG, 0, 0, 0, 1},
};

void syst_stp_reader_lose(struct syst_stp_reader *stp, const struct syst_out *out)
{
    stp->inside = false;
    if (stp->state == LOST)
        return;
    stp->state = LOST;
    out->health->framing_errors++;
    out->lost(out->user);
}

/* ---- messages ---- */

static void end_message(struct syst_stp_reader *stp, const struct syst_out *out)
{
    if (!stp->inside)
        return;
    stp->inside = false;
    out->message(out->user, &(struct syst_frame){.bytes = stp->bytes,
                                                 .n = stp->n,
                                                 .has_time = true,
                                                 .time = stp->start_time,
                                                 .hz = stp->hz,
                                                 .master = stp->master,
                                                 .channel = stp->channel});
}

static void begin_message(struct syst_stp_reader *stp, const struct syst_out *out)
{
    if (stp->inside) { /* only the flag of the one before may be lost: its length will tell */
        out->health->framing_errors++;
        end_message(stp, out);
    }
    stp->inside = true;
    stp->n = 0;
    stp->start_time = stp->time;
}

static void add_data(struct syst_stp_reader *stp, const struct syst_out *out)
{
    size_t n = stp->packet.nibbles / 2;
    if (!stp->inside) { /* of a message whose start was lost */
        out->health->bytes_skipped += n;
        return;
    }
    if (n > sizeof stp->bytes - stp->n) {
        syst_stp_reader_lose(stp, out);
        return;
    }
    for (size_t i = 0; i < n; i++)
        stp->bytes[stp->n++] = (uint8_t)(stp->value >> 8 * i);
}

/* ---- packets ---- */

static void end_packet(struct syst_stp_reader *stp, const struct syst_out *out)
{
    stp->state = CODE;
    switch (stp->packet.kind) {
    case DATA:
        if (stp->packet.starts)
            begin_message(stp, out);
        add_data(stp, out);
        break;
    case MASTER:
        stp->master = (uint16_t)stp->value;
        stp->channel = 0;
        break;
    case CHANNEL: stp->channel = (uint16_t)stp->value; break;
    case FREQUENCY: stp->hz = stp->value; break;
    default: break;
    }
    if (stp->packet.ends)
        end_message(stp, out);
}

static void begin_packet(struct syst_stp_reader *stp, struct syst_stp_packet packet,
                         const struct syst_out *out)
{
    stp->packet = packet;
    stp->value = 0;
    stp->got = 0;
    if (packet.nibbles)
        stp->state = VALUE;
    else if (packet.has_time)
        stp->state = TIME_SIZE;
    else
        end_packet(stp, out);
}

static void begin_time(struct syst_stp_reader *stp, uint8_t size, const struct syst_out *out)
{
    stp->time_part = 0;
    stp->got = 0;
    stp->wanted = size <= 12 ? size : size == 13 ? 14 : 16;
    stp->state = TIME;
    if (size == 0xF)
        syst_stp_reader_lose(stp, out);
    else if (size == 0)
        end_packet(stp, out);
}

/* A stamp of fewer nibbles gives the low ones of a clock that never goes back. */
static void end_time(struct syst_stp_reader *stp, const struct syst_out *out)
{
    unsigned bits = 4u * stp->wanted;
    uint64_t time = stp->time_part;
    if (bits < 64) {
        time |= stp->time >> bits << bits;
        if (time < stp->time)
            time += UINT64_C(1) << bits;
    }
    stp->time = time;
    end_packet(stp, out);
}

static void feed_code_f0(struct syst_stp_reader *stp, uint8_t nibble, const struct syst_out *out)
{
    switch (nibble) {
    case 0x0: begin_packet(stp, (struct syst_stp_packet){OTHER, 1, 0, 0, 0}, out); break; /* version */
    case 0x1: begin_packet(stp, (struct syst_stp_packet){OTHER, 0, 1, 0, 0}, out); break; /* null, stamped */
    case 0x8: begin_packet(stp, (struct syst_stp_packet){FREQUENCY, 8, 0, 0, 0}, out); break;
    case 0x9: begin_packet(stp, (struct syst_stp_packet){FREQUENCY, 8, 1, 0, 0}, out); break;
    default: syst_stp_reader_lose(stp, out); break;
    }
}

void syst_stp_reader_feed(struct syst_stp_reader *stp, uint8_t nibble, const struct syst_out *out)
{
    bool is_async = nibble == 0 && stp->run == SYST_STP_ASYNC_RUN;
    stp->run = nibble != 0xF ? 0 : stp->run < SYST_STP_ASYNC_RUN ? stp->run + 1 : SYST_STP_ASYNC_RUN;
    if (is_async) {
        if (stp->inside)
            syst_stp_reader_lose(stp, out);
        stp->state = CODE;
        return;
    }
    switch (stp->state) {
    case CODE:
        if (nibble == 0xF)
            stp->state = CODE_F;
        else if (nibble)
            begin_packet(stp, codes[nibble], out);
        break;
    case CODE_F:
        if (nibble == 0)
            stp->state = CODE_F0;
        else if (nibble == 0xF)
            stp->state = ASYNC;
        else
            begin_packet(stp, codes_f[nibble], out);
        break;
    case CODE_F0: feed_code_f0(stp, nibble, out); break;
    case ASYNC:
        if (nibble != 0xF)
            syst_stp_reader_lose(stp, out);
        break;
    case VALUE:
        stp->value |= (uint64_t)nibble << 4 * stp->got;
        if (++stp->got < stp->packet.nibbles)
            break;
        if (stp->packet.has_time)
            stp->state = TIME_SIZE;
        else
            end_packet(stp, out);
        break;
    case TIME_SIZE: begin_time(stp, nibble, out); break;
    case TIME:
        stp->time_part |= (uint64_t)nibble << 4 * stp->got;
        if (++stp->got == stp->wanted)
            end_time(stp, out);
        break;
    default: break;
    }
}

bool syst_stp_reader_is_lost(const struct syst_stp_reader *stp)
{
    return stp->state == LOST;
}

static bool is_starting(const struct syst_stp_reader *stp)
{
    return (stp->state == VALUE || stp->state == TIME_SIZE || stp->state == TIME) &&
           stp->packet.kind == DATA && stp->packet.starts;
}

bool syst_stp_reader_is_in_message(const struct syst_stp_reader *stp)
{
    return stp->inside || is_starting(stp);
}

bool syst_stp_reader_is_at_start(const struct syst_stp_reader *stp)
{
    return stp->state == TIME && stp->got == 0 && is_starting(stp);
}

void syst_stp_reader_start(struct syst_stp_reader *stp, uint32_t header, const struct syst_out *out)
{
    stp->inside = false;
    stp->run = 0;
    stp->packet = codes_f[0x6];
    stp->value = header;
    begin_time(stp, 0xE, out);
}
