/* measured.c - reads the functions of a profile from JSON, which is untrusted. */
#include "check/measured.h"

#include "check/profile_text.h"

#include "base/jsonio.h"
#include "base/text.h"
#include "base/wholefile.h"

#include <stdlib.h>
#include <string.h>

enum { MIB_MOST = 512, SCHEMA_VERSION = 1, LIMITS_MOST = 1000, SETTINGS_MOST = 1000 };

static const double EXACT_MOST = 9007199254740991.0; /* the largest exact integer in JSON */

/* The key of a figure in a row of "functions", and its unit. */
static const struct row {
    const char *word, *key;
    enum measured_unit unit;
    bool is_per_call;
} rows[MEASURED_FIGURES] = {
    [MEASURED_TOTAL_MEAN] = {"total-mean", "total_ticks", MEASURED_IN_NS, true},
    [MEASURED_SELF_MEAN] = {"self-mean", "self_ticks", MEASURED_IN_NS, true},
    [MEASURED_P50] = {"p50", "p50_ticks", MEASURED_IN_NS, false},
    [MEASURED_P90] = {"p90", "p90_ticks", MEASURED_IN_NS, false},
    [MEASURED_P99] = {"p99", "p99_ticks", MEASURED_IN_NS, false},
    [MEASURED_MAX] = {"max", "max_ticks", MEASURED_IN_NS, false},
    [MEASURED_CALLS] = {"calls", "calls", MEASURED_IN_CALLS, false},
    [MEASURED_STACK] = {"stack", "stack_bytes", MEASURED_IN_BYTES, false},
    [MEASURED_TIME] = {"time", "total_ticks", MEASURED_IN_NS, true},
    [MEASURED_CORRECTED_TOTAL] = {NULL, "corrected_total_ticks", MEASURED_IN_NS, true},
    [MEASURED_CORRECTED_SELF] = {NULL, "corrected_self_ticks", MEASURED_IN_NS, true},
    [MEASURED_SHORTEST] = {NULL, "min_ticks", MEASURED_IN_NS, false},
};

const char *measured_word(enum measured_figure figure)
{
    return rows[figure].word;
}

bool measured_named(const char *word, enum measured_figure *figure)
{
    for (int i = 0; i < MEASURED_METRICS; i++)
        if (!strcmp(word, rows[i].word)) {
            *figure = (enum measured_figure)i;
            return true;
        }
    return false;
}

bool measured_is_mean(enum measured_figure figure)
{
    return rows[figure].is_per_call;
}

enum measured_unit measured_unit_of(enum measured_figure figure)
{
    return rows[figure].unit;
}

/* Returns the file's name without folders, which end in '/' or, from Windows, '\\'. */
static const char *without_folders(const char *file)
{
    const char *name = file;
    for (; *file; file++)
        if (*file == '/' || *file == '\\')
            name = file + 1;
    return name;
}

const char *measured_file_name(const struct measured_function *function)
{
    return without_folders(function->file);
}

int measured_order_namesakes(const struct measured_function *one, const struct measured_function *other)
{
    int by_name = strcmp(one->name, other->name);
    return by_name ? by_name : strcmp(without_folders(one->file), without_folders(other->file));
}

int measured_order(const void *a, const void *b)
{
    const struct measured_function *one = a, *other = b;
    int by_namesakes = measured_order_namesakes(one, other);
    return by_namesakes ? by_namesakes : strcmp(one->file, other->file);
}

size_t measured_namesakes(const struct measured *measured, size_t at)
{
    size_t n = 0;
    while (at + n < measured->n &&
           measured_order_namesakes(&measured->functions[at], &measured->functions[at + n]) == 0)
        n++;
    return n;
}

const struct measured_function *measured_find(const struct measured *measured,
                                              const struct measured_function *like)
{
    return measured->n > 0 ? bsearch(like, measured->functions, measured->n, sizeof *like, measured_order)
                           : NULL;
}

/* Reads a figure of a row. False when it is not a count. A null is unknown. */
static bool read_row_figure(const struct jsonio *row, const char *name, uint64_t *out, bool *known)
{
    const struct jsonio *value = jsonio_member(row, name);
    *out = 0;
    *known = value && !jsonio_is_null(value);
    return !*known || jsonio_u64(value, out);
}

