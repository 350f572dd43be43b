/* mpt_window_send.c - packets of windows: the events that were kept, as version 2 sends them.
 *
 * The calls that ran in a context when the window began follow from its first event: that has a node, and the
 * tree has the node's callers. */
#include "mpt_window.h"

/* It runs rarely. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("Os")
#endif

#if MPT_WINDOWS

#include "mpt_stream.h"
#include "mpt_tree_send.h"

/* The calls that run in a context: `depth` of them. They are the node and its callers; if there are more,
 * those have no node. */
struct calls {
    uint16_t depth;
    mpt_tree_index node;
};

static struct {
    bool was_window;   /* the previous packet was one of a window */
    bool is_blocked;   /* the previous task waits */
    bool is_switching; /* the running task is sent when the interrupt's calls are over */
    uint8_t run;
    uint8_t task; /* the one that runs at `at` */
    uint16_t exception;
    uint32_t at; /* number of the next event to be sent */
    uint32_t time;
    uint32_t number;    /* on the wire */
    uint32_t context;   /* the one sent last */
    uint32_t told_task; /* the task sent last, as a context */
    uint16_t over;      /* calls of the previous task of this number that are still to be reported as over */
    uint32_t over_context, over_sum;
    struct calls calls[MPT_TREE_CONTEXTS];
    uint8_t is_told[(MPT_TREE_CONTEXTS + 7) / 8]; /* contexts whose calls were sent */
} window_sender;

/* ---- events ---- */

static bool is_call(uint32_t word)
{
    return word < MPT_WORD_EXCEPTION;
}

static bool is_task(uint32_t word)
{
    return word >= MPT_WORD_TASK && word < MPT_WORD_TIME;
}

/* Returns the node of a call, or 0. */
static uint32_t node_of(uint32_t word)
{
    return word >= MPT_WORD_NODE_EXIT && word < MPT_WORD_NODE_END ? word & 0xFFFFu : 0;
}

static bool is_enter(uint32_t word)
{
    return node_of(word) ? word >= MPT_WORD_NODE_ENTER : mpt_word_is_enter(word);
}

static uint32_t function_of(uint32_t word)
{
    return mpt_word_function(node_of(word) ? mpt_tree.at[node_of(word)].function : word);
}

static uint32_t context_numbered(uint32_t exception, uint32_t task)
{
    return exception ? MP_CONTEXT_INTERRUPT(exception) : MP_CONTEXT_TASK(task);
}

/* Returns the context of a call, as far as it is known. */
static uint32_t context_of_word(uint32_t word, uint32_t exception, uint32_t task)
{
    uint32_t node = node_of(word);

    if (!node)
        return context_numbered(exception, task);
    while (!mpt_tree_is_context(node))
        node = mpt_tree.at[node].parent;
    return mpt_tree.context[(node - 1) / 2].number;
}

/* ---- what runs ---- */

static uint32_t depth_of(uint32_t node)
{
    uint32_t depth = 0;

    for (; !mpt_tree_is_context(node); node = mpt_tree.at[node].parent)
        depth++;
    return depth;
}

/* Returns the calls of a context, of which nothing was sent yet, before the event `at`, by its first event.
 * Calls without a node before one that has a node give the least depth. */
static struct calls calls_before(uint32_t context)
{
    uint32_t exception = window_sender.exception, task = window_sender.task;
    int32_t net = 0, lowest = 0;

    for (uint32_t i = window_sender.at; i != mpt_window.end; i++) {
        uint32_t word = mpt_window_event(i)->word, node = node_of(word);

        if (is_task(word)) {
            task = (uint8_t)word;
            if ((word & MPT_TASK_NEW) && context == MP_CONTEXT_TASK(task))
                break;
        } else if (!is_call(word)) {
            exception = word < MPT_WORD_TASK ? word - MPT_WORD_EXCEPTION : exception;
        } else if (context_of_word(word, exception, task) == context) {
            if (node) {
                node = is_enter(word) ? mpt_tree.at[node].parent : node;
                return (struct calls){(uint16_t)(depth_of(node) + (net < 0 ? (uint32_t)-net : 0)),
                                      (mpt_tree_index)node};
            }
            net += is_enter(word) ? 1 : -1;
            lowest = net < lowest ? net : lowest;
        }
    }
    return (struct calls){.depth = (uint16_t)-lowest};
}

