/* bound.c - parses, writes and applies limits such as "control_cycle:p99<500us". */
#include "base/bound.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t most_ns = UINT64_C(3600) * 1000000000, most_number = UINT64_C(1) << 53;

#define FIGURE_ROW(id, text, of, ...) [BOUND_##id] = {.name = (text), .unit = BOUND_##of, __VA_ARGS__},
static const struct bound_figure_info figures[] = {BOUND_FIGURE_ROWS(FIGURE_ROW, FIGURE_ROW)};

/* The suffixes of values. Both Unicode letters for mu are accepted. Those of one unit are sorted by size; of
 * each size the first is the one that is written. */
static const struct ending {
    const char *name;
    enum bound_unit unit;
    uint64_t factor;
    bool is_written;
} endings[] = {
    {"s", BOUND_NS, 1000000000, true},
    {"ms", BOUND_NS, 1000000, true},
    {"us", BOUND_NS, 1000, true},
    {"\xC2\xB5s", BOUND_NS, 1000, false},
    {"\xCE\xBCs", BOUND_NS, 1000, false},
    {"ns", BOUND_NS, 1, true},
    {"kHz", BOUND_MILLI_HZ, 1000000, false},
    {"/s", BOUND_MILLI_HZ, 1000, true},
    {"Hz", BOUND_MILLI_HZ, 1000, false},
    {"", BOUND_MILLI_HZ, 1000, false},
    {"%", BOUND_MILLI_PERCENT, 1000, true},
    {"", BOUND_COUNT, 1, true},
};
enum { ENDINGS = sizeof endings / sizeof *endings };

static const struct sign {
    const char *text;
    enum bound_relation relation;
} signs[] = {{"<=", BOUND_AT_MOST},
             {">=", BOUND_AT_LEAST},
             {"<", BOUND_BELOW},
             {">", BOUND_ABOVE},
             {"=", BOUND_WITHIN}};

static const char plus_minus[] = "\xC2\xB1"; /* ± */

/* ---- reading ---- */

/* The text and the read position. */
struct reader {
    const char *text, *at;
};

static bool refuse_bound(const struct reader *reader, const char *why, struct error *err)
{
    char shown[100], rest[60];
    text_clean_utf8(shown, sizeof shown, reader->text, strlen(reader->text));
    text_clean_utf8(rest, sizeof rest, reader->at, strlen(reader->at));
    return error_set(err, "The limit '%s' cannot be read at '%s' (character %zu): %s", shown, rest,
                     (size_t)(reader->at - reader->text) + 1, why);
}

static void skip_spaces(struct reader *reader)
{
    reader->at += strspn(reader->at, " \t");
}

static bool accept_word(struct reader *reader, const char *word)
{
    if (strncmp(reader->at, word, strlen(word)) != 0)
        return false;
    reader->at += strlen(word);
    skip_spaces(reader);
    return true;
}

static bool is_plain_text(const char *text)
{
    char clean[3 * LIMIT_NAME_SIZE];
    text_clean_utf8(clean, sizeof clean, text, strlen(text));
    for (const char *at = text; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7F)
            return false;
    return !strcmp(clean, text);
}

static bool take_name(struct reader *reader, struct bound *bound, struct error *err)
{
    const char *colon = strrchr(reader->text, ':');
    skip_spaces(reader);
    if (!colon || colon <= reader->at)
        return refuse_bound(reader, "FUNCTION:FIGURE<VALUE is wanted, such as 'control_cycle:max<500us'.",
                            err);
    size_t n = (size_t)(colon - reader->at);
    while (n > 1 && (reader->at[n - 1] == ' ' || reader->at[n - 1] == '\t'))
        n--;
    if (n >= sizeof bound->name)
        return refuse_bound(reader, "a name of up to 255 bytes is wanted.", err);
    memcpy(bound->name, reader->at, n);
    bound->name[n] = '\0';
    if (!is_plain_text(bound->name))
        return refuse_bound(reader, "a name is UTF-8 without control characters.", err);
    reader->at = colon + 1;
    skip_spaces(reader);
    return true;
}

static bool take_figure(struct reader *reader, struct bound *bound, struct error *err)
{
    size_t n = strspn(reader->at, "abcdefghijklmnopqrstuvwxyz0123456789");
    int figure = 0;
    while (figure < BOUND_FIGURES &&
           (strlen(figures[figure].name) != n || memcmp(figures[figure].name, reader->at, n) != 0))
        figure++;
    if (figure == BOUND_FIGURES)
        return refuse_bound(reader, "a figure is wanted: " BOUND_FIGURE_NAMES ".", err);
    bound->figure = (enum bound_figure)figure;
    reader->at += n;
    skip_spaces(reader);
    return true;
}

