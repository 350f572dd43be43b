/* stp_finder.c - reads messages in a MIPI System Trace Protocol stream that may be damaged. The low nibble of
 * a byte is read first.
 *
 * The stream's own synchronisation mark is ASYNC, which is rare. But writers fill up to a whole byte after a
 * message, so nearly every message begins at a byte. The first six bytes have many fixed bits (the code, a
 * message's header, the kind of stamp), so they also count as a mark when the boundary is lost.
 *
 * While packets are being read, the same six bytes may be data. So reading continues, and the bytes from the
 * mark on are buffered. If a message ends as its header says, they were data. If a message is bad, or two
 * good messages in a row follow the mark, the reader had lost the boundary unnoticed. Then the buffered bytes
 * are read again, as the beginning of a message. */
#include "dialect/syst/stp_finder.h"

#include <string.h>

#include "protocol/bytes.h"

enum {
    MARK = 6,      /* bytes; of the last one only the low nibble */
    PROOFS = 2,    /* good messages from a mark on that refute the current one */
    REREADINGS = 8 /* in succession while the doubt remains; then the buffered bytes are dropped */
};

/* State of a feed: the stream, and where its messages go. */
struct hearing {
    struct syst_stp_finder *stp;
    const struct syst_out *out;
    bool is_refuted;              /* what was read since the mark is not a message */
    bool is_proven;               /* what was read since the mark is a message */
    struct dialect_health health; /* of what is in doubt */
};

/* ---- the mark at the start of a message ---- */

/* Returns bytes 1 to 4 of the newest five as a value of eight nibbles. */
static uint32_t recent_value(const struct syst_stp_finder *stp)
{
    uint32_t value = 0;
    for (int i = 0; i < 8; i++) {
        uint32_t nibble = (uint32_t)(stp->recent >> (8 * (3 - i / 2) + 4 * (i % 2))) & 0xF;
        value = stp->reader.packets.most_first ? value << 4 | nibble : value | nibble << 4 * i;
    }
    return value;
}

/* True, after the low nibble of a byte, when it and the five bytes before are code F 6, the header of a
 * message with length, and the kind of stamp that writers use. */
static bool is_mark(const struct syst_stp_finder *stp, uint8_t nibble)
{
    return nibble == 0xE && (stp->recent >> 32 & 0xFF) == 0x6F && syst_header_has_length(recent_value(stp));
}

static void start_at_mark(const struct syst_stp_finder *stp, struct syst_stp_reader *reader,
                          const struct syst_out *out)
{
    syst_stp_reader_start(reader, recent_value(stp), out);
}

/* ---- two readings ---- */

bool syst_stp_is_good(const struct syst_frame *frame)
{
    size_t size;
    return syst_claim(frame->bytes, frame->n, &size) == SYST_CLAIM_STRONG && size == frame->n &&
           syst_message_parse(frame->bytes, frame->n).status == SYST_OK;
}

static void judge_message(void *user, const struct syst_frame *frame)
{
    struct hearing *hearing = user;
    bool is_ok = hearing->stp->before.is_outside
                     ? syst_stp_is_good(frame)
                     : syst_message_parse(frame->bytes, frame->n).status == SYST_OK;
    if (!is_ok) {
        hearing->is_refuted = true;
    } else if (!hearing->is_refuted) {
        hearing->is_proven = true;
        hearing->out->message(hearing->out->user, frame);
    }
}

static void judge_loss(void *user)
{
    ((struct hearing *)user)->is_refuted = true;
}

static void count_proof(void *user, const struct syst_frame *frame)
{
    struct syst_stp_finder *stp = user;
    stp->proofs = syst_stp_is_good(frame) ? stp->proofs + 1 : 0;
}

static void forget_proofs(void *user)
{
    ((struct syst_stp_finder *)user)->proofs = 0;
}

static void read_other(struct syst_stp_finder *stp, uint8_t nibble)
{
    struct dialect_health ignored = {0};
    struct syst_out out = {count_proof, forget_proofs, stp, &ignored};
    syst_stp_reader_feed(&stp->other, nibble, &out);
}

static void start_other(struct syst_stp_finder *stp)
{
    struct dialect_health ignored = {0};
    struct syst_out out = {count_proof, forget_proofs, stp, &ignored};
    syst_stp_reader_clear(&stp->other, stp->reader.packets.most_first);
    stp->other.packets.stamps = stp->reader.packets.stamps;
    stp->other.packets.time = stp->reader.packets.time;
    start_at_mark(stp, &stp->other, &out);
}

/* Starts a doubt at a mark that may be data. */
static void begin_doubt(struct syst_stp_finder *stp)
{
    stp->before = (struct syst_stp_place){.time = stp->reader.packets.time,
                                          .hz = stp->reader.packets.hz,
                                          .stamps = stp->reader.packets.stamps,
                                          .is_outside = !stp->reader.current &&
                                                        !syst_stp_packets_are_starting(&stp->reader.packets)};
    for (int i = 0; i < MARK - 1; i++)
        stp->held[i] = (uint8_t)(stp->recent >> 8 * (MARK - 2 - i));
    stp->held_n = MARK - 1;
    stp->proofs = 0;
    start_other(stp);
}