static bool read_figures(struct measured_function *function, const struct jsonio *json, double ns_per_tick)
{
    uint64_t off;
    bool has_error;
    if (!read_row_figure(json, "corrected_error_ticks", &off, &has_error))
        return false;
    if (function->calls > 0)
        function->corrected_error = (double)off / (double)function->calls * ns_per_tick;
    (void)jsonio_bool(jsonio_member(json, "corrected_is_rough"), &function->is_rough);
    for (int i = 0; i < MEASURED_FIGURES; i++) {
        uint64_t value;
        if (!read_row_figure(json, rows[i].key, &value, &function->is_known[i]))
            return false;
        double unit = rows[i].unit == MEASURED_IN_NS ? ns_per_tick : 1;
        double calls = rows[i].is_per_call ? (double)function->calls : 1;
        function->figure[i] = function->calls > 0 ? (double)value / calls * unit : 0;
    }
    return true;
}

/* Reads the minimum or maximum of a figure. False when it is not a non-negative number. */
static bool read_extreme(const struct jsonio *json, const char *key, double *out, bool *is_known)
{
    const struct jsonio *value = jsonio_member(json, key);
    *out = 0;
    *is_known = value && !jsonio_is_null(value);
    return !*is_known || (jsonio_double(value, out) && *out >= 0 && *out <= EXACT_MOST);
}

/* Reads the extremes for all limits that can be judged afterwards. */
static bool read_extremes(struct measured_function *function, const struct jsonio *json, double ns_per_tick)
{
    for (int i = 0; i < BOUND_FIGURES; i++) {
        const struct bound_figure_info *info = bound_figure_info((enum bound_figure)i);
        struct measured_extremes *extremes = &function->extremes[i];
        bool has_least, has_most;
        if (!info->least || !info->most)
            continue;
        if (!read_extreme(json, info->least, &extremes->least, &has_least) ||
            !read_extreme(json, info->most, &extremes->most, &has_most))
            return false;
        double calls = info->way == BOUND_PER_CALL ? (double)function->calls : 1;
        double unit = info->unit == BOUND_NS ? ns_per_tick : 1;
        extremes->is_known = has_least && has_most && function->calls > 0;
        extremes->least = extremes->is_known ? extremes->least / calls * unit : 0;
        extremes->most = extremes->is_known ? extremes->most / calls * unit : 0;
    }
    return true;
}

/* Reads a row of "functions". False when it is damaged. A function that was never called has 0 calls. */
static bool read_function(struct measured_function *function, const struct jsonio *json, double ns_per_tick)
{
    const char *kind = jsonio_text(jsonio_member(json, "kind"));
    const struct jsonio *file = jsonio_member(json, "file");
    bool has_calls, has_line;
    const char *directory = jsonio_text(jsonio_member(json, "directory"));
    *function = (struct measured_function){.name = jsonio_text(jsonio_member(json, "name")),
                                           .file = "",
                                           .directory = directory ? directory : "",
                                           .deviation = -1};
    if (jsonio_double(jsonio_member(json, "stddev_ticks"), &function->deviation))
        function->deviation *= ns_per_tick;
    if (!function->name || !kind || (file && !jsonio_is_null(file) && !jsonio_text(file)))
        return false;
    if (jsonio_text(file))
        function->file = jsonio_text(file);
    if (!read_row_figure(json, "calls", &function->calls, &has_calls) ||
        !read_row_figure(json, "line", &function->line, &has_line) ||
        !read_figures(function, json, ns_per_tick) || !read_extremes(function, json, ns_per_tick))
        return false;
    if (strcmp(kind, "function") != 0)
        function->calls = 0; /* placeholders for callers were not measured */
    return true;
}

