/* mpt_tree_send.c - writes packets of version 3.
 *
 * Sums are sent in rounds, in the order of their nodes. Each round sends those that have changed since they
 * were sent, and one sixteenth of the others, in case a packet was lost. A round takes as many packets as it
 * needs and as long as the line needs for them: no node waits longer than a round. */
#include "mpt_tree_send.h"

#include "mpt_names.h"
#include "mpt_tree_evict.h"

#if MPT_VERSION_3

#include "protocol/tree_writer.h"

/* It runs rarely, and never in a hook. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("Os")
#endif

#define ROUND_TICKS ((uint32_t)((uint64_t)MPT_TREE_ROUND_US * MPT_TICK_HZ / 1000000u))

enum { REFRESH = 16 };

static struct {
    uint8_t run;
    bool tells_chains;
    bool wants_eviction; /* of the next run */
    bool is_stopped;
    bool is_first;    /* no round has begun */
    bool is_in_round; /* a round is under way, from `next` on */
    uint32_t number;  /* of the next packet */
    uint32_t round;
    uint32_t next;    /* node; in a run that evicts, the number of an item (tell_item) */
    uint32_t n;       /* number of nodes when the round began */
    uint32_t first;   /* number of the round's first packet */
    uint32_t whole;   /* rounds in which each sum was sent */
    bool is_torn;     /* a row of this round must wait for the next one */
    uint32_t ticks;   /* when the round began */
    uint64_t elapsed; /* of the run until then */
    uint32_t empty;   /* bits of chains that were clear, as sent last */
} tree_sender;

void mpt_tree_want(uint8_t wishes)
{
    tree_sender.tells_chains = wishes & MP_TREE_WANT_CHAINS;
    tree_sender.wants_eviction = wishes & MP_TREE_WANT_EVICTION;
}

static void tell_all(void)
{
    for (uint32_t i = 0; i < mpt_tree.n; i++)
        mpt_tree_rest(i)->told = 0;
#if MPT_TREE_EVICTION
    for (uint32_t i = 0; i < mpt_tree.n; i++)
        mpt_tree.extra[i].below_told = 0;
    for (uint32_t i = 0; i <= MPT_TREE_GONE; i++)
        mpt_tree.gone[i].told = 0;
#endif
    tree_sender.whole = 0;
    tree_sender.empty = UINT32_MAX;
    tree_sender.is_first = true;
    tree_sender.is_in_round = false;
}

void mpt_tree_begin_run(bool is_flat)
{
    if (mpt_tree.is_on)
        mpt_tree_leave_run();
    mpt_tree_enter_run(is_flat, tree_sender.wants_eviction);
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

/* A hook may be counting at the same time. */
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

/* Returns the node's ticks, including those that its context is owed for it. */
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

#if MPT_TREE_EVICTION
#define MAY_EVICT mpt_tree.may_evict

bool mpt_tree_may_evict(void)
{
    return mpt_tree.may_evict;
}

/* Interrupts are locked out. */
static struct mp_tree_evicted gone_at(uint32_t i)
{
    const struct mpt_tree_gone *gone = mpt_tree_gone(i);

    return (struct mp_tree_evicted)
    {
        .function = gone->function, .calls = (uint64_t)gone->calls_high << 32 | gone->calls,
        .ticks = (uint64_t)gone->ticks_high << 32 | gone->ticks,
#if MPT_TREE_LONGEST
        .longest = gone->longest
#endif
    };
}
#else
#define MAY_EVICT false
#endif

void mpt_tree_status(struct mp_status *status)
{
    status->records_captured = 0;
    for (uint32_t i = 2; i < mpt_tree.n; i++)
        if (i >= MPT_TREE_FIRST || i % 2 == 0)
            status->records_captured += mpt_tree.at[i].calls;
#if MPT_TREE_EVICTION
    for (uint32_t i = 0; i <= MPT_TREE_GONE; i++)
        status->records_captured += mpt_tree_gone(i)->calls;
#endif
    status->buffer_usage_percent = (uint8_t)((mpt_tree.n - MPT_TREE_FIRST) * 100u / MPT_TREE_NODES);
}

static uint64_t sum_of_nodes(void)
{
    uint64_t ticks = 0;

    for (uint32_t i = 1; i < tree_sender.n; i++) {
        ticks += ticks_of(i);
#if MPT_TREE_EVICTION
        ticks += mpt_tree_below(i);
#endif
    }
    return ticks;
}

/* Returns the ticks of all nodes. Tries again when a node is evicted meanwhile: its ticks would count twice,
 * or not at all. */
static uint64_t ticks_of_nodes(void)
{
#if MPT_TREE_EVICTION
    for (uint32_t tries = 0; tries < 3; tries++) {
        uint32_t evictions = *(volatile uint32_t *)&mpt_tree.evictions;
        uint64_t ticks = sum_of_nodes();

        if (evictions == *(volatile uint32_t *)&mpt_tree.evictions)
            return ticks;
    }
    uint32_t key = mpt_port_lock();
    uint64_t ticks = sum_of_nodes();

    mpt_port_unlock(key);
    return ticks;
#else
    return sum_of_nodes();
#endif
}

/* Returns false when it is too early for a round. */
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
    tree_sender.elapsed = ticks_of_nodes();
    for (uint32_t i = 0; i < MPT_TREE_CONTEXTS; i++) {
        uint32_t key = mpt_port_lock();

        tree_sender.elapsed += mpt_tree.context[i].owed;
        mpt_port_unlock(key);
    }
    tree_sender.next = MAY_EVICT ? 0 : 1;
    tree_sender.first = tree_sender.number;
    tree_sender.is_torn = false;
    tree_sender.round++;
    tree_sender.is_in_round = true;
    tree_sender.is_first = false;
    return true;
}

