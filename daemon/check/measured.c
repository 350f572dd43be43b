/* measured.c - reads the functions of a profile that was written as JSON, which may hold anything. */
#include "check/measured.h"

#include "base/jsonio.h"
#include "base/text.h"
#include "base/wholefile.h"

#include <stdlib.h>
#include <string.h>

enum { MIB_MOST = 512, SCHEMA_VERSION = 1 };

const char *const measured_metrics[METRICS] = {"total-mean", "self-mean", "p99"};

int measured_order(const void *a, const void *b)
{
    const struct measured_function *one = a, *other = b;
    int by_name = strcmp(one->name, other->name);
    return by_name ? by_name : strcmp(one->file, other->file);
}

/* A figure of a row: false when it is there and no count. What is null is not known. */
static bool figure(const struct jsonio *row, const char *name, uint64_t *out, bool *known)
{
    const struct jsonio *value = jsonio_member(row, name);
    *out = 0;
    *known = value && !jsonio_is_null(value);
    return !*known || jsonio_u64(value, out);
}

/* Fills in a row of "functions"; false when it is damaged. What was never called stays at 0 calls. */
static bool read_function(struct measured_function *function, const struct jsonio *row, double ns_per_tick)
{
    const char *kind = jsonio_text(jsonio_member(row, "kind"));
    const struct jsonio *file = jsonio_member(row, "file");
    uint64_t total, self, p99;
    bool has_calls, has_line, *known = function->is_known;
    *function = (struct measured_function){.name = jsonio_text(jsonio_member(row, "name")), .file = ""};
    if (!function->name || !kind || (file && !jsonio_is_null(file) && !jsonio_text(file)))
        return false;
    if (jsonio_text(file))
        function->file = jsonio_text(file);
    if (!figure(row, "calls", &function->calls, &has_calls) ||
        !figure(row, "total_ticks", &total, &known[METRIC_TOTAL_MEAN]) ||
        !figure(row, "self_ticks", &self, &known[METRIC_SELF_MEAN]) ||
        !figure(row, "p99_ticks", &p99, &known[METRIC_P99]) ||
        !figure(row, "line", &function->line, &has_line))
        return false;
    if (strcmp(kind, "function") != 0)
        function->calls = 0; /* what stands in place of callers was not measured */
    if (function->calls == 0)
        return true;
    function->ns[METRIC_TOTAL_MEAN] = (double)total / (double)function->calls * ns_per_tick;
    function->ns[METRIC_SELF_MEAN] = (double)self / (double)function->calls * ns_per_tick;
    function->ns[METRIC_P99] = (double)p99 * ns_per_tick;
    return true;
}

static bool read_functions(struct measured *measured, double ns_per_tick)
{
    const struct jsonio *rows = jsonio_member(measured->json, "functions");
    if (!jsonio_is_array(rows))
        return false;
    measured->functions = calloc(jsonio_count(rows) + 1, sizeof *measured->functions);
    if (!measured->functions)
        return false;
    for (const struct jsonio *row = jsonio_first(rows); row; row = jsonio_next(row)) {
        struct measured_function *function = &measured->functions[measured->n];
        if (!read_function(function, row, ns_per_tick))
            return false;
        measured->n += function->calls > 0;
    }
    qsort(measured->functions, measured->n, sizeof *measured->functions, measured_order);
    for (size_t i = 1; i < measured->n; i++)
        if (measured_order(&measured->functions[i - 1], &measured->functions[i]) == 0)
            measured->functions[i - 1].is_ambiguous = measured->functions[i].is_ambiguous = true;
    return true;
}

/* What did not come. False when the profile does not say. */
static bool read_losses(struct measured *measured)
{
    const struct jsonio *link = jsonio_member(measured->json, "link");
    const struct jsonio *match = jsonio_member(jsonio_member(measured->json, "target"), "elf_match");
    uint64_t records, lost, unknown;
    bool matches = true, complete;
    if (!jsonio_u64(jsonio_member(link, "records"), &records) ||
        !jsonio_u64(jsonio_member(link, "records_lost"), &lost) ||
        !jsonio_u64(jsonio_member(link, "losses_of_unknown_size"), &unknown) ||
        !jsonio_bool(jsonio_member(measured->json, "complete"), &complete) || !match ||
        (!jsonio_is_null(match) && !jsonio_bool(match, &matches)))
        return false;
    measured->lost = lost ? (double)lost / ((double)records + (double)lost) : 0;
    measured->loses_unknown = unknown > 0;
    size_t reasons = jsonio_count(jsonio_member(measured->json, "incomplete_because"));
    measured->lacks_more = !complete && (lost == 0 || reasons != 1);
    measured->elf_differs = !matches;
    return true;
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
        return error_set(err, "%s does not say how long a tick is, so times cannot be compared.", path);
    if (!read_losses(measured) || !read_functions(measured, 1e9 / (double)rate))
        return error_set(err, "%s is damaged: its functions or its link are not as a profile has them.",
                         path);
    return true;
}

/* Names go into what is written, which must be UTF-8. */
static bool check_utf8(const struct wholefile *file, const char *path, struct error *err)
{
    char *clean = text_clean_utf8_dup(file->bytes, file->n);
    if (!clean)
        return error_set(err, "Memory is used up.");
    bool same = strlen(clean) == file->n && memcmp(clean, file->bytes, file->n) == 0;
    free(clean);
    return same || error_set(err, "%s is damaged: it is not UTF-8.", path);
}

enum measured_outcome measured_read(struct measured *measured, const char *path, struct error *err)
{
    struct wholefile file;
    *measured = (struct measured){0};
    if (!wholefile_read(&file, "profile", path, MIB_MOST, err))
        return MEASURED_UNREADABLE;
    if (check_utf8(&file, path, err))
        measured->json = jsonio_parse(path, file.bytes, file.n, err);
    free(file.bytes);
    if (measured->json && read_profile(measured, path, err))
        return MEASURED_OK;
    measured_fini(measured);
    return MEASURED_UNUSABLE;
}

void measured_fini(struct measured *measured)
{
    free(measured->functions);
    jsonio_free(measured->json);
    *measured = (struct measured){0};
}
