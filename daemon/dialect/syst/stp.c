/* stp.c - reads messages in a MIPI System Trace Protocol stream, in either order of nibbles.
 *
 * The standard puts the most significant nibble of a value first, and so does trace hardware. MIPI's
 * simulator and Zephyr's log put the least significant one first. Only since STP 2.2 can VERSION contain the
 * order. The order changes values, but not where packets begin, so both are read until one yields
 * messages. */
#include "dialect/syst/stp.h"

#include <string.h>

enum {
    EVIDENCE_KIND = 1, /* the message is of an existing kind */
    EVIDENCE_GOOD = 8, /* it has a length, and it is right */
    EVIDENCE_TEXT = 9, /* and it is text */
    EVIDENCE_SURE = 9, /* by this much more than for the other order */
    MESSAGES_SURE = 3, /* if there is no evidence for the other order */
    TEXT_LEAST = 4,    /* characters */
    BAD_AT_ONCE = 8,   /* successive bad messages, without a good one before */
    BAD_AFTER_GOOD = 64
};

/* ---- detecting the order ---- */

static bool is_text(const struct syst_message *message)
{
    size_t n = 0;
    while (n < message->payload_n && message->payload[n] >= ' ' && message->payload[n] < 0x7F)
        n++;
    return message->type == SYST_STRING && n >= TEXT_LEAST &&
           (n == message->payload_n || message->payload[n] == '\0');
}

static int evidence_of(const struct syst_frame *frame)
{
    struct syst_message message = syst_message_parse(frame->bytes, frame->n);
    if (syst_stp_is_good(frame))
        return is_text(&message) ? EVIDENCE_TEXT : EVIDENCE_GOOD;
    return message.status == SYST_OK && syst_message_is_plausible(frame->bytes, frame->n) ? EVIDENCE_KIND : 0;
}

static void weigh_message(void *user, const struct syst_frame *frame)
{
    struct syst_stp_evidence *evidence = user;
    evidence->sum += evidence_of(frame);
    evidence->messages++;
}

static void ignore_loss(void *user) {}

/* Starts to detect the order. */
static void doubt_order(struct syst_stp *stp)
{
    stp->is_ready = true;
    stp->is_decided = stp->has_good = false;
    stp->bad_n = 0;
    memset(stp->evidence, 0, sizeof stp->evidence);
    stp->window_n = 0;
    for (int order = 0; order < 2; order++)
        syst_stp_finder_clear(&stp->finder[order], order);
}

/* Returns true if the order can be decided after this byte. */
static bool weigh_byte(struct syst_stp *stp, uint8_t byte)
{
    for (int order = 0; order < 2; order++) {
        struct dialect_health ignored = {0};
        struct syst_out out = {weigh_message, ignore_loss, &stp->evidence[order], &ignored};
        syst_stp_finder_feed(&stp->finder[order], byte, &out);
    }
    stp->window[stp->window_n++] = byte;
    bool more = stp->evidence[1].sum > stp->evidence[0].sum;
    const struct syst_stp_evidence *winner = &stp->evidence[more], *loser = &stp->evidence[!more];
    return winner->sum - loser->sum >= EVIDENCE_SURE || stp->window_n == SYST_STP_WINDOW ||
           (loser->sum == 0 && winner->sum >= MESSAGES_SURE && winner->messages >= MESSAGES_SURE);
}

/* Without evidence, the order is that of VERSION, or else of MIPI's simulator. */
static bool more_likely(const struct syst_stp *stp)
{
    if (stp->evidence[0].sum != stp->evidence[1].sum)
        return stp->evidence[1].sum > stp->evidence[0].sum;
    return stp->finder[0].reader.packets.told == SYST_STP_TOLD_MOST;
}

/* ---- messages ---- */

/* Arguments of a feed: the stream, and where its messages go. */
struct passing {
    struct syst_stp *stp;
    const struct syst_out *out;
};

static void pass_message(void *user, const struct syst_frame *frame)
{
    struct passing *passing = user;
    bool is_good = evidence_of(frame) > 0;
    passing->stp->has_good |= is_good;
    passing->stp->bad_n = is_good ? 0 : (uint8_t)(passing->stp->bad_n + 1);
    passing->out->message(passing->out->user, frame);
}

static void pass_loss(void *user)
{
    const struct syst_out *out = ((struct passing *)user)->out;
    out->lost(out->user);
}

static void read_byte(struct passing *passing, uint8_t byte)
{
    struct syst_stp *stp = passing->stp;
    struct syst_out out = {pass_message, pass_loss, passing, passing->out->health};
    syst_stp_finder_feed(&stp->finder[stp->most_first], byte, &out);
}

/* Decides the order, and reads the buffered bytes from their start. */
static void decide_order(struct passing *passing)
{
    struct syst_stp *stp = passing->stp;
    stp->most_first = more_likely(stp);
    stp->is_decided = true;
    syst_stp_finder_clear(&stp->finder[stp->most_first], stp->most_first);
    for (size_t i = 0; i < stp->window_n; i++)
        read_byte(passing, stp->window[i]);
    stp->window_n = 0;
}

void syst_stp_feed(struct syst_stp *stp, const uint8_t *bytes, size_t n, const struct syst_out *out)
{
    struct passing passing = {stp, out};
    if (!stp->is_ready)
        doubt_order(stp);
    for (size_t i = 0; i < n; i++) {
        if (stp->is_decided)
            read_byte(&passing, bytes[i]);
        else if (weigh_byte(stp, bytes[i]))
            decide_order(&passing);
        if (stp->is_decided && stp->bad_n >= (stp->has_good ? BAD_AFTER_GOOD : BAD_AT_ONCE))
            doubt_order(stp);
    }
}

void syst_stp_finish(struct syst_stp *stp, const struct syst_out *out)
{
    struct passing passing = {stp, out};
    struct syst_out passed = {pass_message, pass_loss, &passing, out->health};
    if (!stp->is_ready)
        return;
    if (!stp->is_decided)
        decide_order(&passing);
    syst_stp_finder_finish(&stp->finder[stp->most_first], &passed);
}

void syst_stp_clear(struct syst_stp *stp)
{
    doubt_order(stp);
}

/* ---- the mark of the stream ---- */

bool syst_stp_is_in(const uint8_t *bytes, size_t n)
{
    static const uint8_t version[] = {0xF, 0x0, 0x0}; /* always follows; a line that idles high lacks it */
    unsigned run = 0, matched = 0;
    bool after = false;
    for (size_t i = 0; i < 2 * n; i++) {
        uint8_t nibble = bytes[i / 2] >> (i % 2 ? 4 : 0) & 0xF;
        bool is_null = matched == 0 && nibble == 0; /* may come between the two */
        after = after && (is_null || nibble == version[matched]);
        if (after && !is_null && ++matched == sizeof version)
            return true;
        if (nibble == 0 && run >= SYST_STP_ASYNC_RUN) {
            after = true;
            matched = 0;
        }
        run = nibble == 0xF ? run + 1 : 0;
    }
    return false;
}
