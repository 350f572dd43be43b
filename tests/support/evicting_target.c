/* evicting_target.c - models a target that evicts nodes of its call tree. */
#include "support/evicting_target.h"

#include <string.h>

enum { ALL_FUNCTIONS = EVICTING_CONTEXTS * EVICTING_FUNCTIONS, LOOKED_AT = 4 };

static uint32_t below(struct evicting_target *t, uint32_t limit)
{
    return (uint32_t)test_random_below(&t->random, limit);
}

/* ---- the program ---- */

static uint32_t chain_of(struct evicting_target *t, uint32_t parent, uint32_t function)
{
    for (uint32_t i = 0; i < t->chains; i++)
        if (t->chain[i].parent == parent && t->chain[i].function == function)
            return i;
    if (t->chains == EVICTING_CHAINS)
        abort();
    t->chain[t->chains] = (struct evicting_truth){.parent = parent, .function = function};
    return t->chains++;
}

static void pass(struct evicting_target *t, uint64_t ticks)
{
    const uint32_t *stack = t->stack[t->running];
    uint32_t n = t->on_stack[t->running];
    bool is_counted[ALL_FUNCTIONS] = {false};
    t->head.elapsed += ticks;
    t->head.time += (uint32_t)ticks;
    if (n == 0) {
        t->outside[t->running] += ticks;
        return;
    }
    t->life[stack[n - 1]].own += ticks;
    t->chain[t->life[stack[n - 1]].chain].own += ticks;
    t->function[t->chain[t->life[stack[n - 1]].chain].function].own += ticks;
    for (uint32_t i = 0; i < n; i++) {
        struct evicting_truth *chain = &t->chain[t->life[stack[i]].chain];
        chain->total += ticks;
        t->function[chain->function].total += is_counted[chain->function] ? 0 : ticks;
        is_counted[chain->function] = true;
    }
}

static bool is_on_a_stack(const struct evicting_target *t, uint32_t place)
{
    for (uint32_t c = 0; c < EVICTING_CONTEXTS; c++)
        for (uint32_t i = 0; i < t->on_stack[c]; i++)
            if (t->stack[c][i] == place)
                return true;
    return false;
}

static void move_sums(struct evicting_target *t, struct evicting_life *life)
{
    uint32_t function = t->chain[life->chain].function, with_sums = 0;
    for (uint32_t i = 1; i <= ALL_FUNCTIONS; i++)
        with_sums += t->gone[i].is_used;
    bool has_own = t->gone[function + 1].is_used || with_sums < t->with_sums_most;
    struct evicting_sums *gone = &t->gone[has_own ? function + 1 : 0];
    gone->is_used = true;
    gone->calls += life->calls;
    gone->own += life->own;
    uint64_t ticks = life->own + life->below;
    if (life->parent == MP_TREE_NO_PARENT) {
        t->below[life->context] += ticks;
        return;
    }
    t->life[life->parent].below += ticks;
    t->life[life->parent].callees--;
}

/* Evicts the lightest of some leaves and returns its node; UINT32_MAX when none can be evicted. */
static uint32_t evict(struct evicting_target *t)
{
    uint32_t lightest = UINT32_MAX, at = below(t, t->places), seen = 0;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < t->places && seen < LOOKED_AT; i++) {
        uint32_t place = (at + i) % t->places;
        const struct evicting_life *life = &t->life[place];
        uint64_t weight = life->own + life->below + life->inherited;
        if (life->callees || is_on_a_stack(t, place))
            continue;
        seen++;
        if (weight < least) {
            least = weight;
            lightest = place;
        }
    }
    if (lightest == UINT32_MAX)
        return lightest;
    t->head.bound = least > t->head.bound ? least : t->head.bound;
    t->head.evictions++;
    move_sums(t, &t->life[lightest]);
    return lightest;
}

static uint32_t place_of(struct evicting_target *t, uint32_t parent, uint32_t chain)
{
    uint32_t place = t->head.nodes;
    for (uint32_t i = 0; i < t->head.nodes; i++)
        if (t->life[i].chain == chain && t->life[i].is_used)
            return i;
    if (place == t->places)
        place = t->evicts ? evict(t) : UINT32_MAX;
    else
        t->head.nodes++;
    if (place == UINT32_MAX)
        return place;
    struct evicting_life *life = &t->life[place];
    uint32_t generation = life->is_used ? (life->generation + 1) & MP_TREE_GENERATIONS : life->generation;
    *life = (struct evicting_life){.is_used = true,
                                   .parent = parent,
                                   .chain = chain,
                                   .context = t->running,
                                   .generation = generation,
                                   .inherited = t->head.bound};
    if (parent != MP_TREE_NO_PARENT) {
        life->parent_generation = t->life[parent].generation;
        t->life[parent].callees++;
    }
    return place;
}

