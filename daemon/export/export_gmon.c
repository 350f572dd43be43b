/* export_gmon.c - gmon.out in GNU form, for gprof: samples of the program counter, and arcs.
 *
 * Bins cover two bytes of code, the minimum of gprof, so that samples go to the right function. Samples of
 * wider bins, read from a file, are distributed over them. Functions may be far apart (flash, RAM), and a bin
 * holds at most 65,535. gprof accepts any number of histograms. So each stretch of code with samples gets its
 * own, and an address with more samples than fit gets several. Addresses and numbers have the target's word
 * size and byte order: 32-bit little-endian without an ELF. */
#include "export/export.h"

#include <stdlib.h>
#include <string.h>

enum { TAG_HISTOGRAM, TAG_ARC };
enum {
    VERSION = 1,
    BIN = 2, /* bytes of code */
    BIN_MOST = UINT16_MAX,
    GAP_MOST = 64, /* bytes of code without samples that cost less than a histogram's head */
    BINS_MOST = 1 << 20,
    SHARES_MOST = 32, /* a wider bin's samples all go to its first bytes */
};

struct gmon {
    const struct snapshot *snapshot;
    struct sink *sink;
    unsigned word_bytes;
};

static void write_number(const struct gmon *gmon, uint64_t value, unsigned bytes)
{
    unsigned char out[8];
    for (unsigned i = 0; i < bytes; i++)
        out[gmon->snapshot->source.elf_big_endian ? bytes - 1 - i : i] = (unsigned char)(value >> 8 * i);
    sink_write(gmon->sink, out, bytes);
}

static void write_word(const struct gmon *gmon, uint64_t value)
{
    write_number(gmon, value, gmon->word_bytes);
}

/* Writes the header of the histogram of the code from `low` to `high`. */
static void write_histogram_head(const struct gmon *gmon, uint64_t low, uint64_t high)
{
    uint64_t rate = gmon->snapshot->sample_hz;
    char dimension[16] = {0};
    memcpy(dimension, rate ? "seconds" : "samples", 7);
    dimension[15] = rate ? 's' : 'n';
    sink_char(gmon->sink, TAG_HISTOGRAM);
    write_word(gmon, low);
    write_word(gmon, high);
    write_number(gmon, (high - low) / BIN, 4);
    write_number(gmon, rate == 0 ? 1 : rate > UINT32_MAX ? UINT32_MAX : rate, 4);
    sink_write(gmon->sink, dimension, sizeof dimension);
}

static int by_address(const void *a, const void *b)
{
    const struct snapshot_pc *left = a, *right = b;
    return left->address < right->address ? -1 : left->address > right->address;
}

static uint32_t shares_of(const struct snapshot_pc *pc)
{
    return pc->bytes > BIN && pc->bytes <= BIN * SHARES_MOST ? (uint32_t)(pc->bytes + BIN - 1) / BIN : 1;
}

/* Returns the samples distributed over bins, *n of them. NULL when memory is used up. */
static struct snapshot_pc *share_out(const struct snapshot *snapshot, uint32_t *n)
{
    size_t room = 1;
    for (uint32_t i = 0; i < snapshot->pc_count; i++)
        room += shares_of(&snapshot->pcs[i]);
    struct snapshot_pc *shares = malloc(room * sizeof *shares);
    *n = 0;
    for (uint32_t i = 0; shares && i < snapshot->pc_count; i++) {
        const struct snapshot_pc *pc = &snapshot->pcs[i];
        uint32_t places = shares_of(pc);
        for (uint32_t k = 0; k < places; k++)
            shares[(*n)++] = (struct snapshot_pc){pc->address + (uint64_t)k * BIN,
                                                  pc->count / places + (k < pc->count % places), BIN};
    }
    return shares;
}

