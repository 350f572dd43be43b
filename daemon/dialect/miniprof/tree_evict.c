/* tree_evict.c - reads the counts of a target that replaces nodes of its tree.
 *
 * All sums on the wire are below 2^56. Sums here saturate, and no more than 2^56 is added to the profile in a
 * run. */
#include "dialect/miniprof/tree_evict.h"

#include <string.h>

enum {
    PROBES = 64,        /* of a hash table: limits the cost of a stream that is made to collide */
    WORK_A_BYTE = 64,   /* chains and node slots to balance per byte received, on average */
    WORK_MOST = 1 << 22 /* limit for one burst: a hundred times the number of both */
};

/* Returns as much of the sum as the profile may still get. */
static uint64_t admit_sum(uint64_t *admitted, uint64_t sum)
{
    uint64_t room = ((uint64_t)1 << 56) - *admitted;
    sum = sum < room ? sum : room;
    *admitted += sum;
    return sum;
}

void tree_evict_begin_run(struct tree_evict *evict)
{
    if (evict->n_chains > 0)
        memset(evict->chain_index, 0, sizeof evict->chain_index);
    if (evict->n_functions > 0)
        memset(evict->function_index, 0, sizeof evict->function_index);
    if (evict->pass > 0) /* otherwise it is untouched, and uses no memory */
        memset(evict->life, 0, sizeof evict->life);
    evict->n_chains = evict->n_functions = evict->pass = 0;
    evict->calls = evict->ticks = 0;
    evict->work = WORK_MOST;
}

/* ---- chains ---- */

/* Fibonacci hashing: the upper bits of the product. */
static uint32_t hash_of(uint32_t a, uint32_t b)
{
    uint64_t key = (uint64_t)a << 32 | b;
    return (uint32_t)((key ^ key >> 29) * 0x9E3779B97F4A7C15u >> 40);
}

/* Returns the chain of `function` called in `parent`, or that of a context itself. TREE_NO_CHAIN when there
 * is no room. */
static uint32_t chain_at(struct tree_evict *evict, uint32_t parent, uint32_t function, uint32_t context)
{
    uint32_t at = hash_of(parent, parent == TREE_NO_CHAIN ? context : function);
    for (uint32_t probe = 0; probe < PROBES; probe++, at++) {
        uint32_t *place = &evict->chain_index[at % (2 * TREE_CHAINS)];
        const struct tree_chain *known = &evict->chain[*place > 0 ? *place - 1 : 0];
        if (*place == 0 && evict->n_chains == TREE_CHAINS)
            return TREE_NO_CHAIN;
        if (*place == 0) {
            evict->chain[evict->n_chains] =
                (struct tree_chain){.parent = parent, .function = function, .context = context};
            *place = ++evict->n_chains;
            return *place - 1;
        }
        if (known->parent == parent &&
            (parent == TREE_NO_CHAIN ? known->context == context : known->function == function))
            return *place - 1;
    }
    return TREE_NO_CHAIN;
}

/* ---- functions of evicted nodes ---- */

/* Returns the row of the function. Function 0 has the first row, which also serves all functions without room
 * for their own. */
static struct tree_function *function_at(struct tree_evict *evict, uint32_t function)
{
    if (evict->n_functions == 0)
        evict->function[evict->n_functions++] = (struct tree_function){.function = 0};
    uint32_t at = function == 0 ? 0 : hash_of(function, function);
    for (uint32_t probe = 0; function != 0 && probe < PROBES; probe++, at++) {
        uint32_t *place = &evict->function_index[at % (2 * TREE_EVICTED)];
        if (*place == 0 && evict->n_functions == TREE_EVICTED)
            break;
        if (*place == 0) {
            evict->function[evict->n_functions] = (struct tree_function){.function = function};
            *place = ++evict->n_functions;
        }
        if (evict->function[*place - 1].function == function)
            return &evict->function[*place - 1];
    }
    return &evict->function[0];
}