/* Reads a nibble while the current packets are in doubt. When both readers complete a good message, the other
 * one wins if it has read more of them since the mark. */
static void read_doubted(struct hearing *hearing, uint8_t nibble)
{
    struct syst_stp_finder *stp = hearing->stp;
    read_other(stp, nibble);
    if (stp->proofs >= PROOFS) {
        hearing->is_refuted = true;
        return;
    }
    hearing->health = (struct dialect_health){0};
    struct syst_out judge = {judge_message, judge_loss, hearing, &hearing->health};
    syst_stp_reader_feed(&stp->reader, nibble, &judge);
    if (hearing->is_proven)
        hearing->out->health->framing_errors += hearing->health.framing_errors;
    else if (syst_stp_reader_is_too_long(&stp->reader))
        hearing->is_refuted = true;
}

static void read_nibble(struct hearing *hearing, uint8_t nibble)
{
    if (hearing->stp->held_n && !hearing->is_refuted && !hearing->is_proven)
        read_doubted(hearing, nibble);
    else if (!hearing->is_refuted)
        syst_stp_reader_feed(&hearing->stp->reader, nibble, hearing->out);
}

static void look_for_mark(struct hearing *hearing, uint8_t nibble)
{
    struct syst_stp_finder *stp = hearing->stp;
    if (!is_mark(stp, nibble) || hearing->is_refuted || syst_stp_packets_are_at_stamp(&stp->reader.packets))
        return;
    if (stp->held_n && !hearing->is_proven) {
        if (syst_stp_reader_is_lost(&stp->other))
            start_other(stp);
    } else if (!syst_stp_reader_is_lost(&stp->reader)) {
        begin_doubt(stp);
        hearing->is_proven = false;
    } else {
        start_at_mark(stp, &stp->reader, hearing->out);
    }
}

/* Reads a byte. Returns true if the buffered bytes, of which it is the last, must be read again. */
static bool read_byte(struct hearing *hearing, uint8_t byte)
{
    struct syst_stp_finder *stp = hearing->stp;
    hearing->is_refuted = hearing->is_proven = false;
    read_nibble(hearing, byte & 0xF);
    look_for_mark(hearing, byte & 0xF);
    read_nibble(hearing, byte >> 4);
    stp->recent = stp->recent << 8 | byte;
    if (hearing->is_proven || (stp->held_n >= SYST_STP_HOLD && !hearing->is_refuted))
        stp->held_n = 0;
    if (stp->held_n)
        stp->held[stp->held_n++] = byte;
    if (syst_stp_reader_is_lost(&stp->reader) && byte != 0xFF) /* it may become part of ASYNC */
        hearing->out->health->bytes_skipped++;
    return hearing->is_refuted;
}

/* Reads the buffered bytes again, from their mark on. */
static void read_again(struct hearing *hearing)
{
    struct syst_stp_finder *stp = hearing->stp;
    uint8_t again[sizeof stp->held];
    while (stp->readings++ < REREADINGS) {
        size_t n = stp->held_n, i = MARK;
        memcpy(again, stp->held, n);
        stp->held_n = 0;
        syst_stp_reader_lose(&stp->reader, hearing->out);
        stp->reader.packets.time = stp->before.time;
        stp->reader.packets.hz = stp->before.hz;
        stp->reader.packets.stamps = stp->before.stamps;
        stp->recent = 0;
        for (size_t k = 0; k < MARK - 1; k++)
            stp->recent = stp->recent << 8 | again[k];
        start_at_mark(stp, &stp->reader, hearing->out);
        syst_stp_reader_feed(&stp->reader, again[MARK - 1] >> 4, hearing->out);
        stp->recent = stp->recent << 8 | again[MARK - 1];
        while (i < n && !read_byte(hearing, again[i]))
            i++;
        if (i >= n)
            return;
        memcpy(stp->held + stp->held_n, again + i + 1, n - i - 1);
        stp->held_n += n - i - 1;
    }
    hearing->out->health->bytes_skipped += stp->held_n;
    stp->held_n = 0;
    syst_stp_reader_lose(&stp->reader, hearing->out);
}

void syst_stp_finder_feed(struct syst_stp_finder *stp, uint8_t byte, const struct syst_out *out)
{
    struct hearing hearing = {.stp = stp, .out = out};
    if (read_byte(&hearing, byte))
        read_again(&hearing);
    if (stp->held_n == 0)
        stp->readings = 0;
}

void syst_stp_finder_finish(struct syst_stp_finder *stp, const struct syst_out *out)
{
    struct hearing hearing = {.stp = stp, .out = out};
    while (stp->held_n && stp->proofs > 0)
        read_again(&hearing);
    stp->held_n = 0;
    syst_stp_reader_finish(&stp->reader, out);
}

void syst_stp_finder_clear(struct syst_stp_finder *stp, bool most_first)
{
    stp->recent = 0;
    stp->proofs = stp->readings = 0;
    stp->held_n = 0;
    syst_stp_reader_clear(&stp->reader, most_first);
    syst_stp_reader_clear(&stp->other, most_first);
}