/* Returns MPT_TREE_CONTEXTS for an interrupt that found no room. */
static uint32_t window_index_of(uint32_t context)
{
    uint32_t i = 0;

    while (i < MPT_TREE_CONTEXTS && mpt_tree.context[i].number != context)
        i++;
    return i;
}

static bool is_told(uint32_t index)
{
    return index < MPT_TREE_CONTEXTS && (window_sender.is_told[index / 8] & 1u << index % 8);
}

/* Returns the calls before the event `at`. */
static struct calls window_calls_of(uint32_t context)
{
    uint32_t index = window_index_of(context);

    return is_told(index) ? window_sender.calls[index] : calls_before(context);
}

/* Follows the event `at`, of a call in that context, which is sent. */
static void follow_event(uint32_t context, uint32_t word)
{
    uint32_t index = window_index_of(context), node = node_of(word);

    if (!is_told(index))
        return;
    struct calls *calls = &window_sender.calls[index];

    if (node) {
        node = is_enter(word) ? node : mpt_tree.at[node].parent;
        *calls = (struct calls){(uint16_t)depth_of(node), (mpt_tree_index)node};
    } else if (is_enter(word)) {
        calls->depth++;
    } else if (calls->depth > depth_of(calls->node)) {
        calls->depth--;
    }
}

/* ---- what is sent ---- */

/* Sends the functions of a context's calls, when it is sent for the first time. Leaves room for the tokens
 * after them.
 */
static void tell_calls(uint32_t context, struct calls calls)
{
    struct mp_compact_writer *const writer = mpt_stream_writer;
    uint32_t index = window_index_of(context), known = depth_of(calls.node);

    if (index == MPT_TREE_CONTEXTS || is_told(index))
        return;
    window_sender.is_told[index / 8] |= (uint8_t)(1u << index % 8);
    window_sender.calls[index] = calls;
    for (uint32_t depth = 0; depth < known; depth++) {
        uint32_t node = calls.node;

        for (uint32_t k = known - 1; k > depth; k--)
            node = mpt_tree.at[node].parent;
        if (writer->room - writer->at < 3 * MP_COMPACT_TOKEN_MAX)
            return;
        (void)mp_compact_open(writer, depth, mpt_word_function(mpt_tree.at[node].function), 0);
    }
}

/* Another task gets the number: the calls of the previous one end by a gap in which nothing was lost. */
static void end_calls(uint32_t context)
{
    uint32_t index = window_index_of(context), weight = MP_CALL_LESS_WEIGHT;

    if (!is_told(index))
        return;
    window_sender.over = window_sender.calls[index].depth;
    window_sender.over_context = context;
    window_sender.over_sum = 0;
    for (uint32_t node = window_sender.calls[index].node; !mpt_tree_is_context(node);
         node = mpt_tree.at[node].parent) {
        window_sender.over_sum -= mpt_word_function(mpt_tree.at[node].function) * weight;
        weight *= MP_CALL_LESS_WEIGHT;
    }
    window_sender.calls[index] = (struct calls){0};
}

static void tell_window_over(uint32_t ticks)
{
    int32_t over = window_sender.over;

    if (over && window_sender.over_context == window_sender.context) {
        (void)mp_compact_gap(mpt_stream_writer, 0, -over, -over, window_sender.over_sum, ticks);
        window_sender.number++;
    }
    if (window_sender.over_context == window_sender.context)
        window_sender.over = 0;
}

static void tell_window_context(uint32_t context, uint32_t ticks)
{
    struct calls calls = window_calls_of(context);
    bool is_of_task = !MP_CONTEXT_IS_INTERRUPT(context), is_new = context != window_sender.context;
    bool is_blocked = is_of_task && window_sender.is_blocked && context != window_sender.told_task;
    uint32_t depth = calls.depth;

    if (window_sender.over && window_sender.over_context == context)
        depth += window_sender.over;
    window_sender.context = context;
    if (is_of_task) {
        window_sender.is_blocked = window_sender.is_switching = false;
        window_sender.told_task = context;
    }
    if (is_new && is_blocked)
        (void)mp_compact_context_blocked(mpt_stream_writer, context, depth, ticks);
    else if (is_new)
        (void)mp_compact_context(mpt_stream_writer, context, depth, ticks);
    tell_window_over(ticks);
    tell_calls(context, calls);
}