static bool read_functions(struct measured *measured, double ns_per_tick)
{
    const struct jsonio *list = jsonio_member(measured->json, "functions");
    if (!jsonio_is_array(list))
        return false;
    size_t count = jsonio_count(list);
    measured->functions = calloc(count + 1, sizeof *measured->functions);
    measured->names = calloc(count + 1, sizeof *measured->names);
    if (!measured->functions || !measured->names || count >= UINT32_MAX)
        return false;
    for (const struct jsonio *row = jsonio_first(list); row; row = jsonio_next(row)) {
        struct measured_function *function = &measured->functions[measured->n];
        if (!read_function(function, row, ns_per_tick))
            return false;
        function->id = (uint32_t)measured->names_n;
        measured->names[measured->names_n++] = function->name;
        measured->n += function->calls > 0;
    }
    qsort(measured->functions, measured->n, sizeof *measured->functions, measured_order);
    for (size_t i = 1; i < measured->n; i++)
        if (measured_order(&measured->functions[i - 1], &measured->functions[i]) == 0)
            measured->functions[i - 1].is_ambiguous = measured->functions[i].is_ambiguous = true;
    return true;
}

/* Converts a value of JSON, which is in whole units, to the unit of struct bound. */
static double in_bounds_unit(enum bound_figure figure, double value)
{
    enum bound_unit unit = bound_unit_of(figure);
    return unit == BOUND_MILLI_HZ || unit == BOUND_MILLI_PERCENT ? 1000 * value : value;
}

static bool read_limit(struct measured_limit *limit, const struct jsonio *json)
{
    const char *state = jsonio_text(jsonio_member(json, "state"));
    struct bound bound;
    struct error err;
    *limit = (struct measured_limit){.text = jsonio_text(jsonio_member(json, "limit")),
                                     .name = jsonio_text(jsonio_member(json, "name"))};
    if (!limit->text || !limit->name || !state || !bound_parse(limit->text, &bound, &err))
        return false;
    limit->figure = bound.figure;
    limit->is_kept = !strcmp(state, "kept");
    limit->is_broken = !strcmp(state, "broken");
    const struct jsonio *worst = jsonio_member(jsonio_member(json, "worst"), "value");
    if (limit->is_broken && !jsonio_double(worst, &limit->worst))
        return false;
    limit->worst = in_bounds_unit(limit->figure, limit->worst);
    return true;
}

/* Reads the limits. Profiles of older daemons have none. */
static bool read_limits(struct measured *measured)
{
    const struct jsonio *list = jsonio_member(measured->json, "limits");
    if (!list)
        return true;
    if (!jsonio_is_array(list) || jsonio_count(list) > LIMITS_MOST)
        return false;
    measured->limits = calloc(jsonio_count(list) + 1, sizeof *measured->limits);
    for (const struct jsonio *row = jsonio_first(list); measured->limits && row; row = jsonio_next(row))
        if (!read_limit(&measured->limits[measured->limits_n++], row))
            return false;
    return measured->limits != NULL;
}

static bool read_setting(struct measured_setting *setting, const struct jsonio *json)
{
    *setting = (struct measured_setting){.name = jsonio_text(jsonio_member(json, "name")),
                                         .unit = jsonio_text(jsonio_member(json, "unit"))};
    return setting->name && setting->unit && jsonio_u64(jsonio_member(json, "value"), &setting->value) &&
           read_row_figure(json, "default", &setting->usual, &setting->has_usual) &&
           jsonio_bool(jsonio_member(json, "throughout"), &setting->is_throughout);
}

/* Reads the settings. Older daemons wrote none, and some targets do not describe themselves. */
static bool read_settings(struct measured *measured)
{
    const struct jsonio *list = jsonio_member(measured->json, "measured_with");
    if (!list || jsonio_is_null(list))
        return true;
    if (!jsonio_is_array(list) || jsonio_count(list) > SETTINGS_MOST)
        return false;
    measured->tells_settings = true;
    measured->settings = calloc(jsonio_count(list) + 1, sizeof *measured->settings);
    for (const struct jsonio *row = jsonio_first(list); measured->settings && row; row = jsonio_next(row))
        if (!read_setting(&measured->settings[measured->settings_n++], row))
            return false;
    return measured->settings != NULL;
}

