/* examiner.c - finds out what happened to bytes that make no sense.
 *
 * While packets come one behind another it does nothing. The first bytes are looked at before they are read:
 * those of a file come all at once. Else the newest bytes are kept from the first on that is skipped, and
 * looked at when they are 512, and each time when they are twice as many. */
#include "session/examiner.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_LOOK = 512,
    LEAST = 64,                     /* fewer say nothing */
    DAMAGED_OF = 16,                /* one byte in this many skipped is much */
    FORGOTTEN = DISGUISE_MOST,      /* after this many bytes that make sense */
    TEXT_LEAST = 8192,              /* a boot log that packets follow is shorter */
    REST_LEAST = 4 * DISGUISE_MOST, /* after a look without success at all that is kept; doubled up to ... */
    REST_MOST = 64 * DISGUISE_MOST,
    GROUPS_MOST = 1024, /* bytes that are undone at a time */
};

void examiner_fini(struct examiner *examiner)
{
    free(examiner->memory);
    *examiner = (struct examiner){NULL};
}

/* Packets and records that the decoder has read. */
static uint64_t good_of(const struct decoder *decoder)
{
    struct snapshot_link link = {0};
    decoder_tell(decoder, &link);
    return link.packets + link.records;
}

static void count_sense(struct examiner *examiner, const struct decoder *decoder)
{
    struct snapshot_link link = {0};
    decoder_tell(decoder, &link);
    examiner->good = link.packets + link.records;
    examiner->skipped = link.bytes_skipped;
    examiner->between = link.bytes_between;
}

static void forget_examined_bytes(struct examiner *examiner)
{
    examiner->n = 0;
    examiner->look_at = FIRST_LOOK;
    examiner->good_before = examiner->good;
    examiner->skipped_before = examiner->skipped;
}

static bool has_memory(struct examiner *examiner)
{
    if (!examiner->memory)
        examiner->memory = malloc(2 * (size_t)DISGUISE_MOST);
    return examiner->memory != NULL;
}

/* Keeps the newest bytes; without memory nothing is kept. */
static void keep_newest_bytes(struct examiner *examiner, const uint8_t *bytes, size_t n)
{
    if (!has_memory(examiner))
        return;
    if (n >= DISGUISE_MOST) {
        bytes += n - DISGUISE_MOST;
        n = DISGUISE_MOST;
    }
    size_t drop = examiner->n + n > DISGUISE_MOST ? examiner->n + n - DISGUISE_MOST : 0;
    memmove(examiner->memory, examiner->memory + drop, examiner->n - drop);
    examiner->n -= drop;
    memcpy(examiner->memory + examiner->n, bytes, n);
    examiner->n += n;
}

/* ---- bytes undone ---- */

/* Hands out what the bytes, with those of the carry before them, are undone. */
static void feed_group(struct examiner *examiner, struct decoder *decoder, const uint8_t *out, size_t k,
                       size_t some)
{
    examiner->encoding += some - k;
    decoder_feed(decoder, out, k);
}

/* A digit was lost where no packet comes any more and one does if groups begin elsewhere. What came since is
 * read again so. What cannot be undone from anywhere has the place of the loss in it: of that the newest
 * `n_newest` bytes stay, for next time. */
static void find_phase(struct examiner *examiner, struct decoder *decoder, size_t n_newest)
{
    uint8_t *mute = examiner->memory + DISGUISE_MOST, *out = malloc(DISGUISE_MOST);
    const size_t group = undo_group(examiner->undo), came = examiner->mute_n;
    bool may_be = false;
    for (size_t lost = 1; out && lost < group && lost < came; lost++) {
        size_t k = examiner->undo(mute + lost, came - lost, out);
        may_be |= k > 0;
        if (!k || !disguise_packets(out, k))
            continue;
        memcpy(mute + came, examiner->carry, examiner->carry_n);
        const size_t n = came + examiner->carry_n - lost;
        examiner->carry_n = undo_unfinished(examiner->undo, mute + lost, n);
        memcpy(examiner->carry, mute + lost + n - examiner->carry_n, examiner->carry_n);
        const size_t some = n - examiner->carry_n;
        k = examiner->undo(mute + lost, some, out);
        examiner->again += came;
        examiner->encoding += lost;
        examiner->mute_n = 0;
        feed_group(examiner, decoder, out, k, some);
        break;
    }
    if (!may_be) {
        memmove(mute, mute + came - n_newest, n_newest);
        examiner->mute_n = n_newest;
    }
    free(out);
}

