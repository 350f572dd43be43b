/* tree.c - turns version 3 of PROFILE_DATA, the call tree counted on the target, into events.
 *
 * The wire has sums since START, so after a lost packet the sums are only older. An event has the difference
 * to the sums of the last event. A node is reported once all its callers are; until then it waits in the
 * table. */
#include "dialect/miniprof/tree.h"

#include "dialect/miniprof/context.h"
#include "protocol/bytes.h"

#include <math.h>
#include <string.h>

static void emit_of_tree(const struct tree *tree, const struct event_out *out, struct event event)
{
    event.ticks = tree->newest;
    if (tree->table.head.flags & MP_TREE_IS_STOPPED)
        event.flags |= EVENT_RESTS;
    out->batch(out->user, &event, 1);
}

/* The sum over many runs may exceed 64 bits. It saturates, since readers take a counter that falls for a
 * restart. */
static void count_calls(struct dialect_health *health, uint64_t calls)
{
    uint64_t room = UINT64_MAX - health->records;
    health->records += calls < room ? calls : room;
    health->summed += calls < room ? calls : room;
}

/* ---- contexts ---- */

static void tell_context(const struct tree *tree, const struct mp_tree_known_context *context,
                         const struct event_out *out)
{
    char name[CONTEXT_NAME];
    struct event event = context_numbered(context->context, context->is_idle, name);
    if (context->name_length > 0) {
        event.flags = 0;
        event.context_is.name = (const char *)context->name;
        event.context_is.n = context->name_length;
    }
    emit_of_tree(tree, out, event);
}

static bool is_called_otherwise(const struct mp_tree_known_context *a, const struct mp_tree_known_context *b)
{
    return a->is_idle != b->is_idle || a->name_length != b->name_length ||
           memcmp(a->name, b->name, a->name_length) != 0;
}

static void tell_contexts(struct tree *tree, struct dialect_health *health, const struct event_out *out)
{
    for (uint32_t i = 0; i < tree->table.n_contexts; i++) {
        const struct mp_tree_known_context *context = &tree->contexts[i];
        struct mp_tree_known_context *shown = &tree->contexts_shown[i];
        const struct mp_tree_sums *now = &context->sums, *before = &shown->sums;
        if (i >= tree->contexts_told || is_called_otherwise(context, shown))
            tell_context(tree, context, out);
        if (now->ticks != before->ticks || now->other_calls != before->other_calls ||
            now->other_ticks != before->other_ticks)
            emit_of_tree(tree, out,
                         (struct event){.kind = EVENT_OUTSIDE,
                                        .context = context->context,
                                        .outside = {.ticks = now->ticks - before->ticks,
                                                    .other_calls = now->other_calls - before->other_calls,
                                                    .other_ticks = now->other_ticks - before->other_ticks,
                                                    .is_flat = tree->table.head.flags & MP_TREE_IS_FLAT}});
        count_calls(health, now->other_calls - before->other_calls);
        tree->ticks_told += now->ticks - before->ticks + now->other_ticks - before->other_ticks;
        *shown = *context;
    }
    tree->contexts_told = tree->table.n_contexts;
}

/* ---- nodes ---- */

/* Records that the row, with its present counts, is in the profile. */
static void note_shown(struct tree *tree, uint32_t number)
{
    const struct mp_tree_row *row = &tree->node[number].row;
    struct tree_shown *shown = &tree->shown[number];
    tree->ticks_told += row->ticks - shown->ticks;
    tree->rows_told += !shown->is_shown;
    *shown = (struct tree_shown){true, row->calls, row->ticks, row->longest};
}

/* In a flat packet, a row is a function called by another one. */
static void tell_arc(struct tree *tree, uint32_t number, const struct event_out *out)
{
    const struct mp_tree_row *row = &tree->node[number].row;
    const struct tree_shown *shown = &tree->shown[number];
    emit_of_tree(tree, out,
                 (struct event){.kind = EVENT_ARC,
                                .flags = EVENT_BY_ENTRY,
                                .context = row->context,
                                .arc = {.from = row->caller,
                                        .to = row->function,
                                        .calls = row->calls - shown->calls,
                                        .ticks = row->ticks - shown->ticks}});
    note_shown(tree, number);
}

static void tell_node(struct tree *tree, uint32_t number, const struct event_out *out)
{
    const struct mp_tree_row *row = &tree->node[number].row;
    const struct tree_shown *shown = &tree->shown[number];
    struct event_node node = {.address = row->function,
                              .number = number,
                              .parent = row->parent == MP_TREE_NO_PARENT ? EVENT_NO_NODE : row->parent,
                              .calls = row->calls - shown->calls,
                              .ticks = row->ticks - shown->ticks,
                              .longest_ticks = row->longest};
    note_shown(tree, number);
    emit_of_tree(tree, out, (struct event){.kind = EVENT_NODE, .context = row->context, .node = &node});
}