/* Reads how the profile was measured, as far as known. */
static bool read_way(struct measured *measured)
{
    const struct jsonio *target = jsonio_member(measured->json, "target");
    const struct jsonio *description = jsonio_member(target, "description");
    const char *captured_at = jsonio_text(jsonio_member(measured->json, "captured_at"));
    uint64_t version;
    bool is_known;
    measured->captured_at = captured_at ? captured_at : "";
    const struct jsonio *row = jsonio_first(jsonio_member(description, "versions"));
    for (; row; row = jsonio_next(row))
        if (jsonio_u64(row, &version) && version < 64)
            measured->versions |= UINT64_C(1) << version;
    (void)jsonio_double(jsonio_member(description, "hook_ticks"), &measured->hook_ticks);
    measured->mode = jsonio_text(jsonio_member(target, "mode"));
    return read_row_figure(target, "mcu_clock_hz", &measured->clock_hz, &is_known) && read_settings(measured);
}

bool measured_has_trigger(const struct measured *measured)
{
    for (size_t i = 0; i < measured->settings_n; i++)
        if (!strcmp(measured->settings[i].name, MEASURED_TRIGGER) && measured->settings[i].value > 0)
            return true;
    return false;
}

/* Reads losses and discarded records. False when the profile lacks them. */
static bool read_losses(struct measured *measured)
{
    const struct jsonio *link = jsonio_member(measured->json, "link");
    const struct jsonio *match = jsonio_member(jsonio_member(measured->json, "target"), "elf_match");
    uint64_t records, lost, unknown, discarded = 0; /* older daemons did not write `discarded` */
    bool matches = true, complete;
    if (!jsonio_u64(jsonio_member(link, "records"), &records) ||
        !jsonio_u64(jsonio_member(link, "records_lost"), &lost) ||
        !jsonio_u64(jsonio_member(link, "losses_of_unknown_size"), &unknown) ||
        !jsonio_bool(jsonio_member(measured->json, "complete"), &complete) || !match ||
        (!jsonio_is_null(match) && !jsonio_bool(match, &matches)))
        return false;
    (void)jsonio_u64(jsonio_member(link, "calls_discarded"), &discarded);
    double gone = (double)lost + (double)discarded;
    double came = records > discarded ? (double)(records - discarded) : 0;
    measured->lost = gone > 0 ? gone / (came + gone) : 0;
    measured->loses_unknown = unknown > 0;
    size_t reasons = jsonio_count(jsonio_member(measured->json, "incomplete_because"));
    measured->lacks_more = !complete && (gone <= 0 || reasons != (size_t)(lost > 0) + (discarded > 0));
    measured->elf_differs = !matches;
    return true;
}

/* Reads the work. It may be incomplete if the time was up first. */
static void read_work(struct measured *measured)
{
    const struct jsonio *work = jsonio_member(jsonio_member(measured->json, "measurement"), "work");
    const char *name = jsonio_text(jsonio_member(work, "function"));
    if (!name || !jsonio_u64(jsonio_member(work, "calls"), &measured->work_calls) ||
        !jsonio_u64(jsonio_member(work, "counted"), &measured->work_counted))
        return;
    measured->work = name;
    measured->lacks_work = measured->work_counted < measured->work_calls;
}

static void forget_tree(struct measured *measured)
{
    free(measured->nodes);
    measured->nodes = NULL;
    measured->nodes_n = 0;
}

/* The columns of the tree, read in parallel. */
struct tree_columns {
    const struct jsonio *parent, *function, *calls, *self;
};

static void begin_columns(struct tree_columns *columns, const struct jsonio *tree)
{
    columns->parent = jsonio_first(jsonio_member(tree, "parent"));
    columns->function = jsonio_first(jsonio_member(tree, "function"));
    columns->calls = jsonio_first(jsonio_member(tree, "calls"));
    columns->self = jsonio_first(jsonio_member(tree, "self_ticks"));
}

static void next_columns(struct tree_columns *columns)
{
    columns->parent = jsonio_next(columns->parent);
    columns->function = jsonio_next(columns->function);
    columns->calls = jsonio_next(columns->calls);
    columns->self = jsonio_next(columns->self);
}

