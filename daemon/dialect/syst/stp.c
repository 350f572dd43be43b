/* stp.c - messages in a MIPI System Trace Protocol stream: the low nibble of a byte comes first.
 *
 * The stream's own mark for finding back is ASYNC, which comes only every now and then. But writers fill up
 * to a whole byte after a message, so nearly every message begins at a byte. Six bytes there have so much
 * that must be as it is (the code, a message's header, the kind of stamp) that they count as a mark, too,
 * where no message is being read.
 *
 * Inside of a message the same six bytes may be data. So the message is read on, and the bytes from the mark
 * on are held. If it ends as its header says, they were data. If it does not, or if two good messages follow
 * one another from the mark on, the reader had lost the boundary without knowing; then the bytes held are
 * read once more, as what begins with a message. */
#include "dialect/syst/stp.h"

#include <string.h>

#include "protocol/bytes.h"

enum {
    MARK = 6,      /* bytes; of the last one the low nibble */
    PROOFS = 2,    /* good messages from a mark on that refute the one being read */
    REREADINGS = 8 /* one after the other without an end to the doubt; then what is held is given up */
};

/* A feed: the stream, and where its messages go. */
struct hearing {
    struct syst_stp *stp;
    const struct syst_out *out;
    bool refuted;                 /* what was read since the mark held is no message */
    bool proven;                  /* and now it is known to be one */
    struct dialect_health health; /* of what is not sure yet */
};

/* ---- the mark at the start of a message ---- */

/* After the low nibble of a byte: whether it and the five bytes before it are code F 6, the header of a
 * message with length, and the kind of stamp that writers use. */
static bool is_mark(const struct syst_stp *stp, uint8_t nibble)
{
    if (nibble != 0xE || (stp->recent >> 32 & 0xFF) != 0x6F)
        return false;
    uint8_t header[4];
    for (int i = 0; i < 4; i++)
        header[i] = (uint8_t)(stp->recent >> 8 * (3 - i));
    return syst_header_has_length(mp_load_u32(header));
}

static void start_at_mark(struct syst_stp *stp, struct syst_stp_reader *reader, const struct syst_out *out)
{
    uint8_t header[4];
    for (int i = 0; i < 4; i++)
        header[i] = (uint8_t)(stp->recent >> 8 * (3 - i));
    syst_stp_reader_start(reader, mp_load_u32(header), out);
}

/* ---- two readings ---- */

/* Whether the message is all that its header promises, and says how long it is. */
static bool is_good(const struct syst_frame *frame)
{
    size_t size;
    return syst_claim(frame->bytes, frame->n, &size) == SYST_CLAIM_STRONG && size == frame->n &&
           syst_message_parse(frame->bytes, frame->n).status == SYST_OK;
}

static void judge_message(void *user, const struct syst_frame *frame)
{
    struct hearing *hearing = user;
    if (syst_message_parse(frame->bytes, frame->n).status != SYST_OK) {
        hearing->refuted = true;
    } else if (!hearing->refuted) {
        hearing->proven = true;
        hearing->out->message(hearing->out->user, frame);
    }
}

static void judge_loss(void *user)
{
    ((struct hearing *)user)->refuted = true;
}

static void count_proof(void *user, const struct syst_frame *frame)
{
    struct syst_stp *stp = user;
    stp->proofs = is_good(frame) ? stp->proofs + 1 : 0;
}

static void forget_proofs(void *user)
{
    ((struct syst_stp *)user)->proofs = 0;
}

static void read_other(struct syst_stp *stp, uint8_t nibble)
{
    struct dialect_health ignored = {0};
    struct syst_out out = {count_proof, forget_proofs, stp, &ignored};
    syst_stp_reader_feed(&stp->other, nibble, &out);
}

static void start_other(struct syst_stp *stp)
{
    struct dialect_health ignored = {0};
    struct syst_out out = {count_proof, forget_proofs, stp, &ignored};
    stp->other.time = stp->reader.time;
    start_at_mark(stp, &stp->other, &out);
}

/* From a mark on that may be data: what is not yet decided. */
static void begin_doubt(struct syst_stp *stp)
{
    stp->before = (struct syst_stp_place){.time = stp->reader.time,
                                          .hz = stp->reader.hz,
                                          .master = stp->reader.master,
                                          .channel = stp->reader.channel};
    for (int i = 0; i < MARK - 1; i++)
        stp->held[i] = (uint8_t)(stp->recent >> 8 * (MARK - 2 - i));
    stp->held_n = MARK - 1;
    stp->proofs = 0;
    start_other(stp);
}

