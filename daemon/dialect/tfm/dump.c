/* dump.c - reads a dump of the TF-M profiler's database.
 *
 * Pairs have no mark. Six bits of a tag are constant, but other bytes may look alike in every pair: a topic
 * 1, a checkpoint of 0x100 and more. So when the boundary is unknown, a row of pairs is tried at each of the
 * eight possible positions, and the most sensible one is taken: topics stay the same, counts advance. A known
 * boundary is only given up when its pairs make much less sense than before, and others make more.
 *
 * A console log may be in the same input: a pair has at least one byte that text never has. */
#include "dialect/tfm/dump.h"

#include <string.h>

#include "dialect/console.h"
#include "protocol/bytes.h"

enum kind { NO_PAIR, PAIR, UNUSED };

static bool is_text(uint8_t byte)
{
    return (byte >= ' ' && byte < 0x7F) || byte == '\n' || byte == '\r' || byte == '\t' ||
           byte == CONSOLE_ESCAPE || byte == '\a';
}

static enum kind kind_at(const struct tfm_dump *dump, size_t at)
{
    const uint8_t *pair = dump->bytes + at;
    bool zeros = true, ones = true, text = true;
    for (int i = 0; i < TFM_PAIR; i++) {
        zeros &= pair[i] == 0;
        ones &= pair[i] == 0xFF;
        text &= is_text(pair[i]);
    }
    if (zeros || ones) /* an entry that was never written */
        return UNUSED;
    return !text && tfm_tag_is_log(mp_load_u32(pair)) ? PAIR : NO_PAIR;
}

static void drop_bytes(struct tfm_dump *dump, size_t n)
{
    dump->n -= n;
    memmove(dump->bytes, dump->bytes + n, dump->n);
}

static void slide_by_one(struct tfm_dump *dump, const struct tfm_out *out)
{
    if (dump->aligned) {
        dump->aligned = false;
        out->health->framing_errors++;
        out->lost(out->user);
    }
    out->health->bytes_skipped += !is_text(dump->bytes[0]);
    drop_bytes(dump, 1);
}

enum {
    ROW = 3,       /* number of pairs required */
    ROWS_MOST = 8, /* ... and examined */
    NO_ROW = 1000,
    MUCH = 12,
    BEGINNING = 8, /* more evidence is required at the start of a dump, which is usually at a pair */
};

/* Rates how little sense two successive pairs make. */
static int nonsense_between(const uint8_t *pair, const uint8_t *next)
{
    uint32_t tag = mp_load_u32(pair), next_tag = mp_load_u32(next);
    uint32_t up = mp_load_u32(next + 4) - mp_load_u32(pair + 4);
    uint32_t passed = up < UINT32_C(1) << 31 ? up : 0 - up; /* counters may run in either direction */
    return (tfm_tag_topic(tag) != tfm_tag_topic(next_tag) ? 2 : 0) +
           (tfm_tag_checkpoint(tag) >> 8 != tfm_tag_checkpoint(next_tag) >> 8 ? 1 : 0) +
           (passed >= UINT32_C(1) << 24 ? 1 : 0) + (passed >= UINT32_C(1) << 30 ? 1 : 0);
}

/* Records how little sense the reported pair makes after the last one, as a measure of what is usual here. */
static void see_usual(struct tfm_dump *dump)
{
    uint8_t *cost = &dump->costs[dump->told_n % TFM_USUAL];
    dump->cost -= dump->told_n > TFM_USUAL ? *cost : 0;
    *cost = dump->told_n ? (uint8_t)nonsense_between(dump->last, dump->bytes) : 0;
    dump->cost += *cost;
    memcpy(dump->last, dump->bytes, TFM_PAIR);
    dump->told_n++;
    if (dump->told_n > TFM_USUAL && dump->cost > dump->usual)
        dump->usual = dump->cost;
}

static void tell_pair(struct tfm_dump *dump, enum kind kind, const struct tfm_out *out)
{
    if (kind == PAIR)
        see_usual(dump);
    if (kind == PAIR)
        out->item(out->user, &(struct tfm_item){mp_load_u32(dump->bytes), mp_load_u32(dump->bytes + 4)});
    drop_bytes(dump, TFM_PAIR);
}

