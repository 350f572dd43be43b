/* mpt_tree_send.c - packets of version 3.
 *
 * Sums are told in rounds, in the order of their nodes: in each those that have changed since they were told,
 * and every sixteenth of the others, for the case that a packet was lost. A round takes as many packets as it
 * needs and as long as the line needs for them: no node waits for longer than that. */
#include "mpt_tree_send.h"

#include "mpt_names.h"

#if MPT_VERSION_3

#include "protocol/tree_writer.h"

/* It runs now and then, and never in a hook. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("Os")
#endif

#define ROUND_TICKS ((uint32_t)((uint64_t)MPT_TREE_ROUND_US * MPT_TICK_HZ / 1000000u))

enum { REFRESH = 16 };

static struct {
    uint8_t run;
    bool tells_chains;
    bool is_stopped;
    bool is_first;    /* no round was begun */
    bool is_in_round; /* `next` is still to be looked at */
    uint32_t number;  /* of the next packet */
    uint32_t round;
    uint32_t next;    /* node */
    uint32_t n;       /* nodes, when the round began */
    uint32_t ticks;   /* when it did */
    uint64_t elapsed; /* of the run until then */
    uint32_t empty;   /* bits of chains, as told last */
} tree_sender;

void mpt_tree_want(uint8_t wishes)
{
    tree_sender.tells_chains = wishes & MP_TREE_WANT_CHAINS;
}

static void tell_all(void)
{
    for (uint32_t i = 0; i < mpt_tree.n; i++)
        mpt_tree_rest(i)->told = 0;
    tree_sender.empty = UINT32_MAX;
    tree_sender.is_first = true;
    tree_sender.is_in_round = false;
}

void mpt_tree_begin_run(bool is_flat)
{
    if (mpt_tree.is_on)
        mpt_tree_leave_run();
    mpt_tree_enter_run(is_flat);
    tree_sender.run++;
    tree_sender.number = tree_sender.round = 0;
    mpt_tree.is_told = true;
    tree_sender.is_stopped = false;
    tell_all();
}

void mpt_tree_end_run(void)
{
    if (mpt_tree.is_on)
        mpt_tree_leave_run();
    tree_sender.is_stopped = true;
    tell_all();
}

uint8_t mpt_tree_run(void)
{
    return tree_sender.run;
}

void mpt_tree_forget_run(void)
{
    if (mpt_tree.is_on)
        mpt_tree_leave_run();
    mpt_tree.is_told = false;
}

/* A hook may be counting while we look. */
static uint64_t ticks_of(uint32_t i)
{
    const volatile struct mpt_tree_node *node = &mpt_tree.at[i];
    const volatile struct mpt_tree_rest *rest = mpt_tree_rest(i);
    uint32_t high, low;

    do {
        high = rest->self_high;
        low = node->self;
    } while (high != rest->self_high);
    return (uint64_t)high << 32 | low;
}

static uint64_t tree_calls_of(uint32_t i)
{
    const volatile struct mpt_tree_node *node = &mpt_tree.at[i];
    const volatile struct mpt_tree_rest *rest = mpt_tree_rest(i);
    uint32_t high, low;

    do {
        high = rest->calls_high;
        low = node->calls;
    } while (high != rest->calls_high);
    return (uint64_t)high << 32 | low;
}

static struct mpt_tree_context *context_of_root(uint32_t i)
{
    while (i >= MPT_TREE_FIRST)
        i = mpt_tree.at[i].parent;
    return &mpt_tree.context[(i - 1) / 2];
}

/* What its context is owed for it included. */
static uint64_t whole_ticks_of(uint32_t i, const struct mpt_tree_context *context)
{
    uint32_t key = mpt_port_lock();
    uint64_t ticks = ticks_of(i) + (context->owed_node == i ? context->owed : 0);

    mpt_port_unlock(key);
    return ticks;
}

static uint64_t longest_of(uint32_t i)
{
#if MPT_TREE_LONGEST
    uint32_t key = mpt_port_lock();
    uint64_t longest = (uint64_t)mpt_tree.at[i].longest_high << 32 | mpt_tree.at[i].longest;

    mpt_port_unlock(key);
    return longest;
#else
    return 0;
#endif
}

