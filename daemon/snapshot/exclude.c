/* exclude.c - chooses which functions to leave out of instrumentation, as a gcc option. */
#include "snapshot/exclude.h"

#include "snapshot/exclude_tree.h"
#include "symbol/symtab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTION "-finstrument-functions-exclude-function-list="

enum {
    CANDIDATES_MOST = 64, /* each is compared with all names */
    GAIN_PERCENT = 90,
    HIDDEN_PERCENT = 5,
};

/* A function that might be left out. */
struct candidate {
    uint32_t function;
    char name[EXCLUDE_NAME_SIZE];
};

/* What the chooser has found out about a function. */
struct function_state {
    bool is_measured;  /* has a node: mode tree counts no call of a function that never returned */
    bool is_outermost; /* has a caller that is not instrumented, or the main loop, whose own time is idle */
    bool is_out;       /* left out by the list */
};

struct chooser {
    const struct snapshot *snapshot;
    struct exclude_list *list;
    char (*names)[EXCLUDE_NAME_SIZE]; /* per function, as gcc has it; "" when not certain */
    struct function_state *states;    /* per function */
    double gain, wanted;              /* ticks of hooks: saved so far, and where to stop */
    double hidden, bound;             /* corrected ticks of own time: hidden so far, and the limit */
};

/* Returns the name as gcc has it, or the name in the profile when that is not certain. */
static const char *compared_name(const struct chooser *chooser, uint32_t function)
{
    return *chooser->names[function] ? chooser->names[function] : chooser->snapshot->functions[function].name;
}

static bool may_go(const struct chooser *chooser, uint32_t function)
{
    return snapshot_is_short(&chooser->snapshot->functions[function]) &&
           !chooser->states[function].is_outermost;
}

/* Adds up what the candidate's name would leave out in addition. Returns false when it would also leave out a
 * function that is not short, or that is called by code without instrumentation. */
static bool weigh_name(const struct chooser *chooser, const char *name, double *gain, double *hidden)
{
    *gain = *hidden = 0;
    for (uint32_t i = 0; i < chooser->snapshot->function_count; i++) {
        const struct snapshot_function *function = &chooser->snapshot->functions[i];
        if (function->kind != KIND_FUNCTION || !chooser->states[i].is_measured || chooser->states[i].is_out ||
            !strstr(compared_name(chooser, i), name))
            continue;
        if (!may_go(chooser, i))
            return false;
        *gain += (double)function->hook_ticks;
        *hidden += (double)function->corrected_self_ticks;
    }
    return true;
}

static bool append_name(struct exclude_list *list, const char *name)
{
    size_t used = strlen(list->flag), n = strlen(name);
    if (used == 0) {
        memcpy(list->flag, OPTION, sizeof OPTION);
        used = sizeof OPTION - 1;
    } else if (used + 1 < EXCLUDE_FLAG_SIZE) {
        list->flag[used++] = ',';
    }
    if (used + n + 1 > EXCLUDE_FLAG_SIZE) {
        list->flag[used - 1] = '\0';
        return false;
    }
    memcpy(list->flag + used, name, n + 1);
    return true;
}

static void leave_out(struct chooser *chooser, const char *name)
{
    for (uint32_t i = 0; i < chooser->snapshot->function_count; i++) {
        const struct snapshot_function *function = &chooser->snapshot->functions[i];
        if (function->kind != KIND_FUNCTION || function->calls == 0 || chooser->states[i].is_out ||
            !strstr(compared_name(chooser, i), name))
            continue;
        chooser->states[i].is_out = true;
        chooser->list->functions++;
    }
}

static void consider_candidate(struct chooser *chooser, const struct candidate *candidate)
{
    double gain, hidden;
    if (chooser->states[candidate->function].is_out || chooser->gain >= chooser->wanted)
        return;
    if (!*candidate->name || !weigh_name(chooser, candidate->name, &gain, &hidden)) {
        chooser->list->unnamable++;
        return;
    }
    if (chooser->hidden + hidden > chooser->bound || !append_name(chooser->list, candidate->name))
        return;
    leave_out(chooser, candidate->name);
    chooser->gain += gain;
    chooser->hidden += hidden;
}

