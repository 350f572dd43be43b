/* window_truth.c - compares windows with the true events. */
#include "window_truth.h"

#include "mpt_ring.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { CONTEXTS = 8 };

struct truth truth;

static struct mp_follower follower;
static uint32_t heard; /* the event that was read last */

/* ---- what is true ---- */

/* Follows an event: an entry is the innermost call of its context; an exit ends the innermost of its function. */
static void follow(uint32_t at)
{
    struct truth_event *event = &truth.event[at];
    uint32_t *top = &truth.top[event->context], ended = *top;

    event->top = *top;
    if (event->is_enter) {
        *top = at + 1;
        return;
    }
    while (ended && truth.event[ended - 1].function != event->function)
        ended = truth.event[ended - 1].top;
    if (ended)
        *top = truth.event[ended - 1].top;
}

static void note(uint32_t function, bool is_enter, bool is_over)
{
    static uint32_t open[8], n;
    struct truth_event *event = &truth.event[truth.n];

    if (is_over) {
        truth.event[open[--n]].end = (uint32_t)sim.ticks;
        return;
    }
    cr_assert_lt(truth.n, TRUTH_EVENTS);
    *event = (struct truth_event){.function = function, .is_enter = is_enter, .begin = (uint32_t)sim.ticks};
    event->context =
        sim.exception ? MP_CONTEXT_INTERRUPT(sim.exception) : MP_CONTEXT_TASK((uint32_t)mpt_ring.task);
    cr_assert_lt(event->context, TRUTH_CONTEXTS);
    follow(truth.n);
    open[n++] = truth.n++;
}

/* Fills `calls` with those of a context before that event, outermost first; returns their number. */
static uint32_t calls_before(uint32_t at, uint32_t context, uint32_t calls[32])
{
    uint32_t n = 0, top;

    while (at < truth.n && truth.event[at].context != context)
        at++;
    top = at < truth.n ? truth.event[at].top : truth.top[context];
    for (uint32_t i = top; i; i = truth.event[i - 1].top)
        n++;
    cr_assert_lt(n, 32);
    for (uint32_t i = top, k = n; i; i = truth.event[i - 1].top)
        calls[--k] = truth.event[i - 1].function;
    return n;
}

/* The number of the first `n` events that began at that time or before. Events are in order of their begin. */
static uint32_t begun_by(uint32_t n, uint32_t time)
{
    uint32_t first = 0, base = truth.event[0].begin;

    while (first < n) {
        uint32_t middle = first + (n - first) / 2;

        if (truth.event[middle].begin - base <= time - base)
            first = middle + 1;
        else
            n = middle;
    }
    return first;
}

/* The entry or exit in that context around that time; truth.n when there was none. */
static uint32_t event_at(uint32_t context, bool is_enter, uint32_t time)
{
    /* Windows are read in their order. */
    uint32_t near = truth.window[truth.windows].events ? heard + 1000 : truth.n;

    for (uint32_t i = begun_by(near < truth.n ? near : truth.n, time); i-- > 0;) {
        const struct truth_event *event = &truth.event[i];

        if (event->context == context && event->is_enter == is_enter &&
            time - event->begin <= event->end - event->begin)
            return i;
    }
    return truth.n;
}

uint32_t truth_slow_calls(uint32_t function, uint32_t ticks, uint32_t from)
{
    uint32_t slow = 0;

    for (uint32_t i = from; i < truth.n; i++) {
        const struct truth_event *event = &truth.event[i];
        uint32_t calls[32], n, began = i;

        if (event->is_enter || event->function != function)
            continue;
        n = calls_before(i, event->context, calls);
        uint32_t running_calls = 0;
        for (uint32_t k = 0; k < n; k++)
            running_calls += calls[k] == function;
        if (running_calls != 1)
            continue;
        /* Its entry is the latest one before which no call of the function ran. */
        do {
            do
                began--;
            while (began > from && (truth.event[began].context != event->context ||
                                    truth.event[began].function != function || !truth.event[began].is_enter));
            n = calls_before(began, event->context, calls);
            running_calls = 0;
            for (uint32_t k = 0; k < n; k++)
                running_calls += calls[k] == function;
        } while (running_calls && began > from);
        if (truth.event[began].is_enter && truth.event[began].function == function &&
            truth.event[began].context == event->context)
            slow += event->begin - truth.event[began].begin > ticks;
    }
    return slow;
}

/* ---- what is sent ---- */

/* True when that call was running before the event. */
static bool is_running(const struct mp_step *step, uint32_t event)
{
    uint32_t calls[32], n = calls_before(event, step->context, calls);

    return step->depth < n && calls[step->depth] == step->function;
}

static void check_call(const struct mp_step *step)
{
    uint32_t calls[32], at = event_at(step->context, step->kind == MP_STEP_ENTER, (uint32_t)step->time);

    if (step->kind == MP_STEP_ENTER)
        cr_assert_eq(step->depth, calls_before(at, step->context, calls),
                     "window %u: a call of %x at depth %u", truth.windows, step->function, step->depth);
    else
        cr_assert(is_running(step, at));
}

/* In a context that does not run, a hook may be in the middle of its event. */
static void check_open(const struct mp_step *step)
{
    uint32_t next = 0;

    while (next < truth.n && (truth.event[next].context != step->context ||
                              (int32_t)(truth.event[next].end - (uint32_t)step->time) < 0))
        next++;
    bool is_open = is_running(step, next) ||
                   (next < truth.n && (int32_t)(truth.event[next].begin - (uint32_t)step->time) <= 0 &&
                    is_running(step, next + 1));

    cr_assert(is_open, "window %u: %x is sent as running at depth %u of context %u", truth.windows,
              step->function, step->depth, step->context);
}

