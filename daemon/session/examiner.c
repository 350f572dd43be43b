/* examiner.c - finds out how bytes that make no sense were changed on their way.
 *
 * While packets follow one another it does nothing. The first bytes are examined before they are decoded,
 * since those of a file come all at once. Otherwise the newest bytes are kept from the first skipped one on,
 * and examined when there are 512, and whenever their number has doubled. */
#include "session/examiner.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_LOOK = 512,
    LEAST = 64,                     /* fewer are not enough */
    DAMAGED_OF = 16,                /* one byte in this many skipped is much damage */
    FORGOTTEN = DISGUISE_MOST,      /* findings are dropped after this many bytes that make sense */
    TEXT_LEAST = 8192,              /* a boot log before packets is shorter */
    REST_LEAST = 4 * DISGUISE_MOST, /* bytes skipped after a check of all without result; doubled up to ... */
    REST_MOST = 64 * DISGUISE_MOST,
    GROUPS_MOST = 1024, /* bytes undone at a time */
};

void examiner_fini(struct examiner *examiner)
{
    free(examiner->memory);
    *examiner = (struct examiner){NULL};
}

/* The number of packets and records that the decoder has read. */
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

/* Keeps the newest bytes, if there is memory. */
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

/* ---- undone bytes ---- */

/* Passes on `k` undone bytes, made from `some` received ones, including the carry. */
static void feed_group(struct examiner *examiner, struct decoder *decoder, const uint8_t *out, size_t k,
                       size_t some)
{
    examiner->encoding += some - k;
    decoder_feed(decoder, out, k);
}

/* Looks for a lost digit: no packet comes any more, but one does if groups begin elsewhere. Then the bytes
 * since are read again from there. If the bytes cannot be undone from any position, the loss is among them;
 * then only the newest `n_newest` bytes are kept for the next attempt. */
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

/* Watches bytes that were undone, or could not be; `good`: packets and records before them. */
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
    /* No phase was found. The next bytes begin with a group, and are examined alone. */
    if (examiner->mute_n > FULL)
        examiner->mute_n = 0;
    /* The steps grow, since each check reads all of the bytes. */
    examiner->mute_look_at = examiner->mute_n + examiner->mute_n / 4 + LEAST;
}

/* Undoes bytes. Those that cannot be undone are decoded as they are; if they make sense, undoing ends. */
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
        bool is_plain = examiner->undo == undo_utf8 && !k; /* letters that UTF-8 does not change */
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

/* ---- examination ---- */

/* The dialect in use; NULL while it is uncertain. */
static const struct dialect *expected_dialect(const struct decoder *decoder)
{
    enum decoder_choice choice = decoder_choice(decoder);
    return choice == DECODER_NAMED || choice == DECODER_SURE ? decoder_dialect(decoder) : NULL;
}

/* Sets up undoing: from the first kept byte on, or if some of them were understood, from now on. */
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
    if (examiner->good) /* some of these were decoded */
        return;
    examiner->again += examiner->n;
    feed_decoder(examiner, decoder, examiner->memory, examiner->n);
}

/* Examines the first bytes, before the decoder skips any. */
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

/* Watches the n bytes just decoded. */
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
    keep_newest_bytes(examiner, bytes, n); /* for the last examination at least */
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

/* Decodes the held bytes, undone if that yields packets. */
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

/* If nothing has made sense yet, holds bytes that may be UTF-8 until this is decided. Otherwise the first
 * packets would be decoded as they are if they have only ASCII, and the others not at all. Returns how many
 * of the n bytes were handled; held ones are in the second half of the memory. */
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