/* Sorts by hidden time per gain, least first; equal ones in the order of the profile. */
static int least_hidden_first(const void *left, const void *right)
{
    const struct snapshot_function *const *a = left, *const *b = right;
    double first = (double)(*a)->corrected_self_ticks * (double)(*b)->hook_ticks;
    double second = (double)(*b)->corrected_self_ticks * (double)(*a)->hook_ticks;
    if (first != second)
        return first < second ? -1 : 1;
    return *a < *b ? -1 : *a > *b;
}

static int most_hooks_first(const void *left, const void *right)
{
    const struct snapshot_function *const *a = left, *const *b = right;
    if ((*a)->hook_ticks != (*b)->hook_ticks)
        return (*a)->hook_ticks > (*b)->hook_ticks ? -1 : 1;
    return *a < *b ? -1 : *a > *b;
}

/* Collects the rows that may be left out, the most expensive first. Returns how many of them are considered. */
static uint32_t find_candidates(struct chooser *chooser, const struct snapshot_function **rows)
{
    const struct snapshot *snapshot = chooser->snapshot;
    double own = 0, all = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < snapshot->function_count; i++) {
        const struct snapshot_function *function = &snapshot->functions[i];
        if (function->kind == KIND_FUNCTION && function->known & FUNCTION_CORRECTED && function->calls > 0)
            own += (double)function->corrected_self_ticks;
        if (!may_go(chooser, i))
            continue;
        all += (double)function->hook_ticks;
        rows[n++] = function;
    }
    chooser->bound = own * HIDDEN_PERCENT / 100;
    chooser->wanted = all * GAIN_PERCENT / 100;
    chooser->list->hidden = own;
    if (n > 0)
        qsort(rows, n, sizeof *rows, most_hooks_first);
    return n < CANDIDATES_MOST ? n : CANDIDATES_MOST;
}

/* True when the list leaves out a function of that name. */
static bool is_named(const struct chooser *chooser, const char *name, const struct candidate *candidates,
                     uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (chooser->states[candidates[i].function].is_out && *candidates[i].name &&
            strstr(name, candidates[i].name))
            return true;
    return false;
}

/* Counts the functions of the ELF that the list leaves out although they were not called. Returns false when
 * memory is used up. */
static bool count_also(struct chooser *chooser, const struct candidate *candidates, uint32_t n)
{
    const struct snapshot *snapshot = chooser->snapshot;
    const struct symtab *symtab = snapshot->holdings ? snapshot_symtab(snapshot) : NULL;
    struct exclude_list *list = chooser->list;
    bool *is_called = symtab ? calloc(symtab_count(symtab) + 1, sizeof *is_called) : NULL;
    if (!is_called)
        return symtab == NULL;
    for (uint32_t i = 0; i < snapshot->function_count; i++) {
        uint32_t at = snapshot->functions[i].has_address ? symtab_find(symtab, snapshot->functions[i].address)
                                                         : SYMTAB_NONE;
        if (at != SYMTAB_NONE)
            is_called[at] = true;
    }
    for (uint32_t i = 0; i < symtab_count(symtab); i++) {
        const struct symbol *symbol = symtab_at(symtab, i);
        char name[EXCLUDE_NAME_SIZE];
        size_t used = strlen(list->also_names);
        bool is_plain = exclude_name(symbol->name, symbol->name != symbol->raw_name, name);
        if (is_called[i] || !is_named(chooser, is_plain ? name : symbol->name, candidates, n))
            continue;
        list->also++;
        if (is_plain && used + strlen(name) + 3 < sizeof list->also_names)
            snprintf(list->also_names + used, sizeof list->also_names - used, "%s%s", used ? ", " : "", name);
    }
    free(is_called);
    return true;
}

/* True for the root and the nodes of the main loop. */
static bool is_loop(const struct chooser *chooser, int32_t node)
{
    int32_t loop = chooser->list->slowdown.loop_node;
    while (loop > node)
        loop = chooser->snapshot->nodes[loop].parent;
    return loop == node;
}