static bool take_relation(struct reader *reader, struct bound *bound, struct error *err)
{
    struct reader before = *reader;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (!accept_word(reader, signs[i].text))
            continue;
        bound->relation = signs[i].relation;
        if (bound->relation < BOUND_ABOVE || figures[bound->figure].may_fall_short)
            return true;
        return refuse_bound(&before, "this figure takes < or <=.", err);
    }
    return refuse_bound(reader, "<, <=, >, >= or = is wanted.", err);
}

/* Describes the suffixes of each unit for an error. */
static const char *value_wanted(enum bound_unit unit)
{
    switch (unit) {
    case BOUND_NS: return "a time with its unit is wanted (ns, us, ms or s), up to an hour.";
    case BOUND_MILLI_HZ: return "a number of calls in a second is wanted, such as 1000/s or 20kHz.";
    case BOUND_MILLI_PERCENT: return "a share is wanted, such as 80%.";
    default: return "a whole number is wanted.";
    }
}

static const struct ending *take_ending(struct reader *reader, enum bound_unit unit)
{
    for (size_t i = 0; i < ENDINGS; i++)
        if (endings[i].unit == unit && accept_word(reader, endings[i].name))
            return &endings[i];
    return NULL;
}

/* Reads digits with an optional point. */
static bool take_value(struct reader *reader, enum bound_unit unit, uint64_t *value, struct error *err)
{
    struct reader before = *reader;
    size_t digits = strspn(reader->at, unit == BOUND_COUNT ? "0123456789" : "0123456789.");
    char number[32], *end;
    if (*reader->at < '0' || *reader->at > '9' || digits >= sizeof number)
        return refuse_bound(reader, value_wanted(unit), err);
    memcpy(number, reader->at, digits);
    number[digits] = '\0';
    double read = strtod(number, &end);
    reader->at += digits;
    skip_spaces(reader);
    const struct ending *ending = take_ending(reader, unit);
    double scaled = ending ? read * (double)ending->factor : 0;
    if (*end || !ending || scaled > (double)(unit == BOUND_NS ? most_ns : most_number))
        return refuse_bound(&before, value_wanted(unit), err);
    *value = (uint64_t)(scaled + 0.5);
    return true;
}

static bool take_tolerance(struct reader *reader, struct bound *bound, struct error *err)
{
    if (bound->relation != BOUND_WITHIN)
        return true;
    if (!accept_word(reader, plus_minus) && !accept_word(reader, "+-"))
        return refuse_bound(reader, "\xC2\xB1 (or +-) and how much less or more will do are wanted.", err);
    return take_value(reader, bound_unit_of(bound->figure), &bound->tolerance, err);
}

bool bound_parse(const char *text, struct bound *bound, struct error *err)
{
    struct reader reader = {text, text};
    *bound = (struct bound){.tolerance = 0};
    if (!take_name(&reader, bound, err) || !take_figure(&reader, bound, err) ||
        !take_relation(&reader, bound, err) ||
        !take_value(&reader, bound_unit_of(bound->figure), &bound->value, err) ||
        !take_tolerance(&reader, bound, err))
        return false;
    return !*reader.at || refuse_bound(&reader, "nothing is wanted here.", err);
}

/* ---- writing ---- */

/* Returns the largest unit in which the value is a whole number, or else the smallest. */
static const struct ending *ending_for(enum bound_unit unit, uint64_t value)
{
    const struct ending *found = NULL;
    for (size_t i = 0; i < ENDINGS; i++) {
        if (endings[i].unit != unit || !endings[i].is_written)
            continue;
        found = &endings[i];
        if (value > 0 && value % found->factor == 0)
            break;
    }
    return found;
}

static void write_value(enum bound_unit unit, uint64_t value, char *out, size_t size)
{
    const struct ending *ending = ending_for(unit, value);
    uint64_t whole = value / ending->factor, part = value % ending->factor;
    int n = snprintf(out, size, "%" PRIu64, whole);
    if (part > 0) /* of rates and shares, which have three decimals */
        n = snprintf(out, size, "%" PRIu64 ".%03" PRIu64, whole, part);
    while (part > 0 && n > 0 && out[n - 1] == '0')
        n--;
    snprintf(out + n, size - (size_t)n, "%s", ending->name);
}