/* Bytes that were undone, or could not be; `good`: packets and records before them. */
static void watch_phase(struct examiner *examiner, struct decoder *decoder, const uint8_t *bytes, size_t n,
                        uint64_t good)
{
    enum { ROOM = DISGUISE_MOST - UNDO_UNFINISHED_MOST, FULL = ROOM - GROUPS_MOST };
    if (good_of(decoder) != good || !has_memory(examiner) || undo_group(examiner->undo) == 1) {
        examiner->mute_n = 0;
        examiner->mute_look_at = LEAST;
        return;
    }
    memcpy(examiner->memory + DISGUISE_MOST + examiner->mute_n, bytes, n);
    examiner->mute_n += n;
    if (examiner->mute_n < examiner->mute_look_at && examiner->mute_n <= FULL)
        return;
    find_phase(examiner, decoder, n);
    /* Without success: what comes next begins with a group, and is looked at alone. */
    if (examiner->mute_n > FULL)
        examiner->mute_n = 0;
    /* Else each byte costs them all. */
    examiner->mute_look_at = examiner->mute_n + examiner->mute_n / 4 + LEAST;
}

/* Bytes that cannot be undone are read as they are; where they make sense so, none is undone any more. */
static void feed_undone(struct examiner *examiner, struct decoder *decoder, const uint8_t *bytes, size_t n)
{
    uint8_t raw[GROUPS_MOST], out[GROUPS_MOST];
    while (n && examiner->undo) {
        size_t held = examiner->carry_n, some = n < sizeof raw - held ? n : sizeof raw - held;
        memcpy(raw, examiner->carry, held);
        memcpy(raw + held, bytes, some);
        bytes += some;
        n -= some;
        some += held;
        examiner->carry_n = undo_unfinished(examiner->undo, raw, some);
        some -= examiner->carry_n;
        memcpy(examiner->carry, raw + some, examiner->carry_n);
        uint64_t good = good_of(decoder);
        size_t k = some ? examiner->undo(raw, some, out) : 0;
        bool is_plain = examiner->undo == undo_utf8 && !k; /* letters that it leaves as they are */
        bool is_of_kind = k || undo_is_idle(examiner->undo, raw, some);
        if (is_of_kind && !is_plain)
            feed_group(examiner, decoder, out, k, some);
        else
            decoder_feed(decoder, raw, some);
        if (is_of_kind || good_of(decoder) == good) {
            watch_phase(examiner, decoder, raw, some, good);
            continue;
        }
        decoder_feed(decoder, examiner->carry, examiner->carry_n);
        examiner->undo = NULL;
        examiner->sentence = NULL;
        examiner->carry_n = examiner->mute_n = 0;
    }
    if (n)
        decoder_feed(decoder, bytes, n);
}

static void feed_decoder(struct examiner *examiner, struct decoder *decoder, const uint8_t *bytes, size_t n)
{
    if (examiner->undo)
        feed_undone(examiner, decoder, bytes, n);
    else
        decoder_feed(decoder, bytes, n);
}

/* ---- looking ---- */

/* NULL: it is not known yet. */
static const struct dialect *expected_dialect(const struct decoder *decoder)
{
    enum decoder_choice choice = decoder_choice(decoder);
    return choice == DECODER_NAMED || choice == DECODER_SURE ? decoder_dialect(decoder) : NULL;
}