static void call(struct evicting_target *t)
{
    uint32_t n = t->on_stack[t->running];
    uint32_t function = t->running * EVICTING_FUNCTIONS + below(t, 1 + below(t, t->functions));
    uint32_t parent = n ? t->stack[t->running][n - 1] : MP_TREE_NO_PARENT;
    uint32_t chain = chain_of(t, n ? t->life[parent].chain : UINT32_MAX, function);
    uint32_t place = place_of(t, parent, chain);
    if (place == UINT32_MAX)
        return;
    t->stack[t->running][t->on_stack[t->running]++] = place;
    t->life[place].calls++;
    t->chain[chain].calls++;
    t->function[function].calls++;
}

void evicting_work(struct evicting_target *t, uint32_t steps)
{
    for (; steps > 0; steps--) {
        uint32_t n = t->on_stack[t->running];
        if (below(t, 20) == 0)
            t->running = below(t, EVICTING_CONTEXTS);
        else if (n < t->depth && (n == 0 || below(t, 2)))
            call(t);
        else if (n > 0)
            t->on_stack[t->running]--;
        pass(t, below(t, 4) ? below(t, 8) : below(t, 1000));
    }
}

/* ---- what it sends ---- */

static uint64_t print_of(uint64_t a, uint64_t b)
{
    return (a * 0x9E3779B97F4A7C15u ^ b) | 1;
}

static bool is_due(const struct evicting_target *t, uint32_t item, uint64_t print)
{
    return t->told[item] != print || (t->round + item) % t->refresh == 0;
}

static bool tell_gone(struct evicting_target *t, struct mp_tree_writer *writer, uint32_t i)
{
    const struct evicting_sums *gone = &t->gone[i];
    uint64_t print = print_of(gone->calls, gone->own);
    struct mp_tree_evicted evicted = {i ? evicting_address(i - 1) : 0, gone->calls, gone->own, 0};
    if (!gone->is_used || !is_due(t, t->item, print))
        return true;
    if (!mp_tree_write_evicted(writer, &evicted))
        return false;
    t->told[t->item] = print;
    return true;
}

static bool tell_below(struct evicting_target *t, struct mp_tree_writer *writer, uint32_t context,
                       struct mp_tree_below sum)
{
    uint64_t print = print_of(sum.ticks, sum.generation);
    if (!sum.ticks || !is_due(t, t->item, print))
        return true;
    if (!mp_tree_write_below(writer, context, &sum))
        return false;
    t->told[t->item] = print;
    return true;
}

static bool tell_row(struct evicting_target *t, struct mp_tree_writer *writer, uint32_t place)
{
    const struct evicting_life *life = &t->life[place];
    uint64_t print = print_of(life->calls * 3 + life->own, life->generation + ((uint64_t)life->chain << 20));
    if (life->parent != MP_TREE_NO_PARENT && life->parent >= t->sent_nodes) {
        t->is_torn = true;
        return true;
    }
    if (!life->is_used || !is_due(t, t->item, print))
        return true;
    struct mp_tree_row row = {.node = place,
                              .parent = life->parent,
                              .function = evicting_address(t->chain[life->chain].function),
                              .context = life->context,
                              .calls = life->calls,
                              .ticks = life->own,
                              .generation = t->evicts ? life->generation : 0,
                              .parent_generation = t->evicts ? life->parent_generation : 0};
    if (!mp_tree_write_row(writer, &row))
        return false;
    t->told[t->item] = print;
    return true;
}