/* Reads the sums of evicted nodes that arrived since the last packet. */
static void take_sums(struct tree_evict *evict, const struct mp_tree_table *table,
                      const struct tree_evict_out *out)
{
    for (uint32_t i = 0; i < table->n_evicted; i++) {
        const struct mp_tree_evicted *sums = &table->evicted[i];
        struct tree_function *function = function_at(evict, sums->function);
        if (function->function != sums->function ||
            (function->has_sums && function->sum_calls == sums->calls && function->sum == sums->ticks &&
             function->longest == sums->longest))
            continue;
        function->has_sums = true;
        function->sum_calls = sums->calls;
        function->sum = sums->ticks;
        function->longest = sums->longest;
        out->function(out->user, function->function, 0, 0, function->longest);
    }
}

/* ---- nodes and their chains ---- */

static uint32_t places_of(const struct mp_tree_table *table)
{
    return table->head.nodes < table->room ? table->head.nodes : table->room;
}

static bool is_placed(const struct tree_life *life, const struct mp_tree_node *node)
{
    return node->is_told && life->is_placed && life->generation == node->row.generation;
}

/* A node was evicted: adds what its rows had to its function, whose total is unknown from now on. */
static void end_life(struct tree_evict *evict, const struct tree_life *life, const struct tree_evict_out *out)
{
    uint32_t address = evict->chain[life->chain].function;
    struct tree_function *function = function_at(evict, address);
    function->calls = tree_add_up(function->calls, life->calls);
    function->ticks = tree_add_up(function->ticks, life->ticks);
    if (!function->has_ended)
        out->function(out->user, address, 0, 0, 0);
    function->has_ended = function->function == address;
}

/* Ends nodes that were replaced: their last received sums are final. */
static void end_lives(struct tree_evict *evict, const struct mp_tree_table *table,
                      const struct tree_evict_out *out)
{
    for (uint32_t i = 0; i < places_of(table); i++) {
        struct tree_life *life = &evict->life[i];
        if (!life->is_placed || life->generation == table->node[i].row.generation)
            continue;
        if (!life->is_merged)
            end_life(evict, life, out);
        *life = (struct tree_life){.waited = life->waited};
    }
}

/* Reports the growth of a node's sums. A node without a chain counts in the time below a caller. */
static void report_life(struct tree_evict *evict, const struct mp_tree_row *row,
                        const struct tree_evict_out *out)
{
    struct tree_life *life = &evict->life[row->node];
    struct tree_chain *chain = &evict->chain[life->chain];
    if (life->is_merged)
        return;
    uint64_t calls = admit_sum(&evict->calls, row->calls - life->calls);
    uint64_t ticks = admit_sum(&evict->ticks, row->ticks - life->ticks);
    chain->ticks = tree_add_up(chain->ticks, ticks);
    life->calls = row->calls;
    life->ticks = row->ticks;
    life->longest = row->longest;
    out->node(out->user, chain, life->chain, calls, ticks, row->longest);
}

/* Gives the node a chain below `caller`, which has one. NULL: the node is outermost, and `outermost` is the
 * chain of its context. */
static void place_life(struct tree_evict *evict, const struct mp_tree_row *row,
                       const struct tree_life *caller, uint32_t outermost)
{
    uint32_t parent = caller ? caller->chain : outermost;
    uint32_t chain = caller && caller->is_merged
                         ? TREE_NO_CHAIN
                         : chain_at(evict, parent, row->function, evict->chain[parent].context);
    evict->life[row->node] = (struct tree_life){.is_placed = true,
                                                .is_merged = chain == TREE_NO_CHAIN,
                                                .generation = row->generation,
                                                .chain = chain == TREE_NO_CHAIN ? parent : chain};
}

/* Goes up to a node that has a chain, or to the context, and back down, so that callers are reported first. A
 * node that waits for one above it, such as in a cycle, is tried once per pass. */
static void place_lives(struct tree_evict *evict, const struct mp_tree_table *table, uint32_t node,
                        const struct tree_evict_out *out)
{
    const struct tree_life *caller = NULL;
    uint32_t n = 0, outermost = TREE_NO_CHAIN;
    while (!caller && outermost == TREE_NO_CHAIN) {
        const struct mp_tree_row *row = &table->node[node].row;
        if (evict->life[node].waited == evict->pass)
            return;
        evict->life[node].waited = evict->pass;
        evict->path[n++] = node;
        if (row->parent == MP_TREE_NO_PARENT) {
            outermost = chain_at(evict, TREE_NO_CHAIN, 0, row->context);
            if (outermost == TREE_NO_CHAIN)
                return;
            continue;
        }
        if (row->parent >= places_of(table) || !table->node[row->parent].is_told ||
            table->node[row->parent].row.generation != row->parent_generation)
            return;
        node = row->parent;
        if (is_placed(&evict->life[node], &table->node[node]))
            caller = &evict->life[node];
    }
    while (n-- > 0) {
        const struct mp_tree_row *row = &table->node[evict->path[n]].row;
        place_life(evict, row, caller, outermost);
        report_life(evict, row, out);
        caller = &evict->life[row->node];
    }
}