void mpt_tree_status(struct mp_status *status)
{
    status->records_captured = 0;
    for (uint32_t i = 2; i < mpt_tree.n; i++)
        if (i >= MPT_TREE_FIRST || i % 2 == 0)
            status->records_captured += mpt_tree.at[i].calls;
    status->buffer_usage_percent = (uint8_t)((mpt_tree.n - MPT_TREE_FIRST) * 100u / MPT_TREE_NODES);
}

/* False: it is not yet time for one. */
static bool begin_round(void)
{
    (void)mpt_ring_fill(); /* sets ring.now */
    if (!tree_sender.is_first && (tree_sender.is_stopped || mpt_ring.now - tree_sender.ticks < ROUND_TICKS))
        return false;
    if (mpt_tree.is_on) {
        uint32_t key = mpt_port_lock();

        mpt_tree_settle();
        mpt_port_unlock(key);
    }
    tree_sender.ticks = mpt_ring.now;
    tree_sender.n = mpt_tree.n;
    tree_sender.elapsed = 0;
    for (uint32_t i = 1; i < tree_sender.n; i++)
        tree_sender.elapsed += ticks_of(i);
    for (uint32_t i = 0; i < MPT_TREE_CONTEXTS; i++) {
        uint32_t key = mpt_port_lock();

        tree_sender.elapsed += mpt_tree.context[i].owed;
        mpt_port_unlock(key);
    }
    tree_sender.next = 1;
    tree_sender.round++;
    tree_sender.is_in_round = true;
    tree_sender.is_first = false;
    return true;
}

static void begin_tree_packet(struct mp_tree_writer *writer, uint8_t *payload)
{
    struct mp_tree_head head = {
        .flags = (uint8_t)((tree_sender.is_stopped ? MP_TREE_IS_STOPPED : 0) |
                           (MPT_TREE_IS_FLAT   ? MP_TREE_IS_FLAT
                            : MPT_TREE_LONGEST ? MP_TREE_HAS_LONGEST
                                               : 0)),
        .run = tree_sender.run & 15u,
        .number = tree_sender.number,
        .time = mpt_ring.now,
        .elapsed = tree_sender.elapsed + (tree_sender.is_stopped ? 0 : mpt_ring.now - tree_sender.ticks),
        .hz = MPT_TICK_HZ,
        .nodes = tree_sender.n - MPT_TREE_FIRST,
        .room = MPT_TREE_NODES,
    };

    mp_tree_begin(writer, payload, MPT_PACKET_BYTES, MPT_CODE_SHIFT, &head);
}

/* Of the sums; never 0. That another one looks the same costs a turn, since all are told again now and then.
 */
static uint8_t print_of(uint64_t calls, uint64_t ticks)
{
    uint64_t mixed = calls * 0x9E3779B1u + ticks * 0x61C88647u;
    uint8_t print = (uint8_t)((uint32_t)(mixed >> 32 ^ mixed) * 0x9E3779B1u >> 24);

    return print ? print : 1;
}

/* Where it runs, and what it has no nodes for. */
#if MPT_NAMES
static void tell_name(struct mp_tree_writer *writer, uint32_t context)
{
    bool is_idle;
    const char *name = mpt_names_of(context, &is_idle);

    if (name || is_idle)
        (void)mp_tree_write_name(writer, context, is_idle, name ? name : "");
}
#endif

static bool tell_tree_context(struct mp_tree_writer *writer, const struct mpt_tree_context *context,
                              uint32_t root)
{
    struct mp_tree_sums sums = {.begun = tree_calls_of(root),
                                .ticks = whole_ticks_of(root, context),
                                .other_calls = tree_calls_of(root + 1),
                                .other_ticks = whole_ticks_of(root + 1, context)};
    uint8_t print = print_of(sums.begun + sums.other_calls * 3, sums.ticks + sums.other_ticks * 5);
    bool is_refresh = (tree_sender.round + root) % REFRESH == 0;

    if (print == mpt_tree_rest(root)->told && !is_refresh)
        return true;
    if (!mp_tree_write_sums(writer, context->number, &sums))
        return false;
#if MPT_NAMES
    /* Told again now and then, for packets are lost and names change. */
    if (is_refresh || !mpt_tree_rest(root)->told)
        tell_name(writer, context->number);
#endif
    mpt_tree_rest(root)->told = print;
    if (mpt_tree_is_task(context)) {
        uint32_t node = mpt_tree_innermost((uint8_t)(context - mpt_tree.context));

        /* It is told again with the next sums, when it does not fit. */
        (void)mp_tree_write_runs(writer, context->number,
                                 node < MPT_TREE_FIRST || node >= tree_sender.n ? MP_TREE_NO_PARENT
                                                                                : node - MPT_TREE_FIRST);
    }
    return true;
}

