/* reading.c - reads the JSON of a snapshot. The server is not trusted: a value of an unexpected type is unknown. */
#include "top/reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double member_number(const struct jsonio *object, const char *name)
{
    double value = NAN;
    jsonio_double(jsonio_member(object, name), &value);
    return value;
}

static const char *member_text(const struct jsonio *object, const char *name)
{
    return jsonio_text(jsonio_member(object, name));
}

/* Adds up the known members. NAN when none is known. */
static double member_sum(const struct jsonio *object, const char *const names[])
{
    double sum = NAN;
    for (; *names; names++) {
        double value = member_number(object, *names);
        if (!isnan(value))
            sum = isnan(sum) ? value : sum + value;
    }
    return sum;
}

static struct reading_function function_of(const struct jsonio *row)
{
    const char *name = member_text(row, "name"), *kind = member_text(row, "kind");
    double calls = member_number(row, "calls");
    return (struct reading_function){.name = name ? name : "?",
                                     .calls = !kind || !strcmp(kind, "function") ? calls : NAN,
                                     .own = member_number(row, "self_ticks"),
                                     .total = member_number(row, "total_ticks"),
                                     .mean = member_number(row, "mean_ticks"),
                                     .p99 = member_number(row, "p99_ticks"),
                                     .max = member_number(row, "max_ticks"),
                                     .may_loop = !isnan(calls) && kind &&
                                                 (!strcmp(kind, "function") || !strcmp(kind, "running"))};
}

/* True unless the list of what the dialect provides is there, and has nothing of functions. */
static bool reports_functions(const struct jsonio *provides)
{
    static const char *const of_functions[] = {"tree", "arcs", "samples"};
    for (size_t i = 0; i < jsonio_count(provides); i++)
        for (size_t k = 0; k < sizeof of_functions / sizeof *of_functions; k++) {
            const char *one = jsonio_text(jsonio_at(provides, i));
            if (one && !strcmp(one, of_functions[k]))
                return true;
        }
    return jsonio_count(provides) == 0;
}

static struct reading_context context_of(const struct jsonio *row)
{
    return (struct reading_context){.name = member_text(row, "name"),
                                    .kind = member_text(row, "kind"),
                                    .running = member_number(row, "running_ticks"),
                                    .blocked = member_number(row, "blocked_ticks"),
                                    .stack = member_number(row, "stack_bytes")};
}

/* True when the row has that id. In whole snapshots, ids equal indices. */
static bool row_has_id(const struct jsonio *row, size_t id)
{
    double told;
    return jsonio_double(jsonio_member(row, "id"), &told) && told == (double)id;
}

/* Uses samples as times, for targets without clocks in their hooks. */
static void use_samples(struct reading *reading, const struct jsonio *list)
{
    double samples = 0, own = 0;
    for (const struct jsonio *row = jsonio_first(list); row; row = jsonio_next(row)) {
        double met = member_number(row, "samples");
        samples += met > 0 ? met : 0;
    }
    for (size_t i = 0; i < reading->functions_n; i++)
        own += reading->functions[i].own > 0 ? reading->functions[i].own : 0;
    reading->is_sampled = samples > 0 && own == 0;
    const struct jsonio *row = reading->is_sampled ? jsonio_first(list) : NULL;
    for (size_t i = 0; row; row = jsonio_next(row), i++) {
        reading->functions[i].own = member_number(row, "samples");
        reading->functions[i].total = NAN;
    }
}

static bool read_functions(struct reading *reading, const struct jsonio *list)
{
    size_t n = jsonio_count(list);
    reading->functions = calloc(n + 1, sizeof *reading->functions);
    if (!reading->functions)
        return false;
    for (const struct jsonio *row = jsonio_first(list); row; row = jsonio_next(row)) {
        if (!row_has_id(row, reading->functions_n))
            return false;
        reading->functions[reading->functions_n++] = function_of(row);
    }
    use_samples(reading, list);
    return true;
}