/* Finds the gcc names of the functions in the ELF, and which functions may not be left out. */
static void name_functions(struct chooser *chooser)
{
    const struct snapshot *snapshot = chooser->snapshot;
    for (uint32_t i = 1; i < snapshot->node_count; i++) {
        if (snapshot->nodes[i].function < 0)
            continue;
        struct function_state *state = &chooser->states[snapshot->nodes[i].function];
        state->is_measured = true;
        state->is_outermost |= is_loop(chooser, snapshot->nodes[i].parent);
    }
    for (uint32_t i = 0; i < snapshot->function_count; i++) {
        const struct snapshot_function *function = &snapshot->functions[i];
        if (function->kind == KIND_FUNCTION && function->size > 0)
            (void)exclude_name(function->name, function->name != function->raw_name, chooser->names[i]);
    }
}

static bool is_left_out(const void *user, uint32_t function)
{
    const struct chooser *chooser = user;
    return chooser && chooser->states[function].is_out;
}

/* In mode tree, the callees of functions that are left out are found in another way (exclude_tree.h). Returns
 * false when memory is used up. */
static bool refine_gain(struct chooser *chooser)
{
    double before, after;
    if (!correction_costs(chooser->snapshot).is_tree)
        return true;
    if (!exclude_tree_ticks(chooser->snapshot, is_left_out, NULL, &before) ||
        !exclude_tree_ticks(chooser->snapshot, is_left_out, chooser, &after))
        return false;
    chooser->gain = before > after ? before - after : 0;
    return true;
}

static bool choose_functions(struct chooser *chooser, const struct snapshot_function **rows,
                             struct candidate *candidates)
{
    const struct snapshot *snapshot = chooser->snapshot;
    struct exclude_list *list = chooser->list;
    name_functions(chooser);
    uint32_t n = find_candidates(chooser, rows);
    double own = list->hidden;
    if (n > 0)
        qsort(rows, n, sizeof *rows, least_hidden_first);
    for (uint32_t i = 0; i < n; i++) {
        candidates[i].function = (uint32_t)(rows[i] - snapshot->functions);
        memcpy(candidates[i].name, chooser->names[candidates[i].function], EXCLUDE_NAME_SIZE);
        consider_candidate(chooser, &candidates[i]);
    }
    list->hidden = own > 0 ? chooser->hidden / own : 0;
    if (list->functions > 0 && !refine_gain(chooser))
        return false;
    double ticks = (double)list->slowdown.ticks, left = ticks - chooser->gain;
    list->faster = ticks / (left > ticks / 100 ? left : ticks / 100);
    return list->functions == 0 || count_also(chooser, candidates, n);
}

static const double WORTH_FASTER = 1.01;

bool exclude_list_make(const struct snapshot *snapshot, struct exclude_list *out)
{
    *out = (struct exclude_list){.slowdown = snapshot_slowdown(snapshot), .faster = 1};
    if (out->slowdown.unknown)
        return true;
    size_t n = snapshot->function_count + 1;
    struct chooser chooser = {.snapshot = snapshot, .list = out};
    const struct snapshot_function **rows = malloc(n * sizeof *rows);
    struct candidate *candidates = calloc(CANDIDATES_MOST, sizeof *candidates);
    chooser.names = calloc(n, sizeof *chooser.names);
    chooser.states = calloc(n, sizeof *chooser.states);
    bool is_done = rows && candidates && chooser.names && chooser.states;
    is_done = is_done && choose_functions(&chooser, rows, candidates);
    if (is_done && out->functions > 0 && out->faster < WORTH_FASTER)
        *out = (struct exclude_list){.slowdown = out->slowdown, .faster = 1, .is_too_little = true};
    free(rows);
    free(candidates);
    free(chooser.names);
    free(chooser.states);
    return is_done;
}

void exclude_list_words(const struct exclude_list *list, char out[static EXCLUDE_WORDS_SIZE])
{
    char faster[48];
    *out = '\0';
    if (list->functions == 0)
        return;
    if (list->faster < 1.1)
        snprintf(faster, sizeof faster, "%.1f %% faster", 100 * (list->faster - 1));
    else if (list->faster < 2)
        snprintf(faster, sizeof faster, "%.0f %% faster", 100 * (list->faster - 1));
    else
        snprintf(faster, sizeof faster, "%.1f times faster", list->faster);
    snprintf(out, EXCLUDE_WORDS_SIZE,
             "Without the hooks of %u function%s the program runs %s, and %.1f %% of own time counts for %s "
             "callers",
             list->functions, list->functions == 1 ? "" : "s", faster, 100 * list->hidden,
             list->functions == 1 ? "its" : "their");
}