/* Parents have lower numbers, so one walk in ascending order reports all known nodes. */
static void tell_nodes(struct tree *tree, struct dialect_health *health, const struct event_out *out)
{
    uint32_t n = tree->table.head.nodes < TREE_NODES ? tree->table.head.nodes : TREE_NODES;
    for (uint32_t i = 0; i < n; i++) {
        const struct mp_tree_node *node = &tree->node[i];
        const struct tree_shown *shown = &tree->shown[i];
        bool is_new =
            node->is_told && (!shown->is_shown || node->row.calls != shown->calls ||
                              node->row.ticks != shown->ticks || node->row.longest != shown->longest);
        if (!is_new || (node->row.parent != MP_TREE_NO_PARENT && !tree->shown[node->row.parent].is_shown))
            continue;
        count_calls(health, node->row.calls - shown->calls);
        if (tree->table.head.flags & MP_TREE_IS_FLAT)
            tell_arc(tree, i, out);
        else
            tell_node(tree, i, out);
    }
}

/* ---- nodes of a target that evicts nodes ---- */

/* Where to report chains and sums. */
struct evict_teller {
    struct tree *tree;
    struct dialect_health *health;
    const struct event_out *out;
};

static void tell_chain(void *user, const struct tree_chain *chain, uint32_t number, uint64_t calls,
                       uint64_t ticks, uint64_t longest)
{
    const struct evict_teller *to = user;
    const struct tree_chain *parent = &to->tree->evict.chain[chain->parent];
    struct event_node node = {.address = chain->function,
                              .number = number,
                              .parent = parent->parent == TREE_NO_CHAIN ? EVENT_NO_NODE : chain->parent,
                              .calls = calls,
                              .ticks = ticks,
                              .longest_ticks = longest};
    if (to->health)
        count_calls(to->health, calls);
    to->tree->ticks_told += ticks;
    emit_of_tree(to->tree, to->out,
                 (struct event){.kind = EVENT_NODE, .context = chain->context, .node = &node});
}

static void tell_below(void *user, const struct tree_chain *chain, uint32_t number, uint64_t ticks)
{
    const struct evict_teller *to = user;
    bool is_outermost = chain->parent == TREE_NO_CHAIN;
    to->tree->ticks_told += ticks;
    emit_of_tree(to->tree, to->out,
                 (struct event){.kind = EVENT_BELOW,
                                .context = chain->context,
                                .below = {.ticks = ticks, .number = is_outermost ? EVENT_NO_NODE : number}});
}

static void tell_evicted(void *user, uint32_t function, uint64_t calls, uint64_t ticks, uint64_t longest)
{
    const struct evict_teller *to = user;
    count_calls(to->health, calls);
    emit_of_tree(
        to->tree, to->out,
        (struct event){
            .kind = EVENT_EVICTED,
            .evicted = {.address = function, .calls = calls, .ticks = ticks, .longest_ticks = longest}});
}

static struct tree_evict_out evict_out(struct evict_teller *to)
{
    return (struct tree_evict_out){
        .user = to, .node = tell_chain, .below = tell_below, .function = tell_evicted};
}

/* Adds up the losses of this run and the runs before. */
static struct tree_losses add_losses(const struct tree *tree)
{
    const struct tree_losses *before = &tree->lost_before;
    const struct mp_tree_head *head = &tree->table.head;
    uint64_t bound = tree_evict_is_full(&tree->evict) ? head->elapsed : head->bound;
    return (struct tree_losses){.bound = tree_add_up(before->bound, bound),
                                .evictions = tree_add_up(before->evictions, head->evictions),
                                .ticks = tree_add_up(before->ticks, tree->ticks_told),
                                .has_others = before->has_others || tree_evict_has_others(&tree->evict)};
}

static void tell_nodes_that_evict(struct tree *tree, size_t bytes, struct dialect_health *health,
                                  const struct event_out *out)
{
    struct evict_teller to = {tree, health, out};
    struct tree_evict_out found = evict_out(&to);
    tree_evict_follow(&tree->evict, &tree->table, bytes, &found);
    tree->rows_told = tree_evict_rows(&tree->evict, &tree->table);
}

/* Chains set bits at random, so a share of e^(-chains / bits) stays empty (section 12.8). */
static uint32_t nodes_needed(const struct mp_tree_chains *chains)
{
    double empty = chains->empty > 0 ? chains->empty : 1;
    return chains->bits > 0 ? (uint32_t)lround(chains->bits * log(chains->bits / empty)) : 0;
}