/* A nibble while the message being read may be none. */
static void read_doubted(struct hearing *hearing, uint8_t nibble)
{
    struct syst_stp *stp = hearing->stp;
    struct syst_stp_reader *reader = &stp->reader;
    size_t size;
    hearing->health = (struct dialect_health){0};
    struct syst_out judge = {judge_message, judge_loss, hearing, &hearing->health};
    syst_stp_reader_feed(reader, nibble, &judge);
    read_other(stp, nibble);
    if (hearing->proven) {
        hearing->out->health->framing_errors += hearing->health.framing_errors;
        return;
    }
    if (!syst_stp_reader_is_in_message(reader) || stp->proofs >= PROOFS)
        hearing->refuted = true;
    else if (reader->inside && syst_claim(reader->bytes, reader->n, &size) == SYST_CLAIM_STRONG)
        hearing->refuted = hearing->refuted || reader->n > size;
}

static void read_nibble(struct hearing *hearing, uint8_t nibble)
{
    if (hearing->stp->held_n && !hearing->refuted && !hearing->proven)
        read_doubted(hearing, nibble);
    else if (!hearing->refuted)
        syst_stp_reader_feed(&hearing->stp->reader, nibble, hearing->out);
}

static void look_for_mark(struct hearing *hearing, uint8_t nibble)
{
    struct syst_stp *stp = hearing->stp;
    if (!is_mark(stp, nibble) || hearing->refuted || syst_stp_reader_is_at_start(&stp->reader))
        return;
    if (stp->held_n && !hearing->proven) {
        if (syst_stp_reader_is_lost(&stp->other))
            start_other(stp);
    } else if (syst_stp_reader_is_in_message(&stp->reader)) {
        begin_doubt(stp);
        hearing->proven = false;
    } else {
        syst_stp_reader_lose(&stp->reader, hearing->out);
        start_at_mark(stp, &stp->reader, hearing->out);
    }
}

/* Reads a byte; true when the bytes held, of which it is the last, are to be read once more. */
static bool read_byte(struct hearing *hearing, uint8_t byte)
{
    struct syst_stp *stp = hearing->stp;
    hearing->refuted = hearing->proven = false;
    read_nibble(hearing, byte & 0xF);
    look_for_mark(hearing, byte & 0xF);
    read_nibble(hearing, byte >> 4);
    stp->recent = stp->recent << 8 | byte;
    if (hearing->proven || (stp->held_n >= SYST_STP_HOLD && !hearing->refuted))
        stp->held_n = 0;
    if (stp->held_n)
        stp->held[stp->held_n++] = byte;
    if (syst_stp_reader_is_lost(&stp->reader) && byte != 0xFF) /* which may become ASYNC */
        hearing->out->health->bytes_skipped++;
    return hearing->refuted;
}

/* Reads what is held from its mark on. */
static void read_again(struct hearing *hearing)
{
    struct syst_stp *stp = hearing->stp;
    uint8_t again[sizeof stp->held];
    while (stp->readings++ < REREADINGS) {
        size_t n = stp->held_n, i = MARK;
        memcpy(again, stp->held, n);
        stp->held_n = 0;
        syst_stp_reader_lose(&stp->reader, hearing->out);
        stp->reader.time = stp->before.time;
        stp->reader.hz = stp->before.hz;
        stp->reader.master = stp->before.master;
        stp->reader.channel = stp->before.channel;
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

void syst_stp_feed(struct syst_stp *stp, const uint8_t *bytes, size_t n, const struct syst_out *out)
{
    struct hearing hearing = {.stp = stp, .out = out};
    for (size_t i = 0; i < n; i++) {
        if (read_byte(&hearing, bytes[i]))
            read_again(&hearing);
        if (!stp->held_n)
            stp->readings = 0;
    }
}

void syst_stp_finish(struct syst_stp *stp, const struct syst_out *out)
{
    struct hearing hearing = {.stp = stp, .out = out};
    while (stp->held_n)
        read_again(&hearing);
    if (stp->reader.inside)
        syst_stp_reader_lose(&stp->reader, out);
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
        if (nibble == 0 && run >= SYST_STP_ASYNC_RUN) {
            after = true;
            matched = 0;
        }
        run = nibble == 0xF ? run + 1 : 0;
    }
    return false;
}