/* Rates how little sense `rows` pairs make from there on; NO_ROW when they are not pairs. */
static int nonsense_of_rows(const struct tfm_dump *dump, size_t start, size_t rows)
{
    int sum = 0;
    for (size_t i = 0; i < rows; i++) {
        const uint8_t *pair = dump->bytes + start + i * TFM_PAIR;
        enum kind kind = kind_at(dump, start + i * TFM_PAIR);
        bool is_pair = kind == PAIR;
        bool is_end = kind == UNUSED && i > 0; /* a database may have fewer entries than a row */
        if (!is_pair && !is_end && i < ROW)
            return NO_ROW;
        sum += !is_pair ? 6 : i > 0 ? nonsense_between(pair - TFM_PAIR, pair) : 0;
    }
    return sum;
}

/* True when a row of pairs, or as many as there are, begins at the front. */
static bool is_row_at_front(const struct tfm_dump *dump)
{
    size_t rows = dump->n / TFM_PAIR;
    return nonsense_of_rows(dump, 0, rows < ROW ? rows : ROW) < NO_ROW;
}

/* True when pairs at another position make more sense, by more than `margin`, than those at the front. */
static bool is_better_elsewhere(const struct tfm_dump *dump, int margin)
{
    if (dump->n < (ROW + 1) * TFM_PAIR - 1)
        return false;
    size_t rows = (dump->n - (TFM_PAIR - 1)) / TFM_PAIR;
    rows = rows < ROWS_MOST ? rows : ROWS_MOST;
    int front = nonsense_of_rows(dump, 0, rows);
    for (size_t start = 1; start < TFM_PAIR; start++)
        if (nonsense_of_rows(dump, start, rows) + margin < front)
            return true;
    return false;
}

/* Handles the pair that should be at the front, once enough bytes follow. */
static void settle_aligned(struct tfm_dump *dump, const struct tfm_out *out)
{
    enum kind first = kind_at(dump, 0);
    bool last = dump->n < 2 * TFM_PAIR;
    if (is_row_at_front(dump) && is_better_elsewhere(dump, MUCH + dump->usual)) {
        slide_by_one(dump, out);
    } else if (first != NO_PAIR && (last || kind_at(dump, TFM_PAIR) != NO_PAIR)) {
        tell_pair(dump, first, out);
    } else if (first != NO_PAIR && dump->n >= 4 * TFM_PAIR && kind_at(dump, 2 * TFM_PAIR) != NO_PAIR &&
               kind_at(dump, 3 * TFM_PAIR) != NO_PAIR) { /* only the next one is damaged */
        tell_pair(dump, first, out);
        out->health->malformed++;
        out->lost(out->user);
        drop_bytes(dump, TFM_PAIR);
    } else {
        slide_by_one(dump, out);
    }
}

static void settle_alignment(struct tfm_dump *dump, const struct tfm_out *out)
{
    if (!dump->aligned) {
        dump->aligned = is_row_at_front(dump) && (!dump->begun || !is_better_elsewhere(dump, 0));
        dump->usual = dump->begun ? 0 : BEGINNING;
        dump->told_n = 0;
        dump->cost = 0;
    }
    dump->begun = true;
    if (dump->aligned)
        settle_aligned(dump, out);
    else
        slide_by_one(dump, out);
}

void tfm_dump_byte(struct tfm_dump *dump, uint8_t byte, const struct tfm_out *out)
{
    dump->bytes[dump->n++] = byte;
    if (dump->n == TFM_LOOK)
        settle_alignment(dump, out);
}

void tfm_dump_finish(struct tfm_dump *dump, const struct tfm_out *out)
{
    while (dump->n >= TFM_PAIR) {
        if (dump->aligned || dump->n % TFM_PAIR == 0)
            settle_alignment(dump, out);
        else
            slide_by_one(dump, out);
    }
    for (; dump->n > 0; drop_bytes(dump, 1))
        out->health->bytes_skipped += !is_text(dump->bytes[0]);
}