static void follow_rows(struct tree_evict *evict, const struct mp_tree_table *table,
                        const struct tree_evict_out *out)
{
    evict->pass++;
    for (uint32_t i = 0; i < places_of(table); i++) {
        const struct mp_tree_node *node = &table->node[i];
        const struct tree_life *life = &evict->life[i];
        if (node->is_told && !is_placed(life, node))
            place_lives(evict, table, i, out);
        else if (node->is_told && (node->row.calls != life->calls || node->row.ticks != life->ticks ||
                                   node->row.longest != life->longest))
            report_life(evict, &node->row, out);
    }
}

/* ---- counts without a row ---- */

static void balance_chains(struct tree_evict *evict, const struct mp_tree_table *table)
{
    for (uint32_t i = 0; i < table->n_contexts; i++)
        (void)chain_at(evict, TREE_NO_CHAIN, 0, table->contexts[i].context);
    for (uint32_t i = 0; i < evict->n_chains; i++)
        evict->chain[i].lived = evict->chain[i].shown = 0;
    for (uint32_t i = 0; i < table->n_contexts; i++) {
        uint32_t outermost = chain_at(evict, TREE_NO_CHAIN, 0, table->contexts[i].context);
        if (outermost != TREE_NO_CHAIN)
            evict->chain[outermost].lived = table->contexts[i].below;
    }
    for (uint32_t i = 0; i < places_of(table); i++) {
        const struct mp_tree_node *node = &table->node[i];
        if (!is_placed(&evict->life[i], node))
            continue;
        struct tree_chain *chain = &evict->chain[evict->life[i].chain];
        chain->lived = tree_add_up(chain->lived, tree_add_up(node->row.ticks, mp_tree_table_below(node)));
    }
    for (uint32_t i = evict->n_chains; i-- > 0;) {
        struct tree_chain *chain = &evict->chain[i];
        uint64_t known = tree_add_up(tree_add_up(chain->ticks, chain->below), chain->shown);
        uint64_t lived = chain->lived < table->head.elapsed ? chain->lived : table->head.elapsed;
        if (lived > known) {
            chain->below += lived - known;
            known = lived;
        }
        if (chain->parent == TREE_NO_CHAIN)
            continue;
        struct tree_chain *parent = &evict->chain[chain->parent];
        parent->shown = tree_add_up(parent->shown, known);
        parent->lived = tree_add_up(parent->lived, lived);
    }
}

/* Nodes without a chain count like evicted ones, if their function has sums of these. */
static void merge_lives(struct tree_evict *evict, const struct mp_tree_table *table)
{
    for (uint32_t i = 0; i < evict->n_functions; i++)
        evict->function[i].merged = evict->function[i].merged_calls = 0;
    for (uint32_t i = 0; i < places_of(table); i++) {
        const struct mp_tree_row *row = &table->node[i].row;
        if (!evict->life[i].is_merged || !is_placed(&evict->life[i], &table->node[i]))
            continue;
        struct tree_function *function = function_at(evict, row->function);
        function->merged = tree_add_up(function->merged, row->ticks);
        function->merged_calls = tree_add_up(function->merged_calls, row->calls);
    }
}

/* Raises *known to the difference, if that is larger. Returns by how much it grew. */
static uint64_t raise_unread(uint64_t *known, uint64_t there_are, uint64_t read)
{
    uint64_t before = *known, unread = there_are > read ? there_are - read : 0;
    if (unread > before)
        *known = unread;
    return *known - before;
}

