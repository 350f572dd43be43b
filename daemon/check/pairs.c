/* pairs.c - matches the functions of a profile with those of an older one. */
#include "check/gate.h"

#include "check/identity.h"

#include <stdlib.h>
#include <string.h>

/* The sorted names of a profile's files, without folders. */
struct files {
    const char **names;
    size_t n;
};

/* Functions without a match of the same name on the other side, and the files of all functions. */
struct rest {
    const struct measured_function **rows;
    size_t n;
    struct files files;
};

struct pairing {
    const struct gate *gate;
    struct gate_result *result;
    struct rest before, after;
};

static void add_pair(const struct pairing *pairing, const struct measured_function *before,
                     const struct measured_function *after)
{
    const struct gate *gate = pairing->gate;
    struct gate_result *result = pairing->result;
    bool is_chosen = gate_is_chosen(gate, before->name) || gate_is_chosen(gate, after->name);
    bool is_known = before->is_known[gate->metric] && after->is_known[gate->metric];
    if (before->is_ambiguous || after->is_ambiguous || !is_known) {
        result->untold += is_chosen;
        result->figureless += is_chosen && !is_known;
        return;
    }
    is_chosen = is_chosen && before->calls >= gate->calls && after->calls >= gate->calls;
    result->rows[result->n++] =
        (struct gate_row){.is_chosen = is_chosen, .name = after->name, .before = before, .after = after};
    result->compared += is_chosen;
}

static void add_alone(const struct pairing *pairing, const struct measured_function *before,
                      const struct measured_function *after)
{
    struct gate_result *result = pairing->result;
    const struct measured_function *one = before ? before : after;
    if (!one)
        return;
    bool is_chosen = gate_is_chosen(pairing->gate, one->name);
    result->rows[result->n++] = (struct gate_row){.kind = before ? GATE_GONE : GATE_NEW,
                                                  .is_chosen = is_chosen,
                                                  .name = one->name,
                                                  .before = before,
                                                  .after = after};
    result->gone += is_chosen && before;
    result->added += is_chosen && after;
}

/* A range of a profile's functions, in their order. */
struct stretch {
    const struct measured_function *at, *end;
};

static struct stretch namesakes_at(const struct measured *measured, size_t at)
{
    const struct measured_function *first = &measured->functions[at];
    return (struct stretch){first, first + measured_namesakes(measured, at)};
}

/* Matches by name and file in one pass. Of functions that share both, only the first is matched. */
static void pair_by_file(const struct pairing *pairing, struct stretch before, struct stretch after)
{
    while (before.at < before.end || after.at < after.end) {
        const struct measured_function *was = before.at < before.end ? before.at : NULL;
        const struct measured_function *is = after.at < after.end ? after.at : NULL;
        int order = !was ? 1 : !is ? -1 : measured_order(was, is);
        if (order < 0)
            add_alone(pairing, was, NULL);
        else if (order > 0)
            add_alone(pairing, NULL, is);
        else
            add_pair(pairing, was, is);
        for (; order <= 0 && before.at < before.end && measured_order(was, before.at) == 0; before.at++)
            ;
        for (; order >= 0 && after.at < after.end && measured_order(is, after.at) == 0; after.at++)
            ;
    }
}

static void leave_stretch_unpaired(struct rest *rest, struct stretch stretch)
{
    for (; stretch.at < stretch.end; stretch.at++)
        if (rest->n == 0 || measured_order(rest->rows[rest->n - 1], stretch.at) != 0)
            rest->rows[rest->n++] = stretch.at;
}

/* Matches by name and file name without folders, since builds may be in different folders. Both must be unique on
 * each side. */
static void pair_by_name(struct pairing *pairing, const struct measured *before, const struct measured *after)
{
    for (size_t b = 0, a = 0; b < before->n || a < after->n;) {
        int order = b == before->n  ? 1
                    : a == after->n ? -1
                                    : measured_order_namesakes(&before->functions[b], &after->functions[a]);
        struct stretch was = {0}, is = {0};
        if (order <= 0)
            was = namesakes_at(before, b);
        if (order >= 0)
            is = namesakes_at(after, a);
        const char *name = was.at ? was.at->name : is.at->name;
        if (order != 0 || identity_is_numbered(name)) {
            leave_stretch_unpaired(&pairing->before, was);
            leave_stretch_unpaired(&pairing->after, is);
        } else if (was.end - was.at == 1 && is.end - is.at == 1) {
            add_pair(pairing, was.at, is.at);
        } else {
            pair_by_file(pairing, was, is);
        }
        b += (size_t)(was.end - was.at);
        a += (size_t)(is.end - is.at);
    }
}

/* ---- files ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool rest_init(struct rest *rest, const struct measured *measured)
{
    struct files *files = &rest->files;
    rest->rows = calloc(measured->n + 1, sizeof *rest->rows);
    files->names = calloc(measured->n + 1, sizeof *files->names);
    if (!rest->rows || !files->names)
        return false;
    for (size_t i = 0; i < measured->n; i++)
        files->names[files->n++] = measured_file_name(&measured->functions[i]);
    if (files->n > 1)
        qsort(files->names, files->n, sizeof *files->names, by_text);
    return true;
}

static void rest_fini(struct rest *rest)
{
    free(rest->rows);
    free(rest->files.names);
}

static bool has_file(const struct files *files, const char *name)
{
    return files->n > 0 && bsearch(&name, files->names, files->n, sizeof *files->names, by_text);
}

/* ---- functions renamed by the compiler ---- */