static void tell_room(struct tree *tree, const struct event_out *out)
{
    const struct mp_tree_chains *chains = &tree->table.chains;
    const struct mp_tree_head *head = &tree->table.head;
    struct tree_losses lost = add_losses(tree);
    uint32_t needed = nodes_needed(chains);
    bool is_same = needed == tree->needed_told && lost.bound == tree->lost_told.bound &&
                   lost.evictions == tree->lost_told.evictions &&
                   lost.has_others == tree->lost_told.has_others;
    if (is_same && (lost.bound == 0 || !tree->table.is_settled))
        return;
    tree->needed_told = needed;
    tree->lost_told = lost;
    uint32_t evictions = lost.evictions < UINT32_MAX ? (uint32_t)lost.evictions : UINT32_MAX;
    emit_of_tree(tree, out,
                 (struct event){.kind = EVENT_ROOM,
                                .room = {.nodes = head->room,
                                         .needed = needed,
                                         .node_bytes = (uint16_t)chains->node_bytes,
                                         .is_least = chains->bits > 0 && chains->empty == 0,
                                         .has_others = lost.has_others,
                                         .evictions = evictions,
                                         .bound = lost.bound,
                                         .ticks = lost.ticks}});
}

/* ---- packets ---- */

void tree_end_run(struct tree *tree, struct dialect_health *health)
{
    uint64_t lacking = tree->ticks_lacking;
    health->ticks_untold =
        lacking > UINT64_MAX - health->ticks_untold ? UINT64_MAX : health->ticks_untold + lacking;
    health->rows_untold += tree->rows_lacking;
    tree->ticks_lacking = tree->rows_lacking = 0;
}

/* In a stopped run, the sums of all ticks equal the elapsed time, and there is a row for each used node.
 * Records what is still missing. */
static void follow_stop(struct tree *tree)
{
    const struct mp_tree_head *head = &tree->table.head;
    bool is_stopped = head->flags & MP_TREE_IS_STOPPED;
    tree->ticks_lacking =
        is_stopped && head->elapsed > tree->ticks_told ? head->elapsed - tree->ticks_told : 0;
    tree->rows_lacking = is_stopped && head->nodes > tree->rows_told ? head->nodes - tree->rows_told : 0;
}

/* Keeps the losses of the last run, if its sums are kept. */
static void carry_losses(struct tree *tree, bool adds_up)
{
    uint64_t ticks = tree_add_up(tree->lost_before.ticks, tree->ticks_told);
    tree->lost_before = adds_up ? tree->lost_told : (struct tree_losses){.ticks = 0};
    tree->lost_before.ticks = adds_up ? ticks : 0;
}

/* The sums count from 0 again. They add up with those of the last run if all of it was reported, which is
 * certain once it was stopped. A START during the run cuts it off. Alternating packets of two targets on one
 * line do the same; their sums would be added again and again. */
static void begin_run(struct tree *tree, bool is_cut, uint64_t after, const struct event_out *out)
{
    bool is_flat = tree->table.head.flags & MP_TREE_IS_FLAT;
    bool is_otherwise = tree->had_form && tree->was_flat != is_flat;
    carry_losses(tree, !is_cut && !is_otherwise);
    tree->ticks_told = tree->rows_told = tree->needed_told = 0;
    memset(tree->shown, 0, sizeof tree->shown);
    tree_evict_begin_run(&tree->evict);
    memset(tree->contexts_shown, 0, sizeof tree->contexts_shown);
    tree->contexts_told = 0;
    if (after > tree->newest)
        tree->newest = after;
    if (is_cut || is_otherwise)
        emit_of_tree(tree, out,
                     (struct event){.kind = EVENT_CLOCK,
                                    .clock = {.ticks_per_second = tree->table.head.hz, .other_unit = true}});
    tree->had_form = true;
    tree->was_flat = is_flat;
    tree->base = tree->newest;
    tree->is_begun = true;
    emit_of_tree(tree, out, (struct event){.kind = EVENT_RUN});
    emit_of_tree(tree, out, (struct event){.kind = EVENT_RECOUNT});
}

/* With another clock the profile begins again, with the nodes that were reported before. */
static void tell_clock(struct tree *tree, const struct event_out *out)
{
    if (tree->table.head.hz == tree->hz)
        return;
    bool is_other = tree->told_hz && tree->told_hz != tree->table.head.hz;
    tree->hz = tree->told_hz = tree->table.head.hz;
    emit_of_tree(
        tree, out,
        (struct event){.kind = EVENT_CLOCK, .clock = {.ticks_per_second = tree->hz, .other_unit = is_other}});
    if (is_other)
        tree_retell(tree, out);
}

