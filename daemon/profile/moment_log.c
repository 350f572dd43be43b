/* moment_log.c - events besides calls: gaps and markers.
 *
 * Records arrive in the order in which calls end. So calls missing between two records ended between the ends
 * of these: that stretch is the gap. When the lost calls began and ended exactly is unknown. */
#include "profile/moment_log.h"

#include "base/scarcity.h"

#include <stdlib.h>
#include <string.h>

void moments_init(struct moments *moments)
{
    *moments = (struct moments){.gaps.limit = MOMENTS_GAPS_MAX,
                                .markers.limit = MOMENTS_MARKERS_MAX,
                                .checkpoints.limit = MOMENTS_CHECKPOINTS_MAX};
}

void moments_fini(struct moments *moments)
{
    free(moments->gaps.rows);
    free(moments->markers.rows);
    free(moments->checkpoints.rows);
}

void moments_clear(struct moments *moments)
{
    moments->gaps.count = moments->markers.count = moments->checkpoints.count = 0;
    moments->newest_ticks = moments->first_ticks = 0;
    moments->has_newest = moments->gap_open = moments->gap_waits = false;
    moments->status_ticks = moments->unknown_losses = moments->early_losses = 0;
}

static void add_moment(struct moments_ring *ring, const struct moment *moment)
{
    if (!ring->rows)
        ring->rows = scarcity_watch(malloc(ring->limit * sizeof *ring->rows));
    if (!ring->rows)
        return;
    if (ring->count == ring->limit) {
        ring->first = (ring->first + 1) % ring->limit;
        ring->count--;
    }
    ring->rows[(ring->first + ring->count++) % ring->limit] = *moment;
}

static struct moment *newest_of(struct moments_ring *ring)
{
    return ring->count > 0 ? &ring->rows[(ring->first + ring->count - 1) % ring->limit] : NULL;
}

void moments_lose(struct moments *moments, uint64_t records)
{
    struct moment *gap = newest_of(&moments->gaps);
    if (!moments->has_newest)
        return;
    if (moments->gap_open && gap) { /* the sum is only known if all are */
        gap->count = gap->count && records ? gap->count + records : 0;
        return;
    }
    moments->gap_open = true;
    add_moment(&moments->gaps, &(struct moment){.from_ticks = moments->newest_ticks,
                                                .to_ticks = moments->newest_ticks,
                                                .count = records});
}

void moments_gap(struct moments *moments, uint64_t from_ticks, uint64_t to_ticks, uint64_t records)
{
    if (!moments->gap_open)
        add_moment(&moments->gaps,
                   &(struct moment){.from_ticks = from_ticks, .to_ticks = to_ticks, .count = records});
}

static void end_gap(struct moments *moments)
{
    struct moment *gap = newest_of(&moments->gaps);
    moments->gap_open = moments->gap_waits;
    if (gap)
        gap->to_ticks = moments->newest_ticks;
}

static void place_acts(struct moments *moments)
{
    moments->act_due = false;
    for (int kind = 0; kind < MARKER_KINDS; kind++) {
        struct moment *act = &moments->due[kind];
        if (act->count > 0) {
            act->from_ticks = act->to_ticks = moments->newest_ticks;
            add_moment(&moments->markers, act);
        }
        *act = (struct moment){0};
    }
}

void moments_reach(struct moments *moments)
{
    if (moments->gap_open)
        end_gap(moments);
    if (moments->act_due)
        place_acts(moments);
}

void moments_act(struct moments *moments, enum snapshot_marker_kind kind, uint64_t calls)
{
    struct moment *due = &moments->due[kind];
    *due = (struct moment){.kind = kind, .count = due->count + 1, .calls = due->calls + calls};
    moments->act_due = true;
    if (moments->has_newest && kind != MARKER_START)
        place_acts(moments);
}

void moments_hear_profiling(struct moments *moments, bool is_on, uint64_t running)
{
    if (is_on && moments->profiling == PROFILING_OFF) {
        moments_act(moments, MARKER_START, 0);
        moments->run_marked = true;
    } else if (!is_on && moments->profiling == PROFILING_ON) {
        moments_act(moments, MARKER_STOP, running);
    }
    moments->profiling = is_on ? PROFILING_ON : PROFILING_OFF;
}

