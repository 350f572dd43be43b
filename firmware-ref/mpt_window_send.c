/* mpt_window_send.c - packets of windows: the events that were kept, as version 2 tells them.
 *
 * What ran before an event is asked of the events themselves: the next one of its context has a node, or the
 * one before. */
#include "mpt_window.h"

/* It runs once in a while. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("Os")
#endif

#if MPT_WINDOWS

#include "mpt_stream.h"
#include "mpt_tree_send.h"

/* What runs in a context: that many calls, the innermost of which has that node when all have one. */
struct calls {
    uint32_t node;
    uint32_t depth;
    bool are_known;
};

static struct {
    bool was_window;   /* the packet before */
    bool is_blocked;   /* the task before waits */
    bool is_switching; /* the task that runs is told when the interrupt's calls are over */
    uint8_t run;
    uint8_t task; /* that runs where `at` is */
    uint16_t exception;
    uint32_t at; /* number of the next event to be told */
    uint32_t time;
    uint32_t number;    /* on the wire */
    uint32_t context;   /* as told last */
    uint32_t told_task; /* as a context */
    struct calls over;  /* calls of the task that had this number before, still to be told to be over */
    uint32_t over_context;
    uint8_t told_calls[(MPT_TREE_CONTEXTS + 7) / 8]; /* contexts whose calls were told */
} sender;

/* ---- events ---- */

static bool is_call(uint32_t word)
{
    return word < MPT_WORD_EXCEPTION;
}

static bool is_task(uint32_t word)
{
    return word >= MPT_WORD_TASK && word < MPT_WORD_TIME;
}

/* Of a call: its node, or 0. */
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

/* Of a call, where these run as far as is known. */
static uint32_t context_of(uint32_t word, uint32_t exception, uint32_t task)
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

/* After the event before `at`; what an event that is gone ended is in no window. */
static struct calls calls_before(uint32_t context)
{
    uint32_t i = sender.at;

    while (i != mpt_window.first) {
        uint32_t word = mpt_window_event(--i)->word, node = node_of(word);

        if (is_task(word) && (word & MPT_TASK_NEW) && context == MP_CONTEXT_TASK((uint32_t)(uint8_t)word))
            break;
        if (node && context_of(word, 0, 0) == context) {
            if (!is_enter(word))
                node = mpt_tree.at[node].parent;
            return (struct calls){node, depth_of(node), true};
        }
    }
    return (struct calls){0};
}

/* Before the event `at`. */
static struct calls calls_of(uint32_t context)
{
    uint32_t exception = sender.exception, task = sender.task;
    int32_t net = 0, lowest = 0;

    for (uint32_t i = sender.at; i != mpt_window.end; i++) {
        uint32_t word = mpt_window_event(i)->word, node = node_of(word);

        if (is_task(word)) {
            task = (uint8_t)word;
            if ((word & MPT_TASK_NEW) && context == MP_CONTEXT_TASK(task))
                break;
        } else if (!is_call(word)) {
            exception = word < MPT_WORD_TASK ? word - MPT_WORD_EXCEPTION : exception;
        } else if (context_of(word, exception, task) == context) {
            if (node) {
                if (is_enter(word))
                    node = mpt_tree.at[node].parent;
                return (struct calls){node, depth_of(node) + (net < 0 ? (uint32_t)-net : 0), !net};
            }
            net += is_enter(word) ? 1 : -1;
            lowest = net < lowest ? net : lowest;
        }
    }
    struct calls before = calls_before(context);

    if (!before.are_known || before.depth < (uint32_t)-lowest)
        before = (struct calls){.depth = (uint32_t)-lowest};
    return before;
}

/* ---- what is told ---- */

/* The functions of a context's calls, once in a window. What comes after them has its room. */
static void tell_calls(uint32_t context, const struct calls *calls)
{
    struct mp_compact_writer *const writer = mpt_stream_writer;
    uint32_t i = 0;

    while (i < MPT_TREE_CONTEXTS && mpt_tree.context[i].number != context)
        i++;
    if (i == MPT_TREE_CONTEXTS || (sender.told_calls[i / 8] & 1u << i % 8))
        return;
    sender.told_calls[i / 8] |= (uint8_t)(1u << i % 8);
    for (uint32_t depth = 0; calls->are_known && depth < calls->depth; depth++) {
        uint32_t node = calls->node;

        for (uint32_t k = calls->depth - 1; k > depth; k--)
            node = mpt_tree.at[node].parent;
        if (writer->room - writer->at < 3 * MP_COMPACT_TOKEN_MAX)
            return;
        (void)mp_compact_open(writer, depth, mpt_word_function(mpt_tree.at[node].function), 0);
    }
}

/* A gap in which nothing was lost. */
static void tell_over(uint32_t ticks)
{
    uint32_t weight = MP_CALL_LESS_WEIGHT, sum = 0;

    if (!sender.over.depth || sender.over_context != sender.context)
        return;
    for (uint32_t node = sender.over.node; sender.over.are_known && !mpt_tree_is_context(node);
         node = mpt_tree.at[node].parent) {
        sum -= mpt_word_function(mpt_tree.at[node].function) * weight;
        weight *= MP_CALL_LESS_WEIGHT;
    }
    (void)mp_compact_gap(mpt_stream_writer, 0, -(int32_t)sender.over.depth, -(int32_t)sender.over.depth, sum,
                         ticks);
    sender.over.depth = 0;
}

