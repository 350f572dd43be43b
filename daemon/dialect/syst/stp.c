/* stp.c - messages in a MIPI System Trace Protocol stream of nibbles.
 *
 * The low nibble of a byte comes first, and so does the lowest nibble of a value. Packets are an operation
 * code, a value, and for some a time stamp. A message is the values from one with a stamp to a flag, or to
 * one that is marked as the last.
 *
 * The stream's own mark for finding back is ASYNC, which comes only every now and then. But writers fill up
 * to a whole byte after a message, so nearly every message begins at a byte. Six bytes there have so much
 * that must be as it is (the code, a message's header, the kind of stamp) that they count as a mark, too,
 * whatever was believed before them. */
#include "dialect/syst/stp.h"

#include "protocol/bytes.h"

enum { ASYNC_RUN = 21 };

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

static void lose(struct syst_stp *stp, const struct syst_out *out)
{
    stp->inside = false;
    if (stp->state == LOST)
        return;
    stp->state = LOST;
    out->health->framing_errors++;
    out->lost(out->user);
}

/* ---- messages ---- */

static void end_message(struct syst_stp *stp, const struct syst_out *out)
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

static void begin_message(struct syst_stp *stp, const struct syst_out *out)
{
    if (stp->inside) { /* only the flag of the one before may be lost: its length will tell */
        out->health->framing_errors++;
        end_message(stp, out);
    }
    stp->inside = true;
    stp->n = 0;
    stp->start_time = stp->time;
}

static void add_data(struct syst_stp *stp, const struct syst_out *out)
{
    size_t n = stp->packet.nibbles / 2;
    if (!stp->inside) { /* of a message whose start was lost */
        out->health->bytes_skipped += n;
        return;
    }
    if (n > sizeof stp->bytes - stp->n) {
        lose(stp, out);
        return;
    }
    for (size_t i = 0; i < n; i++)
        stp->bytes[stp->n++] = (uint8_t)(stp->value >> 8 * i);
}

/* ---- packets ---- */

static void end_packet(struct syst_stp *stp, const struct syst_out *out)
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

static void begin_packet(struct syst_stp *stp, struct syst_stp_packet packet, const struct syst_out *out)
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

static void begin_time(struct syst_stp *stp, uint8_t size, const struct syst_out *out)
{
    stp->time_part = 0;
    stp->got = 0;
    stp->wanted = size <= 12 ? size : size == 13 ? 14 : 16;
    stp->state = TIME;
    if (size == 0xF)
        lose(stp, out);
    else if (size == 0)
        end_packet(stp, out);
}

/* A stamp of fewer nibbles gives the low ones of a clock that never goes back. */
static void end_time(struct syst_stp *stp, const struct syst_out *out)
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

static void feed_code_f0(struct syst_stp *stp, uint8_t nibble, const struct syst_out *out)
{
    switch (nibble) {
    case 0x0: begin_packet(stp, (struct syst_stp_packet){OTHER, 1, 0, 0, 0}, out); break; /* version */
    case 0x1: begin_packet(stp, (struct syst_stp_packet){OTHER, 0, 1, 0, 0}, out); break; /* null, stamped */
    case 0x8: begin_packet(stp, (struct syst_stp_packet){FREQUENCY, 8, 0, 0, 0}, out); break;
    case 0x9: begin_packet(stp, (struct syst_stp_packet){FREQUENCY, 8, 1, 0, 0}, out); break;
    default: lose(stp, out); break;
    }
}

static void feed_nibble(struct syst_stp *stp, uint8_t nibble, const struct syst_out *out)
{
    bool is_async = nibble == 0 && stp->run == ASYNC_RUN;
    stp->run = nibble != 0xF ? 0 : stp->run < ASYNC_RUN ? stp->run + 1 : ASYNC_RUN;
    if (is_async) {
        if (stp->inside)
            lose(stp, out);
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
            lose(stp, out);
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

/* ---- the mark at the start of a message ---- */

/* After the low nibble of a byte: whether it and the five bytes before it are code F 6, the header of a
 * message with length, and the kind of stamp that writers use. */
static bool is_start(const struct syst_stp *stp, uint8_t nibble)
{
    if (nibble != 0xE || (stp->recent >> 32 & 0xFF) != 0x6F)
        return false;
    uint8_t header[4];
    for (int i = 0; i < 4; i++)
        header[i] = (uint8_t)(stp->recent >> 8 * (3 - i));
    return syst_header_has_length(mp_load_u32(header));
}

static bool is_known_start(const struct syst_stp *stp)
{
    return stp->state == TIME && stp->got == 0 && stp->packet.kind == DATA && stp->packet.starts;
}

static void begin_at_mark(struct syst_stp *stp, const struct syst_out *out)
{
    uint64_t recent = stp->recent;
    lose(stp, out);
    stp->packet = codes_f[0x6];
    stp->value = 0;
    for (int i = 0; i < 4; i++)
        stp->value |= (recent >> 8 * (3 - i) & 0xFF) << 8 * i;
    begin_time(stp, 0xE, out);
}

void syst_stp_feed(struct syst_stp *stp, const uint8_t *bytes, size_t n, const struct syst_out *out)
{
    for (size_t i = 0; i < n; i++) {
        feed_nibble(stp, bytes[i] & 0xF, out);
        if (is_start(stp, bytes[i] & 0xF) && !is_known_start(stp))
            begin_at_mark(stp, out);
        feed_nibble(stp, bytes[i] >> 4, out);
        stp->recent = stp->recent << 8 | bytes[i];
        if (stp->state == LOST && bytes[i] != 0xFF) /* which may become ASYNC */
            out->health->bytes_skipped++;
    }
}

void syst_stp_finish(struct syst_stp *stp, const struct syst_out *out)
{
    if (stp->inside)
        lose(stp, out);
}

bool syst_stp_is_in(const uint8_t *bytes, size_t n)
{
    static const uint8_t version[] = {0xF, 0x0,
                                      0x0}; /* always follows, and a line that idles high does not */
    unsigned run = 0, matched = 0;
    bool after = false;
    for (size_t i = 0; i < 2 * n; i++) {
        uint8_t nibble = bytes[i / 2] >> (i % 2 ? 4 : 0) & 0xF;
        after = after && nibble == version[matched];
        if (after && ++matched == sizeof version)
            return true;
        if (nibble == 0 && run >= ASYNC_RUN) {
            after = true;
            matched = 0;
        }
        run = nibble == 0xF ? run + 1 : 0;
    }
    return false;
}