static void tell_window_task(uint32_t word, uint32_t ticks)
{
    uint32_t context = MP_CONTEXT_TASK((uint32_t)(uint8_t)word);

    if (word & MPT_TASK_NEW)
        end_calls(context);
    if (!window_sender.is_switching)
        window_sender.is_blocked = word & MPT_TASK_BLOCKED;
    window_sender.task = (uint8_t)word;
    window_sender.at++;
    window_sender.is_switching =
        MP_CONTEXT_IS_INTERRUPT(window_sender.context) && window_calls_of(window_sender.context).depth;
    if (!window_sender.is_switching)
        tell_window_context(context, ticks);
}

static void tell_call(uint32_t word, uint32_t ticks)
{
    uint32_t context = context_of_word(word, window_sender.exception, window_sender.task);

    if (context != window_sender.context)
        tell_window_context(context, ticks);
    if (is_enter(word))
        (void)mp_compact_enter(mpt_stream_writer, function_of(word), ticks);
    else
        (void)mp_compact_exit(mpt_stream_writer, function_of(word), ticks);
    follow_event(context, word);
    window_sender.number++;
    window_sender.at++;
    if (window_sender.is_switching && !window_calls_of(window_sender.context).depth)
        tell_window_context(MP_CONTEXT_TASK((uint32_t)window_sender.task), ticks);
}

/* ---- packets ---- */

static void begin_window(void)
{
    const struct mpt_window *const w = &mpt_window;

    mpt_window.is_sending = true;
    window_sender.run++;
    window_sender.at = w->first;
    window_sender.time = mpt_window_event(w->first)->ticks;
    window_sender.exception = w->first_exception;
    window_sender.task = w->first_task;
    window_sender.number = 0;
    window_sender.context = context_numbered(window_sender.exception, window_sender.task);
    window_sender.told_task = MP_CONTEXT_TASK((uint32_t)window_sender.task);
    window_sender.is_blocked = window_sender.is_switching = false;
    window_sender.over = 0;
    for (uint32_t i = 0; i < sizeof window_sender.is_told; i++)
        window_sender.is_told[i] = 0;
}

static void begin_window_packet(uint8_t *payload)
{
    const struct mpt_window *const w = &mpt_window;
    bool is_first = window_sender.at == w->first;
    struct calls calls = window_calls_of(window_sender.context);
    struct mp_compact_head head = {
        .run = window_sender.run & 15u,
        .number = window_sender.number,
        .time = window_sender.at == w->end ? window_sender.time : mpt_window_event(window_sender.at)->ticks,
        .context = window_sender.context,
        .depth = calls.depth,
        .is_window = true,
    };

    mp_compact_begin(mpt_stream_writer, payload, MPT_PACKET_BYTES, MP_COMPACT_SLOTS, MPT_CODE_SHIFT, &head);
    if (!is_first)
        return;
    (void)mp_compact_clock(mpt_stream_writer, MPT_TICK_HZ);
    (void)mp_compact_window(mpt_stream_writer, w->why, w->slow_function, w->took, w->triggered - head.time,
                            w->missed);
    tell_calls(window_sender.context, calls);
}

/* Returns false when the event may not fit. */
static bool tell_event(void)
{
    const struct mpt_event *event = mpt_window_event(window_sender.at);
    uint32_t word = event->word;

    if (mpt_stream_writer->room - mpt_stream_writer->at < 3 * MP_COMPACT_TOKEN_MAX)
        return false;
    window_sender.time = event->ticks;
    if (is_call(word)) {
        tell_call(word, event->ticks);
    } else if (is_task(word)) {
        tell_window_task(word, event->ticks);
    } else {
        if (word < MPT_WORD_TASK)
            window_sender.exception = (uint16_t)(word - MPT_WORD_EXCEPTION);
        window_sender.at++;
    }
    return true;
}

static uint16_t fill_window(uint8_t *payload)
{
    if (!mpt_window_is_kept())
        return 0;
    if (!mpt_window.is_sending)
        begin_window();
    begin_window_packet(payload);
    while (window_sender.at != mpt_window.end && tell_event())
        ;
    if (window_sender.at == mpt_window.end && mp_compact_window_end(mpt_stream_writer))
        mpt_window_is_sent();
    window_sender.was_window = true;
    return mp_compact_end(mpt_stream_writer, false);
}

uint16_t mpt_window_fill(uint8_t *payload, bool *closes)
{
    bool is_turn = !window_sender.was_window;
    uint16_t size = is_turn ? fill_window(payload) : 0;

    if (size)
        return size;
    window_sender.was_window = false;
    size = mpt_tree_fill(payload, closes);
    return size || is_turn ? size : fill_window(payload);
}

#endif
