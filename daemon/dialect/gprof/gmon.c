/* gmon.c - reads gmon.out as a stream.
 *
 * Wrong sizes do no harm: bins and blocks are counted down as they arrive, and never stored. */
#include "dialect/gprof/gmon.h"

#include <string.h>

enum part {
    BSD_HEAD,
    BSD_BIN,
    BSD_ARC,
    GNU_HEAD,
    GNU_TAG,
    GNU_HISTOGRAM,
    GNU_BIN,
    GNU_ARC,
    GNU_BLOCKS,
    GNU_BLOCK,
    BROKEN,
};

enum tag { TAG_HISTOGRAM, TAG_ARC, TAG_BLOCKS };

enum {
    BSD_VERSION = 0x00051879,
    BSD_REST = 24, /* size, version, rate, three spare */
    GNU_HEAD_SIZE = 20,
    GNU_VERSION = 1,
    GNU_HISTOGRAM_REST = 24, /* bins, rate, dimension, abbreviation */
    GNU_DIMENSION = 15,
    COUNTER = 2,
};

static uint64_t load(const struct gmon *gmon, const uint8_t *p, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value = value << 8 | p[gmon->big_endian ? i : bytes - 1 - i];
    return value;
}

static uint64_t load_word(const struct gmon *gmon, const uint8_t *p)
{
    return load(gmon, p, gmon->word_bytes);
}

static uint32_t load_u32(const struct gmon *gmon, const uint8_t *p)
{
    return (uint32_t)load(gmon, p, 4);
}

static void expect(struct gmon *gmon, enum part part)
{
    const unsigned sizes[] = {
        [BSD_HEAD] = 2u * gmon->word_bytes + BSD_REST,
        [BSD_BIN] = COUNTER,
        [BSD_ARC] = 3u * gmon->word_bytes, /* the count has the size of an address, too */
        [GNU_HEAD] = GNU_HEAD_SIZE,
        [GNU_TAG] = 1,
        [GNU_HISTOGRAM] = 2u * gmon->word_bytes + GNU_HISTOGRAM_REST,
        [GNU_BIN] = COUNTER,
        [GNU_ARC] = 2u * gmon->word_bytes + 4,
        [GNU_BLOCKS] = 4,
        [GNU_BLOCK] = 2u * gmon->word_bytes,
        [BROKEN] = GMON_FIELD,
    };
    gmon->part = (uint8_t)part;
    gmon->want = (uint8_t)sizes[part];
    gmon->n = 0;
}

/* ---- detecting the form ---- */

/* True for printable text followed only by NUL. */
static bool is_dimension(const uint8_t *text)
{
    size_t n = 0;
    while (n < GNU_DIMENSION && text[n] >= ' ' && text[n] <= '~')
        n++;
    if (n == 0)
        return false;
    while (n < GNU_DIMENSION && !text[n])
        n++;
    return n == GNU_DIMENSION;
}

/* Returns the size of the GNU record at p, as far as its head shows it; 0 when there can be no such record.
 * SIZE_MAX ends the check at a histogram's counters or at blocks. */
static size_t record_size(const struct gmon *gmon, const uint8_t *p, size_t n)
{
    size_t words = 2u * gmon->word_bytes;
    switch (p[0]) {
    case TAG_HISTOGRAM:
        if (n < 1 + words + GNU_HISTOGRAM_REST)
            return 0;
        return load_word(gmon, p + 1) < load_word(gmon, p + 1 + gmon->word_bytes) &&
                       is_dimension(p + 1 + words + 8)
                   ? SIZE_MAX
                   : 0;
    case TAG_ARC: return n >= 1 + words + 4 && load_u32(gmon, p + 1 + words) ? 1 + words + 4 : 0;
    case TAG_BLOCKS: return n >= 5 ? SIZE_MAX : 0;
    default: return 0;
    }
}

static bool fits(struct gmon *gmon, unsigned word_bytes, const uint8_t *head, size_t n)
{
    gmon->word_bytes = (uint8_t)word_bytes;
    size_t at = GNU_HEAD_SIZE;
    for (int records = 0; records < 2 && at < n; records++) {
        size_t size = record_size(gmon, head + at, n - at);
        if (size == 0)
            return false;
        if (size == SIZE_MAX)
            return true;
        at += size;
    }
    return true;
}

static bool is_gnu(struct gmon *gmon, const uint8_t *head, size_t n, unsigned word_bytes)
{
    if (n < 8 || memcmp(head, "gmon", 4) != 0)
        return false;
    gmon->big_endian = load_u32(gmon, head + 4) != GNU_VERSION;
    if (load_u32(gmon, head + 4) != GNU_VERSION)
        return false;
    if (word_bytes != 4 && word_bytes != 8)
        word_bytes = !fits(gmon, 4, head, n) && fits(gmon, 8, head, n) ? 8 : 4;
    gmon->word_bytes = (uint8_t)word_bytes;
    gmon->is_gnu = true;
    return true;
}

static bool is_bsd(struct gmon *gmon, const uint8_t *head, size_t n)
{
    for (unsigned word_bytes = 4; word_bytes <= 8; word_bytes += 4) {
        size_t version_at = 2 * word_bytes + 4;
        gmon->word_bytes = (uint8_t)word_bytes;
        for (int big_endian = 0; big_endian <= 1; big_endian++) {
            gmon->big_endian = big_endian;
            if (n >= version_at + 4 && load_u32(gmon, head + version_at) == BSD_VERSION)
                return true;
        }
    }
    return false;
}

