/* words.c - writes a row of a result as a sentence. */
#include "check/report.h"

#include <math.h>
#include <stdio.h>

static const char *row_verb(const struct gate_row *row)
{
    static const char *const verbs[][3] = {
        [MEASURED_IN_NS] = {"is as fast", "became slower", "became faster"},
        [MEASURED_IN_CALLS] = {"is called as often", "is called more often", "is called less often"},
        [MEASURED_IN_BYTES] = {"needs no more stack", "needs more stack", "needs less stack"}};
    int way = row->verdict == GATE_FAILS ? 1 : row->verdict == GATE_WARNS ? 2 : 0;
    return verbs[measured_unit_of(row->figure)][way];
}

static void write_figure(enum measured_figure figure, double value, char *out, size_t size)
{
    switch (measured_unit_of(figure)) {
    case MEASURED_IN_CALLS: snprintf(out, size, "%.0f", value); break;
    case MEASURED_IN_BYTES: snprintf(out, size, "%.0f bytes", value); break;
    default: snprintf(out, size, "%.3f us", value / 1e3);
    }
}

/* Returns the decimals for three significant digits; whole numbers keep all digits. */
static int decimals_for_value(double value)
{
    return value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
}

static void write_share(const struct gate_row *row, char *out, size_t size)
{
    double share = 100 * (row->is - row->was) / row->was;
    snprintf(out, size, "%+.*f %%", fabs(share) >= 10 ? 0 : 1, share);
}

/* Writes " +303 % itself (12.1 -> 48.8 us a call)". */
static void itself_words(const struct gate_row *row, char words[static REPORT_WORDS_SIZE])
{
    char share[32] = "slower";
    double larger = fmax(row->was, row->is);
    double unit = larger >= 1e9 ? 1e9 : larger >= 1e6 ? 1e6 : larger >= 1e3 ? 1e3 : 1;
    const char *name = unit >= 1e9 ? "s" : unit >= 1e6 ? "ms" : unit >= 1e3 ? "us" : "ns";
    if (row->was > 0)
        write_share(row, share, sizeof share);
    snprintf(words, REPORT_WORDS_SIZE, " %s itself (%.*f -> %.*f %s a call)", share,
             decimals_for_value(row->was / unit), row->was / unit, decimals_for_value(row->is / unit),
             row->is / unit, name);
}

static void compare_words(const struct gate_result *result, const struct gate_row *row,
                          char words[static REPORT_WORDS_SIZE])
{
    char is[48], was[48], share[32] = "";
    bool is_led = row->verdict == GATE_FAILS && row->cause == GATE_CALLEE && result->is_led;
    write_figure(row->figure, row->is, is, sizeof is);
    write_figure(row->figure, row->was, was, sizeof was);
    if (row->was > 0)
        snprintf(share, sizeof share, " (%+.1f %%)", 100 * (row->is - row->was) / row->was);
    snprintf(words, REPORT_WORDS_SIZE, " %s%s: %s %s, was %s%s", row_verb(row),
             is_led ? " because of a callee" : "", measured_word(row->figure), is, was, share);
}

static void limit_words(const struct gate_row *row, char words[static REPORT_WORDS_SIZE])
{
    const char *verdict = row->verdict == GATE_FAILS ? "breaks its limit" : "keeps to";
    if (row->verdict == GATE_UNKNOWN)
        snprintf(words, REPORT_WORDS_SIZE, " cannot be held to %s: %s", row->limit, row->why);
    else if (*row->value)
        snprintf(words, REPORT_WORDS_SIZE, " %s %s: it was %s", verdict, row->limit, row->value);
    else
        snprintf(words, REPORT_WORDS_SIZE, " %s %s", verdict, row->limit);
}

void report_words(const struct gate *gate, const struct gate_result *result, const struct gate_row *row,
                  char words[static REPORT_WORDS_SIZE])
{
    bool is_itself = gate->metric == MEASURED_TIME && row->verdict == GATE_FAILS && row->cause == GATE_ITSELF;
    switch (row->kind) {
    case GATE_LIMIT: limit_words(row, words); break;
    case GATE_GONE:
        snprintf(words, REPORT_WORDS_SIZE, " is gone: it was called %llu times before, and is not any more",
                 (unsigned long long)row->before->calls);
        break;
    case GATE_NEW: snprintf(words, REPORT_WORDS_SIZE, " is new: it was not called before"); break;
    case GATE_COMPARED:
        if (is_itself)
            itself_words(row, words);
        else
            compare_words(result, row, words);
    }
}