void bound_write(const struct bound *bound, char *out, size_t size)
{
    static const char *const texts[] = {[BOUND_BELOW] = "<",
                                        [BOUND_AT_MOST] = "<=",
                                        [BOUND_ABOVE] = ">",
                                        [BOUND_AT_LEAST] = ">=",
                                        [BOUND_WITHIN] = "="};
    enum bound_unit unit = bound_unit_of(bound->figure);
    char value[32], tolerance[32] = "";
    write_value(unit, bound->value, value, sizeof value);
    write_value(unit, bound->tolerance, tolerance, sizeof tolerance);
    bool is_within = bound->relation == BOUND_WITHIN;
    snprintf(out, size, "%s:%s%s%s%s%s", bound->name, figures[bound->figure].name, texts[bound->relation],
             value, is_within ? plus_minus : "", is_within ? tolerance : "");
}

void bound_write_value(enum bound_figure figure, double value, char *out, size_t size)
{
    switch (figures[figure].unit) {
    case BOUND_NS: {
        size_t i = 0; /* the largest unit of which the value has at least one */
        while (endings[i].factor > 1 && value < (double)endings[i].factor)
            i++;
        snprintf(out, size, "%.4g%s", value / (double)endings[i].factor,
                 endings[i].is_written ? endings[i].name : "us");
        break;
    }
    case BOUND_COUNT: snprintf(out, size, "%.0f", value); break;
    case BOUND_MILLI_HZ: snprintf(out, size, "%.6g/s", value / 1000); break;
    case BOUND_MILLI_PERCENT: snprintf(out, size, "%.4g%%", value / 1000); break;
    }
}

const struct bound_figure_info *bound_figure_info(enum bound_figure figure)
{
    return &figures[figure];
}

enum bound_unit bound_unit_of(enum bound_figure figure)
{
    return figures[figure].unit;
}

/* ---- judging ---- */

static uint64_t least_within(const struct bound *bound)
{
    return bound->value > bound->tolerance ? bound->value - bound->tolerance : 0;
}

bool bound_holds(const struct bound *bound, double value)
{
    double edge = (double)bound->value;
    switch (bound->relation) {
    case BOUND_BELOW: return value < edge;
    case BOUND_AT_MOST: return value <= edge;
    case BOUND_ABOVE: return value > edge;
    case BOUND_AT_LEAST: return value >= edge;
    default:
        return value >= (double)least_within(bound) && value <= (double)(bound->value + bound->tolerance);
    }
}

/* Divides, with 0 counted as one unit, so that no ratio is infinite. */
static double excess_ratio(double more, double less)
{
    return (more > 1 ? more : 1) / (less > 1 ? less : 1);
}

double bound_excess(const struct bound *bound, double value)
{
    double edge = (double)bound->value;
    switch (bound->relation) {
    case BOUND_BELOW:
    case BOUND_AT_MOST: return excess_ratio(value, edge);
    case BOUND_ABOVE:
    case BOUND_AT_LEAST: return excess_ratio(edge, value);
    default:
        return value > edge ? excess_ratio(value, (double)(bound->value + bound->tolerance))
                            : excess_ratio((double)least_within(bound), value);
    }
}

/* Returns ns * hz / 1e9, and in *is_cut whether it was rounded down. */
static uint64_t ticks_of(uint64_t ns, uint64_t hz, bool *is_cut)
{
    const uint64_t second = 1000000000;
    unsigned __int128 product = (unsigned __int128)ns * hz, ticks = product / second;
    *is_cut = product % second != 0;
    return ticks > UINT64_MAX - 1 ? UINT64_MAX - 1 : (uint64_t)ticks;
}

struct bound_ticks bound_in_ticks(const struct bound *bound, uint64_t hz)
{
    const struct bound_ticks none = {1, 0};
    bool is_cut;
    uint64_t ticks = ticks_of(bound->value, hz, &is_cut);
    switch (bound->relation) {
    case BOUND_BELOW:
        if (!is_cut && ticks == 0)
            return none;
        return (struct bound_ticks){0, is_cut ? ticks : ticks - 1};
    case BOUND_AT_MOST: return (struct bound_ticks){0, ticks};
    case BOUND_ABOVE: return (struct bound_ticks){ticks + 1, UINT64_MAX};
    case BOUND_AT_LEAST: return (struct bound_ticks){is_cut ? ticks + 1 : ticks, UINT64_MAX};
    default: {
        uint64_t most = ticks_of(bound->value + bound->tolerance, hz, &is_cut);
        uint64_t least = ticks_of(least_within(bound), hz, &is_cut);
        return (struct bound_ticks){is_cut ? least + 1 : least, most};
    }
    }
}