bool gmon_open(struct gmon *gmon, const uint8_t *head, size_t n, unsigned word_bytes)
{
    *gmon = (struct gmon){0};
    if (is_gnu(gmon, head, n, word_bytes)) {
        expect(gmon, GNU_HEAD);
        return true;
    }
    *gmon = (struct gmon){0};
    if (is_bsd(gmon, head, n)) {
        expect(gmon, BSD_HEAD);
        return true;
    }
    return false;
}

/* ---- reading ---- */

static struct gmon_item broken(struct gmon *gmon)
{
    expect(gmon, BROKEN);
    return (struct gmon_item){.kind = GMON_BAD};
}

/* Expects what follows a histogram. */
static void expect_next(struct gmon *gmon)
{
    expect(gmon, gmon->is_gnu ? GNU_TAG : BSD_ARC);
}

static struct gmon_item histogram(struct gmon *gmon, uint32_t bins, uint32_t rate)
{
    uint64_t high = load_word(gmon, gmon->field + gmon->word_bytes);
    gmon->low = load_word(gmon, gmon->field);
    gmon->span = high - gmon->low;
    gmon->bins = bins;
    gmon->bin = 0;
    if (bins && high <= gmon->low)
        return broken(gmon);
    if (bins)
        expect(gmon, gmon->is_gnu ? GNU_BIN : BSD_BIN);
    else
        expect_next(gmon);
    return (struct gmon_item){.kind = GMON_RATE, .count = rate};
}

static struct gmon_item bsd_head(struct gmon *gmon)
{
    const uint8_t *rest = gmon->field + 2 * gmon->word_bytes;
    uint32_t size = load_u32(gmon, rest); /* of this head and the counters */
    if (size < gmon->want || (size - gmon->want) % COUNTER)
        return broken(gmon);
    return histogram(gmon, (size - gmon->want) / COUNTER, load_u32(gmon, rest + 8));
}

/* Returns i * span / bins, without overflow. */
static uint64_t bin_offset(const struct gmon *gmon, uint64_t i)
{
    return i * (gmon->span / gmon->bins) + i * (gmon->span % gmon->bins) / gmon->bins;
}

static struct gmon_item bin(struct gmon *gmon)
{
    uint64_t i = gmon->bin++;
    struct gmon_item item = {
        .kind = GMON_BIN,
        .address = gmon->low + bin_offset(gmon, i),
        .bytes = bin_offset(gmon, i + 1) - bin_offset(gmon, i),
        .count = load(gmon, gmon->field, COUNTER),
    };
    gmon->n = 0;
    if (gmon->bin == gmon->bins)
        expect_next(gmon);
    return item.count ? item : (struct gmon_item){.kind = GMON_NONE};
}

static struct gmon_item arc(struct gmon *gmon)
{
    unsigned word = gmon->word_bytes;
    struct gmon_item item = {
        .kind = GMON_ARC,
        .from = load_word(gmon, gmon->field),
        .address = load_word(gmon, gmon->field + word),
        .count = load(gmon, gmon->field + 2 * word, gmon->is_gnu ? 4 : word),
    };
    expect_next(gmon);
    return item.count ? item : (struct gmon_item){.kind = GMON_NONE};
}

static struct gmon_item tag(struct gmon *gmon)
{
    switch (gmon->field[0]) {
    case TAG_HISTOGRAM: expect(gmon, GNU_HISTOGRAM); break;
    case TAG_ARC: expect(gmon, GNU_ARC); break;
    case TAG_BLOCKS: expect(gmon, GNU_BLOCKS); break;
    default: return broken(gmon);
    }
    return (struct gmon_item){.kind = GMON_NONE};
}

/* Reads a complete field. */
static struct gmon_item take(struct gmon *gmon)
{
    const uint8_t *rest = gmon->field + 2 * gmon->word_bytes;
    switch ((enum part)gmon->part) {
    case BSD_HEAD: return bsd_head(gmon);
    case GNU_HISTOGRAM: return histogram(gmon, load_u32(gmon, rest), load_u32(gmon, rest + 4));
    case BSD_BIN:
    case GNU_BIN: return bin(gmon);
    case BSD_ARC:
    case GNU_ARC: return arc(gmon);
    case GNU_TAG: return tag(gmon);
    case GNU_HEAD: expect(gmon, GNU_TAG); break;
    case GNU_BLOCKS:
        gmon->blocks = load_u32(gmon, gmon->field);
        expect(gmon, gmon->blocks ? GNU_BLOCK : GNU_TAG);
        break;
    case GNU_BLOCK: expect(gmon, --gmon->blocks ? GNU_BLOCK : GNU_TAG); break;
    case BROKEN: gmon->n = 0; break;
    }
    return (struct gmon_item){.kind = GMON_NONE};
}

struct gmon_item gmon_next(struct gmon *gmon, const uint8_t **bytes, const uint8_t *end)
{
    while (*bytes < end) {
        size_t some = (size_t)(end - *bytes), missing = (size_t)(gmon->want - gmon->n);
        if (some > missing)
            some = missing;
        memcpy(gmon->field + gmon->n, *bytes, some);
        *bytes += some;
        gmon->n = (uint8_t)(gmon->n + some);
        if (gmon->n < gmon->want)
            break;
        struct gmon_item item = take(gmon);
        if (item.kind != GMON_NONE)
            return item;
    }
    return (struct gmon_item){.kind = GMON_NONE};
}

bool gmon_is_whole(const struct gmon *gmon)
{
    return (gmon->part == GNU_TAG || gmon->part == BSD_ARC) && gmon->n == 0;
}