/* Sorts the samples into bins, by address. Returns the number of bins. */
static uint32_t sort_into_bins(struct snapshot_pc *pcs, uint32_t n)
{
    uint32_t bins = 0;
    for (uint32_t i = 0; i < n; i++)
        pcs[i].address -= pcs[i].address % BIN;
    qsort(pcs, n, sizeof *pcs, by_address);
    for (uint32_t i = 0; i < n; i++) {
        if (bins > 0 && pcs[bins - 1].address == pcs[i].address)
            pcs[bins - 1].count += pcs[i].count;
        else
            pcs[bins++] = pcs[i];
    }
    return bins;
}

/* True when `next` goes into the histogram of the bins from `first` to `last`. */
static bool continues_histogram(const struct snapshot_pc *first, const struct snapshot_pc *last,
                                const struct snapshot_pc *next)
{
    return last->count <= BIN_MOST && next->count <= BIN_MOST && next->address - last->address <= GAP_MOST &&
           (next->address - first->address) / BIN < BINS_MOST;
}

static void write_stretch(const struct gmon *gmon, const struct snapshot_pc *first,
                          const struct snapshot_pc *last)
{
    uint64_t at = first->address;
    write_histogram_head(gmon, at, last->address + BIN);
    for (const struct snapshot_pc *pc = first; pc <= last; pc++, at += BIN) {
        for (; at < pc->address; at += BIN)
            write_number(gmon, 0, 2);
        write_number(gmon, pc->count, 2);
    }
}

static void write_hot_address(const struct gmon *gmon, const struct snapshot_pc *pc)
{
    for (uint64_t left = pc->count; left > 0 && !gmon->sink->failed;) {
        uint64_t part = left < BIN_MOST ? left : BIN_MOST;
        write_histogram_head(gmon, pc->address, pc->address + BIN);
        write_number(gmon, part, 2);
        left -= part;
    }
}

static void write_samples(const struct gmon *gmon)
{
    uint32_t n;
    struct snapshot_pc *pcs = share_out(gmon->snapshot, &n);
    if (!pcs) {
        gmon->sink->failed = true;
        return;
    }
    n = sort_into_bins(pcs, n);
    for (uint32_t i = 0; i < n;) {
        uint32_t end = i + 1;
        while (end < n && continues_histogram(&pcs[i], &pcs[end - 1], &pcs[end]))
            end++;
        if (pcs[i].count > BIN_MOST)
            write_hot_address(gmon, &pcs[i]);
        else
            write_stretch(gmon, &pcs[i], &pcs[end - 1]);
        i = end;
    }
    free(pcs);
}

static void write_arc(const struct gmon *gmon, const struct snapshot_call_site *site)
{
    for (uint64_t left = site->calls; left > 0 && !gmon->sink->failed;) {
        uint64_t part = left < UINT32_MAX ? left : UINT32_MAX;
        sink_char(gmon->sink, TAG_ARC);
        write_word(gmon, site->from);
        write_word(gmon, site->to);
        write_number(gmon, part, 4);
        left -= part;
    }
}

static void write_gmon(const struct snapshot *snapshot, struct sink *sink)
{
    static const char spare[12];
    struct gmon gmon = {
        .snapshot = snapshot,
        .sink = sink,
        .word_bytes = snapshot->source.elf_word_bytes == 8 ? 8 : 4,
    };
    sink_text(sink, "gmon");
    write_number(&gmon, VERSION, 4);
    sink_write(sink, spare, sizeof spare);
    write_samples(&gmon);
    for (uint32_t i = 0; i < snapshot->site_count; i++)
        write_arc(&gmon, &snapshot->sites[i]);
}

const struct exporter exporter_gmon = {
    .id = "gmon",
    .title = "gmon.out",
    .summary = "program counter samples and call arcs, for gprof",
    .media_type = "application/octet-stream",
    .extension = "gmon.out",
    .needs = PROVIDES_ARCS | PROVIDES_SAMPLES,
    .write = write_gmon,
};