static bool tell_node(struct mp_tree_writer *writer, uint32_t i)
{
    const struct mpt_tree_node *node = &mpt_tree.at[i];
    const struct mpt_tree_context *context = context_of_root(i);
    struct mp_tree_row row = {.node = i - MPT_TREE_FIRST,
                              .parent = node->parent < MPT_TREE_FIRST ? MP_TREE_NO_PARENT
                                                                      : node->parent - MPT_TREE_FIRST,
                              .function = mpt_word_function(node->function),
                              .context = context->number,
                              .calls = tree_calls_of(i),
                              .ticks = whole_ticks_of(i, context),
                              .longest = longest_of(i)};
    uint8_t print = print_of(row.calls, row.ticks + row.longest * 3);

    if (MPT_TREE_IS_FLAT && row.parent != MP_TREE_NO_PARENT)
        row.caller = mpt_word_function(mpt_tree.at[node->parent].function);
    if (print == mpt_tree_rest(i)->told && (tree_sender.round + i) % REFRESH)
        return true;
    if (!mp_tree_write_row(writer, &row))
        return false;
    mpt_tree_rest(i)->told = print;
    return true;
}

static bool tell_row(struct mp_tree_writer *writer, uint32_t i)
{
    if (i >= MPT_TREE_FIRST)
        return tell_node(writer, i);
    if (i % 2 == 0 || i / 2 >= mpt_tree.n_contexts)
        return true;
    if (i == 1 && mpt_tree.unseen &&
        !mp_tree_write_sums(writer, MP_TREE_NO_CONTEXT,
                            &(struct mp_tree_sums){.other_calls = mpt_tree.unseen}))
        return false;
    return tell_tree_context(writer, &mpt_tree.context[i / 2], i);
}

/* What a node takes in a tree of more than 255: of the hash table, whose size is a power of two, 2 to 4. */
#define NODE_BYTES (20u + 4u + 3u + (MPT_TREE_LONGEST ? 12u : 0u))

/* At the end of a round: what a reader that does not know it gives up is nothing more. */
static bool tell_chains(struct mp_tree_writer *writer)
{
    struct mp_tree_chains chains = {.bits = MPT_TREE_CHAIN_BITS, .node_bytes = NODE_BYTES};

    if (!tree_sender.tells_chains || MPT_TREE_IS_FLAT)
        return true;
    for (uint32_t bit = 0; bit < MPT_TREE_CHAIN_BITS; bit++)
        chains.empty += !(mpt_tree.chains[bit / 32] >> bit % 32 & 1u);
    if (chains.empty == tree_sender.empty && tree_sender.round % REFRESH)
        return true;
    if (!mp_tree_write_chains(writer, &chains))
        return false;
    tree_sender.empty = chains.empty;
    return true;
}

uint16_t mpt_tree_fill(uint8_t *payload, bool *closes)
{
    struct mp_tree_writer writer;

    if (!tree_sender.is_in_round && !begin_round())
        return 0;
    (void)mpt_ring_fill();
    begin_tree_packet(&writer, payload);
    uint16_t head = writer.at;

    while (tree_sender.next < tree_sender.n && tell_row(&writer, tree_sender.next))
        tree_sender.next++;
    tree_sender.is_in_round = tree_sender.next < tree_sender.n || !tell_chains(&writer);
    if (*closes && tree_sender.is_stopped && !tree_sender.is_in_round) {
        *closes = false;
        mp_tree_close(&writer);
    } else if (writer.at == head) {
        return 0;
    }
    tree_sender.number++;
    return writer.at;
}

#endif