/* Writes the next item of a round, in the order of 12.9. */
static bool tell_item(struct evicting_target *t, struct mp_tree_writer *writer)
{
    uint32_t i = t->item;
    if (i <= ALL_FUNCTIONS)
        return tell_gone(t, writer, i);
    i -= ALL_FUNCTIONS + 1;
    if (i < EVICTING_CONTEXTS)
        return tell_below(t, writer, i, (struct mp_tree_below){MP_TREE_NO_PARENT, 0, t->below[i]});
    i -= EVICTING_CONTEXTS;
    if (i < EVICTING_PLACES) {
        const struct evicting_life *life = &t->life[i];
        return i >= t->sent_nodes ||
               tell_below(t, writer, life->context, (struct mp_tree_below){i, life->generation, life->below});
    }
    i -= EVICTING_PLACES;
    if (i < EVICTING_CONTEXTS)
        return mp_tree_write_sums(writer, i, &(struct mp_tree_sums){.ticks = t->outside[i]});
    i -= EVICTING_CONTEXTS;
    return i >= t->sent_nodes || tell_row(t, writer, i);
}

uint16_t evicting_packet(struct evicting_target *t,
                         uint8_t payload[static EVICTING_PAYLOAD + MP_TREE_RECORD_MAX], bool *ends)
{
    enum { ITEMS = ALL_FUNCTIONS + 1 + 2 * EVICTING_CONTEXTS + 2 * EVICTING_PLACES };
    bool is_stopped = t->head.flags & MP_TREE_IS_STOPPED;
    struct mp_tree_writer writer;
    if (!t->is_in_round) {
        t->is_in_round = true;
        t->first = t->head.number;
        t->item = 0;
        t->round++;
        t->sent_nodes = t->head.nodes;
        t->is_torn = false;
    }
    struct mp_tree_head head = t->head;
    head.nodes = t->sent_nodes;
    mp_tree_begin(&writer, payload, EVICTING_PAYLOAD, 0, &head);
    while (t->item < ITEMS && (t->item == ITEMS - 1 || is_stopped || below(t, 200)) &&
           tell_item(t, &writer)) {
        t->item++;
        if (!is_stopped && below(t, 4) == 0)
            evicting_work(t, below(t, 6));
    }
    struct mp_tree_round round = {.first = t->first, .whole = t->whole + (t->whole < t->refresh)};
    *ends = t->item == ITEMS && (!t->evicts || t->is_torn || mp_tree_write_round(&writer, &round));
    t->head.number++;
    if (*ends) {
        t->whole = t->is_torn ? t->whole : round.whole;
        t->is_in_round = false;
        if (is_stopped)
            mp_tree_close(&writer);
    }
    return writer.at;
}

/* ---- runs ---- */

static void tell_all_again(struct evicting_target *t)
{
    memset(t->told, 0, sizeof t->told);
    t->whole = 0;
    t->is_in_round = false;
}

void evicting_stop(struct evicting_target *t)
{
    t->head.flags |= MP_TREE_IS_STOPPED;
    tell_all_again(t);
}

void evicting_start(struct evicting_target *t, bool is_cut)
{
    t->bounds = is_cut ? 0 : t->bounds + t->head.bound;
    t->evicts = below(t, 8);
    t->head = (struct mp_tree_head){.flags = t->evicts ? MP_TREE_EVICTS : 0,
                                    .run = (t->head.run + 1) & 15,
                                    .time = (uint32_t)test_random_next(&t->random),
                                    .hz = 25000000,
                                    .room = t->places};
    memset(t->life, 0, sizeof t->life);
    memset(t->gone, 0, sizeof t->gone);
    memset(t->below, 0, sizeof t->below);
    memset(t->outside, 0, sizeof t->outside);
    memset(t->on_stack, 0, sizeof t->on_stack);
    if (is_cut) {
        memset(t->function, 0, sizeof t->function);
        t->chains = 0;
    }
    for (uint32_t i = 0; i < EVICTING_PLACES; i++) /* a target need not begin at 0 */
        t->life[i].generation = below(t, 3) ? 0 : MP_TREE_GENERATIONS - below(t, 3);
    tell_all_again(t);
}

void evicting_begin(struct evicting_target *t, uint64_t seed)
{
    *t = (struct evicting_target){.random = {seed}};
    t->places = 12 + below(t, EVICTING_PLACES - 11);
    t->depth = 2 + below(t, EVICTING_DEPTH - 2);
    t->depth = 2 * t->depth + 2 < t->places ? t->depth : (t->places - 3) / 2;
    t->functions = 1 + below(t, EVICTING_FUNCTIONS);
    t->with_sums_most = below(t, 3) ? ALL_FUNCTIONS : below(t, 1 + 2 * t->functions);
    t->refresh = 1 + below(t, 4);
    evicting_start(t, true);
}