/* Functions without sums of their own are included in those of function 0. */
static void balance_functions(struct tree_evict *evict, const struct mp_tree_table *table,
                              const struct tree_evict_out *out)
{
    uint64_t other_calls = 0, other_ticks = 0;
    merge_lives(evict, table);
    for (uint32_t i = evict->n_functions; i-- > 0;) {
        struct tree_function *function = &evict->function[i];
        if (i > 0 && !function->has_sums) {
            other_calls = tree_add_up(other_calls, function->calls);
            other_ticks = tree_add_up(other_ticks, function->ticks);
        }
        if (!function->has_sums)
            continue;
        uint64_t read_calls = tree_add_up(function->calls, i > 0 ? 0 : other_calls);
        uint64_t read = tree_add_up(function->ticks, i > 0 ? 0 : other_ticks);
        uint64_t calls =
            raise_unread(&function->unread_calls,
                         tree_add_up(function->sum_calls, i > 0 ? function->merged_calls : 0), read_calls);
        (void)raise_unread(&function->unread, tree_add_up(function->sum, i > 0 ? function->merged : 0), read);
        if (calls > 0)
            out->function(out->user, function->function, admit_sum(&evict->calls, calls), 0,
                          function->longest);
    }
}

/* Shows what is known but not in the profile yet, as far as it fits into *rest. Subtracts that from *rest,
 * adds it to *shown, and returns it. */
static uint64_t show_some(uint64_t *rest, uint64_t known, uint64_t *shown)
{
    uint64_t ticks = known - *shown;
    ticks = ticks < *rest ? ticks : *rest;
    *rest -= ticks;
    *shown += ticks;
    return ticks;
}

/* Both sums are the same ticks. While one of them lags behind, only that much of the other is shown. */
static void report_unread(struct tree_evict *evict, const struct tree_evict_out *out)
{
    uint64_t below = 0, unread = 0;
    for (uint32_t i = 0; i < evict->n_chains; i++)
        below = tree_add_up(below, evict->chain[i].below - evict->chain[i].below_shown);
    for (uint32_t i = 0; i < evict->n_functions; i++)
        unread = tree_add_up(unread, evict->function[i].unread - evict->function[i].unread_shown);
    uint64_t both = admit_sum(&evict->ticks, below < unread ? below : unread), rest = both;
    for (uint32_t i = 0; i < evict->n_chains && rest > 0; i++) {
        struct tree_chain *chain = &evict->chain[i];
        uint64_t ticks = show_some(&rest, chain->below, &chain->below_shown);
        if (ticks > 0)
            out->below(out->user, chain, i, ticks);
    }
    rest = both;
    for (uint32_t i = 0; i < evict->n_functions && rest > 0; i++) {
        struct tree_function *function = &evict->function[i];
        uint64_t ticks = show_some(&rest, function->unread, &function->unread_shown);
        if (ticks > 0)
            out->function(out->user, function->function, 0, ticks, function->longest);
    }
}

/* True when balancing is worth its cost now. If not, a later round makes up for it. */
static bool is_to_be_balanced(struct tree_evict *evict, const struct mp_tree_table *table, size_t bytes)
{
    uint64_t costs = evict->n_chains + places_of(table);
    evict->work += bytes * WORK_A_BYTE;
    evict->work = evict->work < WORK_MOST ? evict->work : WORK_MOST;
    if (!table->is_settled || evict->work < costs)
        return false;
    evict->work -= costs;
    return true;
}

void tree_evict_follow(struct tree_evict *evict, const struct mp_tree_table *table, size_t bytes,
                       const struct tree_evict_out *out)
{
    end_lives(evict, table, out);
    take_sums(evict, table, out);
    follow_rows(evict, table, out);
    if (!is_to_be_balanced(evict, table, bytes))
        return;
    balance_chains(evict, table);
    balance_functions(evict, table, out);
    report_unread(evict, out);
}

void tree_evict_retell(const struct tree_evict *evict, const struct tree_evict_out *out)
{
    for (uint32_t i = 0; i < evict->n_chains; i++)
        if (evict->chain[i].parent != TREE_NO_CHAIN)
            out->node(out->user, &evict->chain[i], i, 0, 0, 0);
}

uint32_t tree_evict_rows(const struct tree_evict *evict, const struct mp_tree_table *table)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < places_of(table); i++)
        rows += is_placed(&evict->life[i], &table->node[i]);
    return rows;
}