static void take(void *user, const struct mp_step *step)
{
    struct told_window *window = &truth.window[truth.windows];

    switch (step->kind) {
    case MP_STEP_ENTER:
    case MP_STEP_EXIT:
        if (truth.is_depth_known)
            check_call(step);
        break;
    case MP_STEP_OPEN:
        check_open(step);
        window->opens++;
        break;
    case MP_STEP_WINDOW:
        window->why = step->why;
        window->function = step->function;
        window->ticks = step->ticks;
        window->triggered = (uint32_t)step->time + step->since;
        window->missed = step->missed;
        break;
    case MP_STEP_WINDOW_END: window->is_over = true; break;
    default: break;
    }
}

static void hear(const uint8_t *payload, size_t n)
{
    struct told_window *window = &truth.window[truth.windows];
    struct mp_compact_reader reader;
    struct mp_compact_event event;
    enum mp_compact_kind kind;

    cr_assert_lt(truth.windows, TRUTH_WINDOWS);
    cr_assert(mp_compact_open_packet(&reader, payload, n));
    cr_assert_eq(reader.number, window->events);
    window->packets++;
    while ((kind = mp_compact_next(&reader, &event)) > MP_COMPACT_END) {
        if (kind != MP_COMPACT_ENTER && kind != MP_COMPACT_EXIT)
            continue;
        heard = event_at(event.context, kind == MP_COMPACT_ENTER, event.time);
        cr_assert_lt(heard, truth.n, "nothing happened in context %u at %u", event.context, event.time);
        cr_assert_lt(window->events, TRUTH_WINDOW_EVENTS);
        window->event[window->events] = heard;
        window->time[window->events++] = event.time;
        cr_assert_eq(truth.event[heard].function, event.function);
    }
    cr_assert_eq(kind, MP_COMPACT_END);
    mp_follower_packet(&follower, payload, n);
    cr_assert_eq(follower.counters.malformed + follower.counters.late + follower.counters.lost_in_packets, 0);
    cr_assert_eq(follower.counters.time_jumps + follower.counters.unplaced, 0);
    if (truth.is_depth_known)
        cr_assert_eq(follower.counters.other_depths, 0, "window %u: a depth is not what calls add up to",
                     truth.windows);
    if (window->is_over)
        truth.windows++;
}

void truth_start(void)
{
    static struct mp_followed followed[CONTEXTS];
    static uint32_t functions[CONTEXTS][32];

    for (size_t i = 0; i < CONTEXTS; i++)
        followed[i] = (struct mp_followed){.stack = {.function = functions[i], .room = 32}};
    follower = (struct mp_follower){.step = take};
    mp_follower_init(&follower, followed, CONTEXTS);
    truth.is_depth_known = true;
    sim.note = note;
    sim.window = hear;
}

/* Asserts that it has all events between its first and its last. */
static void assert_one_stretch(const struct told_window *window)
{
    static uint8_t is_in[TRUTH_EVENTS];

    memset(is_in, 0, truth.n);
    for (uint32_t i = 0; i < window->events; i++) {
        cr_assert_eq(is_in[window->event[i]], 0, "an event is sent twice");
        is_in[window->event[i]] = 1;
        cr_assert(!i || window->time[i] - window->time[i - 1] < 1u << 31);
    }
    for (uint32_t i = 0; i < truth.n; i++) {
        const struct truth_event *event = &truth.event[i];

        if ((int32_t)(event->begin - window->time[0]) > 0 &&
            (int32_t)(event->end - window->time[window->events - 1]) < 0)
            cr_assert(is_in[i], "event %u, within the window, is not in it", i);
    }
}

/* True when it is the exit of an outermost call of the function that took as long as reported. */
static bool is_slow_exit(const struct told_window *window, uint32_t i)
{
    const struct truth_event *event = &truth.event[window->event[i]];
    uint32_t entry = event_at(event->context, true, window->triggered - window->ticks), calls[32];

    if (window->time[i] != window->triggered || event->is_enter || event->function != window->function ||
        entry == truth.n || truth.event[entry].function != window->function)
        return false;
    /* No call of the function ran when it began, and it is the call that ended here. */
    for (uint32_t n = calls_before(entry, event->context, calls); n; n--)
        if (calls[n - 1] == window->function)
            return false;
    uint32_t begun = 0;
    for (uint32_t n = calls_before(window->event[i], event->context, calls); n; n--)
        begun += calls[n - 1] == window->function;
    return begun == 1;
}

static void assert_trigger(const struct told_window *window)
{
    uint32_t at = 0;

    if (window->why == MP_WINDOW_ASKED) {
        cr_assert_eq(window->function + window->ticks, 0);
        return;
    }
    while (at < window->events && !is_slow_exit(window, at))
        at++;
    cr_assert_lt(at, window->events, "the exit of the slow call is not in the window");
}

void truth_assert_windows(void)
{
    for (uint32_t i = 0; i < truth.windows; i++) {
        cr_assert_gt(truth.window[i].packets, 0);
        if (truth.window[i].events)
            assert_one_stretch(&truth.window[i]);
        assert_trigger(&truth.window[i]);
    }
}