static int by_identity(const void *a, const void *b)
{
    const struct measured_function *left = *(const struct measured_function *const *)a;
    const struct measured_function *right = *(const struct measured_function *const *)b;
    int order = identity_compare(left->name, right->name);
    if (order == 0)
        order = strcmp(measured_file_name(left), measured_file_name(right));
    return order ? order : measured_order(left, right);
}

/* Returns how many functions from `at` on are copies of `like`, in the same file or (any_file) in any. */
static size_t count_copies(const struct rest *rest, size_t at, const struct measured_function *like,
                           bool any_file)
{
    size_t n = 0;
    for (; at + n < rest->n; n++) {
        const struct measured_function *row = rest->rows[at + n];
        if (identity_compare(row->name, like->name) != 0 ||
            (!any_file && strcmp(measured_file_name(row), measured_file_name(like)) != 0))
            break;
    }
    return n;
}

/* Merges copies to one function: sums and means of all, without figures of single calls. */
static const struct measured_function *merge_copies(const struct pairing *pairing,
                                                    const struct measured_function *const *rows, size_t n)
{
    if (n == 1)
        return rows[0];
    struct measured_function *sum = &pairing->result->merged[pairing->result->merged_n++];
    *sum = *rows[0];
    sum->deviation = -1;
    for (int figure = 0; figure < MEASURED_FIGURES; figure++) {
        double all = 0, calls = 0;
        bool is_mean = measured_is_mean((enum measured_figure)figure), is_known = true;
        for (size_t i = 0; i < n; i++) {
            all += rows[i]->figure[figure] * (is_mean ? (double)rows[i]->calls : 1);
            calls += (double)rows[i]->calls;
            is_known &= rows[i]->is_known[figure];
        }
        sum->figure[figure] = is_mean ? all / calls : all;
        sum->is_known[figure] = is_known && (is_mean || figure == MEASURED_CALLS);
    }
    sum->calls = 0;
    for (size_t i = 0; i < n; i++) {
        sum->calls += rows[i]->calls;
        sum->is_ambiguous |= rows[i]->is_ambiguous;
    }
    return sum;
}

/* True when the functions are the same one and its file was renamed, or one of the builds has no lines and so no
 * files. */
static bool is_of_renamed_file(const struct pairing *pairing, size_t b, size_t a)
{
    const struct rest *before = &pairing->before, *after = &pairing->after;
    const struct measured_function *was = before->rows[b], *is = after->rows[a];
    if (count_copies(before, b, was, true) != 1 || count_copies(after, a, is, true) != 1)
        return false;
    return !*was->file || !*is->file ||
           (!has_file(&after->files, measured_file_name(was)) &&
            !has_file(&before->files, measured_file_name(is)));
}

/* Pairs n and m copies of one function, merged. Numbered ones are paired one by one, if n equals m. */
static void pair_copies(const struct pairing *pairing, const struct measured_function *const *before,
                        size_t n, const struct measured_function *const *after, size_t m)
{
    bool is_numbered = identity_is_numbered(n ? before[0]->name : after[0]->name);
    if (n > 0 && m > 0 && !is_numbered) {
        add_pair(pairing, merge_copies(pairing, before, n), merge_copies(pairing, after, m));
    } else if (n > 0 && m > 0 && n != m) {
        pairing->result->untold += n > m ? n : m;
    } else {
        for (size_t i = 0; i < n || i < m; i++)
            if (i < n && i < m)
                add_pair(pairing, before[i], after[i]);
            else
                add_alone(pairing, i < n ? before[i] : NULL, i < m ? after[i] : NULL);
    }
}

static void pair_rest(const struct pairing *pairing)
{
    const struct rest *before = &pairing->before, *after = &pairing->after;
    if (before->n > 1)
        qsort(before->rows, before->n, sizeof *before->rows, by_identity);
    if (after->n > 1)
        qsort(after->rows, after->n, sizeof *after->rows, by_identity);
    for (size_t b = 0, a = 0; b < before->n || a < after->n;) {
        const struct measured_function *was = b < before->n ? before->rows[b] : NULL;
        const struct measured_function *is = a < after->n ? after->rows[a] : NULL;
        int order = !was ? 1 : !is ? -1 : identity_compare(was->name, is->name);
        /* A build without lines names no files. */
        bool any_file = order == 0 && is_of_renamed_file(pairing, b, a);
        if (order == 0 && !any_file)
            order = strcmp(measured_file_name(was), measured_file_name(is));
        size_t n = order <= 0 ? count_copies(before, b, was, any_file) : 0;
        size_t m = order >= 0 ? count_copies(after, a, is, any_file) : 0;
        pair_copies(pairing, before->rows + b, n, after->rows + a, m);
        b += n;
        a += m;
    }
}

static int by_name(const void *a, const void *b)
{
    const struct gate_row *left = a, *right = b;
    return measured_order(left->after ? left->after : left->before,
                          right->after ? right->after : right->before);
}

bool gate_pair(const struct gate *gate, const struct measured *before, const struct measured *after,
               struct gate_result *result)
{
    struct pairing pairing = {.gate = gate, .result = result};
    bool good = rest_init(&pairing.before, before) && rest_init(&pairing.after, after);
    result->merged = calloc(before->n + after->n + 1, sizeof *result->merged);
    good = good && result->merged;
    if (good) {
        pair_by_name(&pairing, before, after);
        pair_rest(&pairing);
        qsort(result->rows, result->n, sizeof *result->rows, by_name);
    }
    rest_fini(&pairing.before);
    rest_fini(&pairing.after);
    return good;
}