/* Bytes are undone from their first on, or where some were understood, from now on. */
static void look_for_disguise(struct examiner *examiner, struct decoder *decoder, bool ends)
{
    struct disguise found = disguise_find(examiner->memory, examiner->n, expected_dialect(decoder));
    if (!examiner->good && found.looks_like != decoder_dialect(decoder))
        examiner->looks_like = found.looks_like;
    if (found.is_text && (examiner->good || (!ends && examiner->n < TEXT_LEAST)))
        return;
    if (found.sentence && !examiner->undo) {
        examiner->sentence = found.sentence;
        examiner->is_text = found.is_text;
    }
    if (!found.undo || examiner->undo)
        return;
    examiner->undo = found.undo;
    if (examiner->good) /* some of these were read */
        return;
    examiner->again += examiner->n;
    feed_decoder(examiner, decoder, examiner->memory, examiner->n);
}

/* The first bytes, before the decoder takes offence at them. */
static void look_first(struct examiner *examiner, struct decoder *decoder, const uint8_t *bytes, size_t n)
{
    examiner->begun = true;
    examiner->look_at = FIRST_LOOK;
    bool may_be = n >= LEAST && decoder_dialect(decoder)->framing == DIALECT_FRAMED;
    if (!may_be || !disguise_may_be_safe(bytes, n < FIRST_LOOK ? n : FIRST_LOOK))
        return;
    struct disguise found =
        disguise_find(bytes, n < DISGUISE_MOST ? n : DISGUISE_MOST, expected_dialect(decoder));
    if (found.undo) {
        examiner->sentence = found.sentence;
        examiner->undo = found.undo;
    }
}

static bool is_much_damaged(const struct examiner *examiner)
{
    uint64_t skipped = examiner->skipped - examiner->skipped_before;
    return examiner->n >= LEAST &&
           (examiner->good == examiner->good_before || DAMAGED_OF * skipped >= examiner->n);
}

/* What was just read, of n bytes. */
static void watch_decoded_bytes(struct examiner *examiner, struct decoder *decoder, const uint8_t *bytes,
                                size_t n)
{
    uint64_t good = examiner->good, skipped_till_now = examiner->skipped;
    count_sense(examiner, decoder);
    uint64_t skipped = examiner->skipped - examiner->skipped_before;
    examiner->healthy = examiner->skipped == skipped_till_now ? examiner->healthy + n : 0;
    if (examiner->healthy >= FORGOTTEN && !examiner->undo)
        examiner->sentence = NULL;
    if (examiner->good != good)
        examiner->looks_like = NULL;
    if (examiner->good != good && examiner->is_text) {
        examiner->sentence = NULL;
        examiner->is_text = false;
    }
    if (examiner->good != good && DAMAGED_OF * skipped < examiner->n + n) {
        forget_examined_bytes(examiner);
        examiner->rest = REST_LEAST;
        examiner->resting = 0;
        return;
    }
    keep_newest_bytes(examiner, bytes, n); /* for the last look, if not for the next */
    if (examiner->resting) {
        examiner->resting -= n < examiner->resting ? n : examiner->resting;
        return;
    }
    if (examiner->n < examiner->look_at || !is_much_damaged(examiner))
        return;
    examiner->look_at = examiner->look_at < DISGUISE_MOST / 2 ? 2 * examiner->look_at : DISGUISE_MOST;
    bool is_last = examiner->n == DISGUISE_MOST;
    look_for_disguise(examiner, decoder, false);
    if (!is_last)
        return;
    forget_examined_bytes(examiner);
    examiner->resting = examiner->rest ? examiner->rest : REST_LEAST;
    examiner->rest = examiner->resting < REST_MOST ? 2 * examiner->resting : REST_MOST;
}

/* ---- held back ---- */

static void release_bytes(struct examiner *examiner, struct decoder *decoder, const uint8_t *bytes, size_t n)
{
    feed_decoder(examiner, decoder, bytes, n);
    watch_decoded_bytes(examiner, decoder, bytes, n);
}