void moments_begin_run(struct moments *moments)
{
    if (!moments->run_marked && (moments->had_run || moments->profiling == PROFILING_OFF))
        moments_act(moments, MARKER_START, 0);
    moments->unknown_losses -= moments->early_losses;
    moments->early_losses = 0;
    moments->run_marked = false;
    moments->had_run = true;
    moments->profiling = PROFILING_ON;
}

void moments_mark(struct moments *moments, enum snapshot_marker_kind kind, uint64_t count)
{
    if (moments->has_newest)
        add_moment(&moments->markers, &(struct moment){.from_ticks = moments->newest_ticks,
                                                       .to_ticks = moments->newest_ticks,
                                                       .count = count,
                                                       .kind = kind});
}

void moments_checkpoint(struct moments *moments, const struct event *event, const char *name)
{
    add_moment(&moments->checkpoints, &(struct moment){.from_ticks = event->ticks,
                                                       .to_ticks = event->ticks,
                                                       .count = 1,
                                                       .name = name,
                                                       .topic = event->mark.topic,
                                                       .checkpoint = event->mark.checkpoint,
                                                       .kind = MARKER_CHECKPOINT});
}

void moments_restart(struct moments *moments)
{
    if (moments->gap_waits) {
        moments->gap_waits = false;
        end_gap(moments);
    }
    moments->has_overflows = false;
    moments->overflows_from_0 = true;
    moments->profiling = PROFILING_OFF;
    moments->had_run = moments->run_marked = false;
    moments_mark(moments, MARKER_RESET, 1);
}

/* Records overflows. The lost records ended after what had arrived by the last STATUS, and before what was
 * captured after this one. */
static void lose_unknown(struct moments *moments, uint64_t times)
{
    moments->unknown_losses += times;
    moments->early_losses += moments->has_newest ? 0 : times;
    moments_lose(moments, 0);
    struct moment *gap = moments->gap_open ? newest_of(&moments->gaps) : NULL;
    if (gap && moments->status_ticks > 0 && moments->status_ticks < gap->from_ticks)
        gap->from_ticks = moments->status_ticks;
}

bool moments_hear_overflows(struct moments *moments, uint32_t overflows, bool waits)
{
    bool within = moments->has_overflows || moments->overflows_from_0 || moments->has_newest;
    uint32_t before = moments->has_overflows ? moments->last_overflows : 0;
    uint32_t more = within ? overflows - before : waits && overflows > 0;
    if (more >= UINT32_C(1) << 31) /* it decreased: the target restarted, which is detected elsewhere */
        more = 0;
    if (more > 0 && moments->has_overflows)
        moments_mark(moments, MARKER_OVERFLOW, more);
    moments->has_overflows = true;
    moments->last_overflows = overflows;
    if (more > 0)
        lose_unknown(moments, more);
    moments->gap_waits = waits && moments->gap_open;
    moments->status_ticks = moments->has_newest ? moments->newest_ticks : 0;
    return more > 0;
}

static struct moment *copy_moments(struct moment *to, const struct moments_ring *ring)
{
    for (uint32_t i = 0; i < ring->count; i++)
        *to++ = ring->rows[(ring->first + i) % ring->limit];
    return to;
}

struct snapshot_moments *moments_freeze(const struct moments *moments)
{
    size_t n = (size_t)moments->gaps.count + moments->markers.count + moments->checkpoints.count;
    struct snapshot_moments *frozen = malloc(sizeof *frozen + n * sizeof frozen->rows[0]);
    if (!frozen)
        return NULL;
    frozen->gap_count = moments->gaps.count;
    frozen->marker_count = moments->markers.count;
    frozen->checkpoint_count = moments->checkpoints.count;
    frozen->first_ticks = moments->first_ticks;
    copy_moments(copy_moments(copy_moments(frozen->rows, &moments->gaps), &moments->markers),
                 &moments->checkpoints);
    return frozen;
}