static bool read_contexts(struct reading *reading, const struct jsonio *list)
{
    reading->contexts = calloc(jsonio_count(list) + 1, sizeof *reading->contexts);
    if (!reading->contexts)
        return false;
    for (const struct jsonio *row = jsonio_first(list); row; row = jsonio_next(row)) {
        if (!row_has_id(row, reading->contexts_n))
            return false;
        reading->contexts[reading->contexts_n++] = context_of(row);
    }
    return true;
}

static void read_link(struct reading_link *link, const struct jsonio *json, const struct jsonio *target)
{
    static const char *const damaged[] = {"crc_errors", "framing_errors", "malformed", NULL};
    *link = (struct reading_link){
        .bytes_per_second = member_number(json, "bytes_per_second"),
        .calls_per_second = member_number(json, "calls_per_second"),
        .use_percent = member_number(json, "line_use_percent"),
        .damaged = member_sum(json, damaged),
        .lost = member_number(json, "records_lost"),
        .losses_of_unknown_size = member_number(json, "losses_of_unknown_size"),
        .reconnects = member_number(json, "reconnects"),
        .restarts = member_number(json, "target_resets"),
        .overflows = member_number(target, "buffer_overflows"),
        .buffer_percent = member_number(target, "buffer_usage_percent"),
    };
}

/* Converts "2026-11-20T12:00:00.123Z" to seconds in that month, which is enough for differences of readings. */
static double seconds_of(const char *when)
{
    unsigned day, hours, minutes;
    double seconds;
    if (!when || sscanf(when, "%*4u-%*2u-%2uT%2u:%2u:%lf", &day, &hours, &minutes, &seconds) != 4 ||
        !(seconds >= 0 && seconds < 61))
        return NAN;
    return ((day * 24.0 + hours) * 60 + minutes) * 60 + seconds;
}

static void read_head(struct reading *reading, const struct jsonio *top)
{
    const struct jsonio *source = jsonio_member(top, "source"), *target = jsonio_member(top, "target");
    reading->port = member_text(source, "port");
    reading->dialect = member_text(source, "dialect");
    reading->reports_functions = reports_functions(jsonio_member(source, "dialect_provides"));
    reading->state = member_text(source, "state");
    reading->detail = member_text(source, "detail");
    reading->baud = member_number(source, "baud");
    reading->firmware = member_text(target, "fw_version");
    reading->mode = member_text(target, "mode");
    reading->ticks_per_second = member_number(target, "ticks_per_second");
    reading->has_profiling = jsonio_bool(jsonio_member(target, "profiling"), &reading->is_profiling);
    reading->incomplete = jsonio_text(jsonio_first(jsonio_member(top, "incomplete_because")));
    reading->sequence = member_number(top, "sequence");
    reading->cleared_at = member_number(top, "cleared_at");
    reading->captured_s = seconds_of(member_text(top, "captured_at"));
    read_link(&reading->link, jsonio_member(top, "link"), target);
}

struct reading *reading_parse(const char *text, size_t n, struct error *err)
{
    struct jsonio *top = jsonio_parse("The snapshot", text, n, err);
    struct reading *reading = top ? calloc(1, sizeof *reading) : NULL;
    if (!reading) {
        if (top)
            error_set(err, "Out of memory.");
        jsonio_free(top);
        return NULL;
    }
    reading->top = top;
    read_head(reading, top);
    if (!jsonio_is_array(jsonio_member(top, "functions")) ||
        !read_functions(reading, jsonio_member(top, "functions")) ||
        !read_contexts(reading, jsonio_member(top, "contexts"))) {
        error_set(err,
                  "What answers there is no miniprofd, or this program is out of memory; check the address.");
        reading_free(reading);
        return NULL;
    }
    return reading;
}

void reading_free(struct reading *reading)
{
    if (!reading)
        return;
    jsonio_free(reading->top);
    free(reading->functions);
    free(reading->contexts);
    free(reading);
}

bool reading_has_ended(const struct reading *reading)
{
    return reading->state && !strcmp(reading->state, "ended");
}

bool reading_follows(const struct reading *after, const struct reading *before)
{
    return before && after->sequence > before->sequence && after->cleared_at == before->cleared_at &&
           after->functions_n >= before->functions_n && after->is_sampled == before->is_sampled;
}