static void tell_context(uint32_t context, uint32_t ticks)
{
    struct calls calls = calls_of(context);
    bool is_of_task = !MP_CONTEXT_IS_INTERRUPT(context), is_new = context != sender.context;
    bool is_blocked = is_of_task && sender.is_blocked && context != sender.told_task;
    uint32_t depth = calls.depth;

    if (sender.over.depth && sender.over_context == context)
        depth += sender.over.depth;
    sender.context = context;
    if (is_of_task) {
        sender.is_blocked = sender.is_switching = false;
        sender.told_task = context;
    }
    if (is_new && is_blocked)
        (void)mp_compact_context_blocked(mpt_stream_writer, context, depth, ticks);
    else if (is_new)
        (void)mp_compact_context(mpt_stream_writer, context, depth, ticks);
    tell_over(ticks);
    tell_calls(context, &calls);
}

static void tell_task(uint32_t word, uint32_t ticks)
{
    uint32_t context = MP_CONTEXT_TASK((uint32_t)(uint8_t)word);

    if (word & MPT_TASK_NEW) {
        sender.over = calls_of(context);
        sender.over_context = context;
    }
    if (!sender.is_switching)
        sender.is_blocked = word & MPT_TASK_BLOCKED;
    sender.task = (uint8_t)word;
    sender.at++;
    sender.is_switching = MP_CONTEXT_IS_INTERRUPT(sender.context) && calls_of(sender.context).depth;
    if (!sender.is_switching)
        tell_context(context, ticks);
}

static void tell_call(uint32_t word, uint32_t ticks)
{
    uint32_t context = context_of(word, sender.exception, sender.task);

    if (context != sender.context)
        tell_context(context, ticks);
    if (is_enter(word))
        (void)mp_compact_enter(mpt_stream_writer, function_of(word), ticks);
    else
        (void)mp_compact_exit(mpt_stream_writer, function_of(word), ticks);
    sender.number++;
    sender.at++;
    if (sender.is_switching && !calls_of(sender.context).depth)
        tell_context(MP_CONTEXT_TASK((uint32_t)sender.task), ticks);
}

/* ---- packets ---- */

static void begin_window(void)
{
    const struct mpt_window *const w = &mpt_window;

    mpt_window.is_sending = true;
    sender.run++;
    sender.at = w->first;
    sender.time = mpt_window_event(w->first)->ticks;
    sender.exception = w->first_exception;
    sender.task = w->first_task;
    sender.number = 0;
    sender.context = context_numbered(sender.exception, sender.task);
    sender.told_task = MP_CONTEXT_TASK((uint32_t)sender.task);
    sender.is_blocked = sender.is_switching = false;
    sender.over.depth = 0;
    for (uint32_t i = 0; i < sizeof sender.told_calls; i++)
        sender.told_calls[i] = 0;
}

static void begin_packet(uint8_t *payload)
{
    const struct mpt_window *const w = &mpt_window;
    bool is_first = sender.at == w->first;
    struct calls calls = calls_of(sender.context);
    struct mp_compact_head head = {
        .run = sender.run & 15u,
        .number = sender.number,
        .time = sender.at == w->end ? sender.time : mpt_window_event(sender.at)->ticks,
        .context = sender.context,
        .depth = calls.depth,
        .is_window = true,
    };

    mp_compact_begin(mpt_stream_writer, payload, MPT_PACKET_BYTES, MP_COMPACT_SLOTS, MPT_CODE_SHIFT, &head);
    if (!is_first)
        return;
    (void)mp_compact_clock(mpt_stream_writer, MPT_TICK_HZ);
    (void)mp_compact_window(mpt_stream_writer, w->why, w->slow_function, w->took, w->triggered - head.time,
                            w->missed);
    tell_calls(sender.context, &calls);
}

/* False: it may not fit. */
static bool tell_event(void)
{
    const struct mpt_event *event = mpt_window_event(sender.at);
    uint32_t word = event->word;

    if (mpt_stream_writer->room - mpt_stream_writer->at < 3 * MP_COMPACT_TOKEN_MAX)
        return false;
    sender.time = event->ticks;
    if (is_call(word)) {
        tell_call(word, event->ticks);
    } else if (is_task(word)) {
        tell_task(word, event->ticks);
    } else {
        if (word < MPT_WORD_TASK)
            sender.exception = (uint16_t)(word - MPT_WORD_EXCEPTION);
        sender.at++;
    }
    return true;
}

static uint16_t fill_window(uint8_t *payload)
{
    if (!mpt_window_is_kept())
        return 0;
    if (!mpt_window.is_sending)
        begin_window();
    begin_packet(payload);
    while (sender.at != mpt_window.end && tell_event())
        ;
    if (sender.at == mpt_window.end && mp_compact_window_end(mpt_stream_writer))
        mpt_window_is_sent();
    sender.was_window = true;
    return mp_compact_end(mpt_stream_writer, false);
}

uint16_t mpt_window_fill(uint8_t *payload)
{
    bool is_turn = !sender.was_window;
    uint16_t size = is_turn ? fill_window(payload) : 0;

    if (size)
        return size;
    sender.was_window = false;
    size = mpt_tree_fill(payload);
    return size || is_turn ? size : fill_window(payload);
}

#endif