/* Reads one row, whose parent is the index of an earlier row. The first is the root, without parent. */
static bool read_node(struct measured *measured, const struct tree_columns *columns, double ns_per_tick)
{
    uint64_t parent, function, self;
    struct measured_node *node = &measured->nodes[measured->nodes_n];
    *node = (struct measured_node){.parent = MEASURED_NO_NODE, .function = UINT32_MAX};
    if (measured->nodes_n > 0) {
        if (!jsonio_u64(columns->parent, &parent) || parent >= measured->nodes_n ||
            !jsonio_u64(columns->function, &function) || function >= measured->names_n)
            return false;
        node->parent = (uint32_t)parent;
        node->function = (uint32_t)function;
    }
    if (!jsonio_u64(columns->calls, &node->calls) || !jsonio_u64(columns->self, &self))
        return false;
    node->self = (double)self * ns_per_tick;
    measured->nodes_n++;
    return true;
}

/* Reads "call_tree" of the profile's JSON. Reads no nodes when it is missing, damaged or estimated. Then only the
 * chain of callers is missing. */
static void read_tree(struct measured *measured, double ns_per_tick)
{
    const struct jsonio *tree = jsonio_member(measured->json, "call_tree");
    struct tree_columns columns;
    bool is_estimated = false;
    (void)jsonio_bool(jsonio_member(measured->json, "call_tree_estimated"), &is_estimated);
    size_t n = jsonio_count(jsonio_member(tree, "parent"));
    if (is_estimated || n == 0 || n >= UINT32_MAX)
        return;
    measured->nodes = calloc(n, sizeof *measured->nodes);
    bool is_whole = measured->nodes != NULL;
    begin_columns(&columns, tree);
    for (size_t i = 0; is_whole && i < n; i++) {
        is_whole = read_node(measured, &columns, ns_per_tick);
        next_columns(&columns);
    }
    if (!is_whole)
        forget_tree(measured);
}

static bool read_profile(struct measured *measured, const char *path, struct error *err)
{
    const struct jsonio *json = measured->json;
    const char *schema = jsonio_text(jsonio_member(json, "schema"));
    uint64_t version, rate;
    if (!schema || strcmp(schema, "miniprofd.snapshot") != 0 ||
        !jsonio_u64(jsonio_member(json, "schema_version"), &version))
        return error_set(err, "%s is no profile; miniprofd --export json=PATH writes one.", path);
    if (version != SCHEMA_VERSION)
        return error_set(
            err, "%s is of a schema that this miniprofd does not know; use the one that wrote it.", path);
    if (!jsonio_u64(jsonio_member(jsonio_member(json, "target"), "ticks_per_second"), &rate) || rate == 0)
        return error_set(
            err,
            "%s does not say how long a tick is, so times cannot be compared; give the clock when you measure: "
            "--dialect-opt clock_hz=HZ.",
            path);
    if (!read_losses(measured) || !read_functions(measured, 1e9 / (double)rate) || !read_limits(measured) ||
        !read_way(measured))
        return error_set(
            err, "%s is damaged: its functions, limits, settings or link are not as a profile has them.",
            path);
    measured->tick = 1e9 / (double)rate;
    read_work(measured);
    read_tree(measured, measured->tick);
    return true;
}

bool measured_parse(struct measured *measured, const char *name, const char *text, size_t n,
                    struct error *err)
{
    *measured = (struct measured){0};
    if (profile_is_text(text, n, name, err))
        measured->json = jsonio_parse(name, text, n, err);
    measured->path = strdup(name);
    if (measured->json && !measured->path)
        error_set(err, "Out of memory.");
    else if (measured->json && read_profile(measured, name, err))
        return true;
    measured_fini(measured);
    return false;
}

enum measured_outcome measured_read(struct measured *measured, const char *path, struct error *err)
{
    struct wholefile file;
    *measured = (struct measured){0};
    if (!profile_is_no_folder(path, err) || !wholefile_read(&file, "profile", path, MIB_MOST, err))
        return MEASURED_UNREADABLE;
    bool good = measured_parse(measured, path, file.bytes, file.n, err);
    free(file.bytes);
    return good ? MEASURED_OK : MEASURED_UNUSABLE;
}

void measured_fini(struct measured *measured)
{
    free(measured->path);
    free(measured->functions);
    free(measured->names);
    free(measured->nodes);
    free(measured->limits);
    free(measured->settings);
    jsonio_free(measured->json);
    *measured = (struct measured){0};
}