/* Ends the wait: what is held is read, undone if that brings packets out. */
static void release_held(struct examiner *examiner, struct decoder *decoder)
{
    size_t n = examiner->held_n;
    if (n == 0) /* there may be no memory either */
        return;
    const uint8_t *held = examiner->memory + DISGUISE_MOST;
    struct disguise found = disguise_find(held, n, expected_dialect(decoder));
    examiner->held_n = 0;
    examiner->is_clear = true;
    if (found.undo == undo_utf8) {
        examiner->sentence = found.sentence;
        examiner->undo = found.undo;
    }
    release_bytes(examiner, decoder, held, n);
}

/* Where nothing has made sense yet, bytes that may be UTF-8 wait until it is clear whether they are: some
 * packets, of letters only, would be understood before, and the others not. Returns how many of the n bytes
 * have been taken care of; what of them is held is in the second half of the memory. */
static size_t hold_possible_text(struct examiner *examiner, struct decoder *decoder, const uint8_t *bytes,
                                 size_t n)
{
    uint8_t out[FIRST_LOOK];
    size_t at = 0;
    bool may_be = !examiner->is_clear && !examiner->undo && !examiner->good &&
                  decoder_dialect(decoder)->framing == DIALECT_FRAMED && has_memory(examiner);
    if (!may_be)
        return 0;
    while (examiner->held_n == 0 && at < n && bytes[at] < 0x80)
        at++;
    if (at)
        release_bytes(examiner, decoder, bytes, at);
    if (at == n)
        return n;
    size_t some = n - at < FIRST_LOOK - examiner->held_n ? n - at : FIRST_LOOK - examiner->held_n;
    uint8_t *held = examiner->memory + DISGUISE_MOST;
    memcpy(held + examiner->held_n, bytes + at, some);
    examiner->held_n += some;
    bool is_utf8 =
        held[0] >> 1 == 0xC2 >> 1 && (examiner->held_n < 3 || undo_utf8(held, examiner->held_n, out));
    if (!is_utf8 || examiner->held_n == FIRST_LOOK)
        release_held(examiner, decoder);
    return at + some;
}

void examiner_feed(struct examiner *examiner, struct decoder *decoder, const uint8_t *bytes, size_t n)
{
    if (!examiner->begun)
        look_first(examiner, decoder, bytes, n);
    size_t taken = hold_possible_text(examiner, decoder, bytes, n);
    if (taken < n)
        release_bytes(examiner, decoder, bytes + taken, n - taken);
}

bool examiner_is_waiting(const struct examiner *examiner)
{
    return examiner->held_n > 0;
}

void examiner_idle(struct examiner *examiner, struct decoder *decoder)
{
    release_held(examiner, decoder);
}

void examiner_break(struct examiner *examiner, struct decoder *decoder)
{
    release_held(examiner, decoder);
    *examiner = (struct examiner){.memory = examiner->memory,
                                  .encoding = examiner->encoding + examiner->carry_n,
                                  .again = examiner->again};
}

uint64_t examiner_bytes(const struct examiner *examiner, const struct decoder *decoder)
{
    return decoder_bytes(decoder) + examiner->held_n + examiner->encoding + examiner->carry_n -
           examiner->again;
}

void examiner_tell(const struct examiner *examiner, const struct decoder *decoder, struct snapshot_link *link)
{
    link->bytes = examiner_bytes(examiner, decoder);
    link->bytes_waiting += examiner->carry_n + examiner->held_n;
    link->bytes_encoding = examiner->encoding;
    link->bytes_again = examiner->again;
}

void examiner_finish(struct examiner *examiner, struct decoder *decoder)
{
    release_held(examiner, decoder);
    count_sense(examiner, decoder);
    if (!examiner->undo && is_much_damaged(examiner))
        look_for_disguise(examiner, decoder, true);
    else if (!examiner->good && !examiner->sentence && decoder_dialect(decoder)->framing == DIALECT_FRAMED)
        examiner->sentence = disguise_find_echo(examiner->memory, examiner->n);
}