/* After STOP, the target's time continues, but the elapsed time does not. */
static void set_anchor(struct tree *tree, bool begins)
{
    if (tree->table.head.flags & MP_TREE_IS_STOPPED && !begins)
        return;
    tree->anchor = tree->base + tree->table.head.elapsed;
    tree->anchor_time = tree->table.head.time;
}

/* On a slow line, data may be sent long after its time: up to three quarters of the 32-bit range back. */
uint64_t tree_place(const struct tree *tree, uint32_t time)
{
    uint32_t before = tree->anchor_time - time;
    if (before > UINT32_MAX / 4 * 3)
        return tree->anchor + (uint32_t)(time - tree->anchor_time);
    uint64_t elapsed = tree->anchor - tree->base;
    return before < elapsed ? tree->anchor - before : tree->base;
}

bool tree_has_told(const struct tree *tree, uint32_t context)
{
    for (uint32_t i = 0; i < tree->contexts_told; i++)
        if (tree->contexts[i].context == context)
            return true;
    return false;
}

static void prepare_table(struct tree *tree)
{
    if (tree->table.node)
        return;
    mp_tree_table_init(&tree->table, tree->node, TREE_NODES, tree->contexts, TREE_CONTEXTS);
    mp_tree_table_keep_evicted(&tree->table, tree->evict.evicted, TREE_EVICTED);
}

void tree_decode(struct tree *tree, const uint8_t *payload, size_t n, uint64_t after,
                 struct dialect_health *health, const struct event_out *out)
{
    prepare_table(tree);
    struct mp_tree_counters before = tree->table.counters;
    bool had_run = tree->is_begun && tree->table.has_run;
    bool was_stopped = tree->table.head.flags & MP_TREE_IS_STOPPED;
    bool taken = mp_tree_table_packet(&tree->table, payload, n);
    const struct mp_tree_counters *now = &tree->table.counters;
    health->malformed += now->malformed - before.malformed +
                         (now->conflicts > before.conflicts || now->beyond > before.beyond);
    health->duplicates += now->late - before.late;
    if (!taken)
        return;
    bool begins = !had_run || now->runs > before.runs;
    if (begins) {
        tree_end_run(tree, health);
        begin_run(tree, had_run && !was_stopped, after, out);
    }
    if (tree->base + tree->table.head.elapsed > tree->newest)
        tree->newest = tree->base + tree->table.head.elapsed;
    set_anchor(tree, begins);
    tell_clock(tree, out);
    tell_contexts(tree, health, out);
    if (tree->table.head.flags & MP_TREE_EVICTS)
        tell_nodes_that_evict(tree, n, health, out);
    else
        tell_nodes(tree, health, out);
    tell_room(tree, out);
    follow_stop(tree);
}

bool tree_is_closed(const struct tree *tree, bool *is_whole)
{
    bool is_closed = tree->table.has_run && tree->table.head.flags & MP_TREE_IS_CLOSING;
    *is_whole = is_closed && mp_tree_table_is_whole(&tree->table); /* goes through all nodes */
    return is_closed;
}

enum dialect_run tree_run_of(const struct tree *tree, const uint8_t *payload, size_t n)
{
    struct mp_tree_reader reader;
    if (!tree->is_begun)
        return DIALECT_RUN_UNKNOWN;
    return mp_tree_open_packet(&reader, payload, n) && mp_tree_table_continues(&tree->table, &reader.head)
               ? DIALECT_RUN_SAME
               : DIALECT_RUN_OTHER;
}

void tree_reset(struct tree *tree)
{
    tree->is_begun = tree->table.has_run = false;
    tree->hz = 0;
    tree->table.node = NULL; /* the table is empty when it is needed again */
}

/* Sends all known nodes again, without counts. */
void tree_retell(struct tree *tree, const struct event_out *out)
{
    struct evict_teller to = {tree, NULL, out};
    struct tree_evict_out found = evict_out(&to);
    tree->lost_before = (struct tree_losses){.ticks = 0}; /* of runs whose sums were cleared */
    if (!tree->is_begun || tree->table.head.flags & MP_TREE_IS_FLAT)
        return;
    if (tree->table.head.flags & MP_TREE_EVICTS) {
        tree_evict_retell(&tree->evict, &found);
        return;
    }
    for (uint32_t i = 0; i < TREE_NODES; i++) {
        const struct mp_tree_row *row = &tree->node[i].row;
        struct tree_shown shown = tree->shown[i];
        if (!shown.is_shown)
            continue;
        struct event_node node = {.address = row->function,
                                  .number = i,
                                  .parent = row->parent == MP_TREE_NO_PARENT ? EVENT_NO_NODE : row->parent};
        emit_of_tree(tree, out, (struct event){.kind = EVENT_NODE, .context = row->context, .node = &node});
    }
}
