/* carried_clock.c - converts the ticks of a dialect carried in packets to ticks of the link. */
#include "session/carried_clock.h"

#define TICKS_MOST (UINT64_C(1) << 62)

/* ---- the link's clock ---- */

static bool is_of_calls(const struct event *event)
{
    return 1u << event->kind & (1 << EVENT_CALL | 1 << EVENT_ENTER | 1 << EVENT_EXIT);
}

/* True if the event has a time of the link; `ticks` is then its latest. */
static bool tells_time(const struct event *event, uint64_t *ticks)
{
    *ticks = event->ticks + (event->kind == EVENT_CALL ? event->call.duration : 0);
    bool is_arc = event->kind == EVENT_ARC && event->flags & EVENT_BY_ENTRY; /* others have no time */
    return (is_of_calls(event) || event->kind == EVENT_SWITCH || event->kind == EVENT_NODE ||
            event->kind == EVENT_OUTSIDE || is_arc) &&
           !(event->flags & EVENT_KEPT) && *ticks <= TICKS_MOST;
}

static void see_clock(struct link_clock *clock, const struct event *event)
{
    if (event->kind == EVENT_CLOCK) {
        clock->lines += event->clock.other_unit || event->clock.ticks_per_second != clock->hz;
        clock->hz = event->clock.ticks_per_second;
    }
    clock->lines += event->kind == EVENT_RECOUNT;
}

/* Counts the calls that ended in a batch whose last time equals the previous newest. If its first time does,
 * too, all of the batch is at one tick. Not inlined and called last: it is rare, and would cost other batches
 * a few instructions. */
static __attribute__((noinline)) void count_same(struct link_clock *clock, const struct event *events,
                                                 size_t n)
{
    uint64_t exits = 0;
    bool are_calls = events[0].kind == EVENT_ENTER || events[0].kind == EVENT_EXIT;
    if (events[n - 1].kind == EVENT_CALL) {
        clock->same += n;
        return;
    }
    for (size_t i = 0; i < n && are_calls && events[0].ticks == clock->newest; i++)
        exits += events[i].kind == EVENT_EXIT;
    clock->same += exits > 0 ? exits : 1;
}

/* Not inlined, since it is called once. */
static __attribute__((noinline)) void begin_clock(struct link_clock *clock, const struct event *events)
{
    uint64_t ticks;
    while (!tells_time(events, &ticks))
        events++;
    clock->first = events->ticks;
    clock->is_known = true;
}

/* The last one in a batch that has a time has about the latest. Millions of events come in a
 * second. */
void link_clock_see(struct link_clock *clock, const struct event *events, size_t n)
{
    uint64_t ticks;
    size_t last = n;
    for (size_t i = 0; i < n && !is_of_calls(&events[0]); i++)
        see_clock(clock, &events[i]);
    while (last > 0 && !tells_time(&events[last - 1], &ticks))
        last--;
    if (last == 0)
        return;
    const struct event *event = &events[last - 1];
    bool is_first = !clock->is_known, is_newer = is_first || ticks > clock->newest;
    if (is_first)
        begin_clock(clock, events);
    if (is_newer)
        clock->newest = ticks;
    clock->rests = event->flags & EVENT_RESTS && event->kind != EVENT_CALL;
    if (is_newer || ticks < clock->newest)
        clock->same = 0;
    else
        count_same(clock, events, last);
}

/* ---- open calls ---- */

static struct carried_open *open_in(struct carried_clock *clock, uint32_t context)
{
    for (uint32_t i = 0; i < clock->open_n; i++)
        if (clock->open[i].context == context)
            return &clock->open[i];
    if (clock->open_n == CARRIED_CONTEXTS_MOST)
        return NULL;
    clock->open[clock->open_n] = (struct carried_open){.context = context};
    return &clock->open[clock->open_n++];
}

static void account_for_call(struct carried_clock *clock, const struct event *event)
{
    bool is_enter = event->kind == EVENT_ENTER;
    clock->is_unsure |= event->kind == EVENT_LOST;
    if (!is_enter && event->kind != EVENT_EXIT)
        return;
    struct carried_open *open = open_in(clock, event->context);
    if (!open)
        clock->is_unsure = true;
    else if (is_enter || open->depth > 0)
        open->depth += is_enter ? 1 : UINT32_MAX;
}

static bool is_open(const struct carried_clock *clock)
{
    for (uint32_t i = 0; i < clock->open_n; i++)
        if (clock->open[i].depth > 0)
            return true;
    return clock->is_unsure;
}

/* ---- placing ---- */

/* Converts `ticks` from one rate to another; unchanged if one is unknown. The result is at most TICKS_MOST,
 * whatever the target sends. */
static uint64_t scale_ticks(uint64_t ticks, uint64_t from_hz, uint64_t to_hz)
{
    unsigned __int128 wide = ticks;
    if (from_hz && to_hz)
        wide = wide * to_hz / from_hz;
    return wide < TICKS_MOST ? (uint64_t)wide : TICKS_MOST;
}

static uint64_t convert_own_ticks(const struct carried_clock *clock, uint64_t own)
{
    if (!clock->is_placed)
        return own;
    bool is_later = own >= clock->own;
    uint64_t far =
        scale_ticks(is_later ? own - clock->own : clock->own - own, clock->placed_hz, clock->placed_link);
    if (!is_later)
        return far < clock->link ? clock->link - far : 0;
    return far < TICKS_MOST - clock->link ? clock->link + far : TICKS_MOST;
}

static bool has_rates(const struct carried_clock *clock, const struct link_clock *link, uint64_t hz)
{
    return !clock->is_due && clock->is_placed && clock->placed_hz == hz && clock->placed_link == link->hz;
}

bool carried_clock_is_due(const struct carried_clock *clock, const struct link_clock *link)
{
    return link->is_known && !is_open(clock) && !has_rates(clock, link, clock->hz);
}

void carried_clock_place(struct carried_clock *clock, const struct link_clock *link, uint64_t own,
                         uint64_t hz)
{
    if (clock->is_told && !clock->is_placed && link->newest <= own)
        return;
    clock->is_due = false;
    clock->is_placed = true;
    clock->own = own;
    clock->link = link->newest;
    clock->placed_hz = hz;
    clock->placed_link = link->hz;
}

void carried_clock_convert(struct carried_clock *clock, struct event *event)
{
    account_for_call(clock, event);
    switch (event->kind) {
    case EVENT_CLOCK: clock->hz = event->clock.ticks_per_second; break;
    case EVENT_ENTER:
    case EVENT_EXIT:
    case EVENT_MARK:
    case EVENT_AVERAGE:
    case EVENT_TEXT:
        event->ticks = convert_own_ticks(clock, event->ticks);
        clock->is_told = true;
        break;
    default: break;
    }
}

void carried_clock_reset(struct carried_clock *clock)
{
    clock->open_n = 0;
    clock->is_unsure = false;
    clock->is_due = true;
}