static void begin_tree_packet(struct mp_tree_writer *writer, uint8_t *payload)
{
    struct mp_tree_head head = {
        .flags =
            (uint8_t)((tree_sender.is_stopped ? MP_TREE_IS_STOPPED : 0) | (MAY_EVICT ? MP_TREE_EVICTS : 0) |
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
#if MPT_TREE_EVICTION
    uint32_t key = mpt_port_lock();

    head.bound = mpt_tree.bound;
    head.evictions = mpt_tree.evictions;
    mpt_port_unlock(key);
#endif

    mp_tree_begin(writer, payload, MPT_PACKET_BYTES, MPT_CODE_SHIFT, &head);
}

/* Returns a hash of the sums that is never 0. When different sums have the same hash, they are only sent
 * later, since all are sent again now and then.
 */
static uint8_t print_of(uint64_t calls, uint64_t ticks)
{
    uint64_t mixed = calls * 0x9E3779B1u + ticks * 0x61C88647u;
    uint8_t print = (uint8_t)((uint32_t)(mixed >> 32 ^ mixed) * 0x9E3779B1u >> 24);

    return print ? print : 1;
}

/* Sends the name of a context, if it has one. */
#if MPT_NAMES
static void tell_name(struct mp_tree_writer *writer, uint32_t context)
{
    bool is_idle;
    const char *name = mpt_names_of(context, &is_idle);

    if (name || is_idle)
        (void)mp_tree_write_name(writer, context, is_idle, name ? name : "");
}
#endif

/* Sends a context: its sums, those of "(other)", its name, and for a task the innermost call that runs. */
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
    /* Sent again now and then, since packets are lost and names change. */
    if (is_refresh || !mpt_tree_rest(root)->told)
        tell_name(writer, context->number);
#endif
    mpt_tree_rest(root)->told = print;
    if (mpt_tree_is_task(context)) {
        uint32_t node = mpt_tree_innermost((uint8_t)(context - mpt_tree.context));

        /* If it does not fit, it is sent again with the next sums. */
        (void)mp_tree_write_runs(writer, context->number,
                                 node < MPT_TREE_FIRST || node >= tree_sender.n ? MP_TREE_NO_PARENT
                                                                                : node - MPT_TREE_FIRST);
    }
    return true;
}

static bool tell_node(struct mp_tree_writer *writer, uint32_t i)
{
#if MPT_TREE_EVICTION
    uint32_t key = mpt_port_lock(); /* else the node could be evicted meanwhile */
#endif
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
#if MPT_TREE_EVICTION
    row.generation = mpt_tree.extra[i].generation;
    row.parent_generation = mpt_tree.extra[node->parent].generation;
    mpt_port_unlock(key);
    if (row.parent != MP_TREE_NO_PARENT && row.parent >= tree_sender.n - MPT_TREE_FIRST) {
        tree_sender.is_torn = true; /* the tree became full in this round, and the parent was made in it */
        return true;
    }
#endif
    if (print == mpt_tree_rest(i)->told && (tree_sender.round + i) % REFRESH)
        return true;
    if (!mp_tree_write_row(writer, &row))
        return false;
#if MPT_TREE_EVICTION
    key = mpt_port_lock();
    if (mpt_tree.extra[i].generation == (uint16_t)row.generation)
        mpt_tree_rest(i)->told = print;
    mpt_port_unlock(key);
#else
    mpt_tree_rest(i)->told = print;
#endif
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

#if MPT_TREE_EVICTION
static bool tell_gone(struct mp_tree_writer *writer, uint32_t i)
{
    uint32_t key = mpt_port_lock();
    struct mp_tree_evicted gone = gone_at(i);
    uint8_t print = print_of(gone.calls, gone.ticks + gone.longest * 3);

    mpt_port_unlock(key);
    if (!gone.calls && !gone.ticks)
        return true;
    if (print == mpt_tree_gone(i)->told && (tree_sender.round + i) % REFRESH)
        return true;
    if (!mp_tree_write_evicted(writer, &gone))
        return false;
    mpt_tree_gone(i)->told = print;
    return true;
}

/* Sends the ticks evicted below a node; for a context's root, those of outermost calls. */
static bool tell_below(struct mp_tree_writer *writer, uint32_t i)
{
    uint32_t key = mpt_port_lock();
    struct mpt_tree_extra *extra = &mpt_tree.extra[i];
    struct mp_tree_below below = {.node = i < MPT_TREE_FIRST ? MP_TREE_NO_PARENT : i - MPT_TREE_FIRST,
                                  .generation = i < MPT_TREE_FIRST ? 0 : extra->generation,
                                  .ticks = mpt_tree_below(i)};
    uint32_t context = below.ticks ? context_of_root(i)->number : 0;
    uint8_t print = print_of(0, below.ticks);

    mpt_port_unlock(key);
    if (!below.ticks || (print == extra->below_told && (tree_sender.round + i) % REFRESH))
        return true;
    if (!mp_tree_write_below(writer, context, &below))
        return false;
    key = mpt_port_lock();
    if (i < MPT_TREE_FIRST || extra->generation == (uint16_t)below.generation)
        extra->below_told = print;
    mpt_port_unlock(key);
    return true;
}

/* Sends an item of a round of a run that evicts: sums that were moved are sent before those they were moved
 * from (SPEC.md 12.9). */
static bool tell_item(struct mp_tree_writer *writer, uint32_t item)
{
    if (!mpt_tree.may_evict)
        return tell_row(writer, item);
    if (item <= MPT_TREE_GONE)
        return tell_gone(writer, item);
    item -= MPT_TREE_GONE + 1u;
    return item < tree_sender.n ? !item || tell_below(writer, item) : tell_row(writer, item - tree_sender.n);
}

static uint32_t round_items(void)
{
    return mpt_tree.may_evict ? MPT_TREE_GONE + 1u + 2u * tree_sender.n : tree_sender.n;
}

/* Sends the end of a round, unless nothing was sent in it. */
static bool tell_round(struct mp_tree_writer *writer, uint16_t head)
{
    struct mp_tree_round round = {.first = tree_sender.first, .whole = tree_sender.whole};

    if (!mpt_tree.may_evict || tree_sender.is_torn ||
        (writer->at == head && tree_sender.number == tree_sender.first))
        return true;
    round.whole += round.whole < REFRESH;
    if (!mp_tree_write_round(writer, &round))
        return false;
    tree_sender.whole = round.whole;
    return true;
}
#else
#define tell_item                tell_row
#define round_items()            tree_sender.n
#define tell_round(writer, head) true
#endif

/* Sent at the end of a round, since a reader that does not support it stops there. */
static bool tell_chains(struct mp_tree_writer *writer)
{
    struct mp_tree_chains chains = {.bits = MPT_TREE_CHAIN_BITS, .node_bytes = MPT_TREE_NODE_BYTES};

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

#if MPT_TREE_EVICTION
    mpt_tree_count_callees();
#endif
    if (!tree_sender.is_in_round && !begin_round())
        return 0;
    (void)mpt_ring_fill();
    begin_tree_packet(&writer, payload);
    uint16_t head = writer.at;

    while (tree_sender.next < round_items() && tell_item(&writer, tree_sender.next))
        tree_sender.next++;
    tree_sender.is_in_round =
        tree_sender.next < round_items() || !tell_chains(&writer) || !tell_round(&writer, head);
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
