/* mpt_levels.h - follows nested interrupts by their events; not for applications.
 *
 * The calls of interrupts lie on the stack of the task that they interrupt, above its own. */
#ifndef MPT_LEVELS_H
#define MPT_LEVELS_H

#include "mpt_calls.h"

enum { MPT_LEVELS = 8 };

struct mpt_levels {
    uint8_t n;
    struct {
        uint16_t exception;
        uint16_t base; /* depth of the interrupted stack, on which the interrupt's calls lie */
    } level[MPT_LEVELS];
};

/* Returns the innermost interrupt's number, 0 when none runs. */
static inline uint16_t mpt_levels_exception(const struct mpt_levels *levels)
{
    return levels->n ? levels->level[levels->n - 1].exception : 0;
}

/* Ends the calls from depth `base` on. */
static inline void mpt_levels_cut(struct mpt_task *task, uint32_t base)
{
    struct mp_call_stack *calls = &task->calls;

    if (mp_call_stack_depth(calls) <= base)
        return;
    if (calls->unknown && (MPT_TASKS == 1 || base < (uint32_t)calls->low + calls->unknown))
        mp_call_stack_reset(calls, base);
    else
        calls->n = (uint16_t)(base - calls->unknown);
}

/* Ends the levels from `keep` on. Not inlined, which would take 200 bytes. */
static __attribute__((noinline, unused)) void mpt_levels_leave(struct mpt_levels *levels,
                                                               struct mpt_task *task, uint32_t keep)
{
    if (levels->n > keep) {
        mpt_levels_cut(task, levels->level[keep].base);
        levels->n = (uint8_t)keep;
    }
}

/* Code runs in that interrupt from here on; 0: in the task. Interrupts end without an event: those in which
 * no call runs are over when another one begins. */
static inline void mpt_levels_take(struct mpt_levels *levels, struct mpt_task *task, uint16_t exception)
{
    uint32_t at = exception ? levels->n : 0;

    while (at && levels->level[at - 1].exception != exception)
        at--;
    if (at || !exception) {
        mpt_levels_leave(levels, task, at);
        return;
    }
    uint32_t depth = mp_call_stack_depth(&task->calls);

    at = levels->n;
    while (at && depth <= levels->level[at - 1].base)
        at--;
    if (at < MPT_LEVELS) {
        levels->level[at].exception = exception;
        levels->level[at].base = (uint16_t)depth;
        levels->n = (uint8_t)(at + 1);
    }
}

/* Returns true when a call of any interrupt runs. */
static inline bool mpt_levels_have_calls(const struct mpt_levels *levels, const struct mpt_task *task)
{
    return levels->n && mp_call_stack_depth(&task->calls) > levels->level[0].base;
}

/* After the ring was frozen: interrupts that ran then have ended, since the reader runs in none. Without
 * tasks the ring sums up one stack for the task and its interrupts, which have separate ones on the wire. */
static inline void mpt_levels_split_gap(struct mpt_levels *levels, struct mpt_task *task, struct mpt_gap *gap)
{
#if MPT_TASKS == 1
    const struct mp_call_stack *calls = &task->calls;
    uint32_t base = levels->n ? levels->level[0].base : mp_call_stack_depth(calls);
    int32_t ended = (int32_t)(mp_call_stack_depth(calls) - base);
    uint32_t weight = 1;

    gap->sum *= mp_call_power(MP_CALL_WEIGHT, (uint32_t)ended);
    for (uint32_t i = base; i < calls->n && !calls->unknown; i++, weight *= MP_CALL_WEIGHT)
        gap->sum += calls->function[i] * weight;

    gap->net = (int16_t)(gap->net + ended);
    gap->lowest = (int16_t)(gap->lowest + ended < 0 ? gap->lowest + ended : 0);
#endif
    mpt_levels_leave(levels, task, 0);
}

/* Moves the calls of interrupts on top of those of another task. */
static inline void mpt_levels_move(struct mpt_levels *levels, struct mpt_task *from, struct mpt_task *to)
{
    uint32_t base = levels->level[0].base, depth = mp_call_stack_depth(&to->calls);
    bool are_known = base >= (uint32_t)from->calls.low + from->calls.unknown;

    if (!are_known)
        mp_call_stack_reset(&to->calls, depth + mp_call_stack_depth(&from->calls) - base);
    for (uint32_t i = base - from->calls.unknown; are_known && i < from->calls.n; i++) {
        int32_t index = mp_call_stack_enter(&to->calls, from->calls.function[i]);

        if (index >= 0)
            to->start[index] = from->start[i];
    }
    mpt_levels_cut(from, base);
    if (from->floor > from->calls.n)
        from->floor = from->calls.n;
    for (uint32_t i = 0; i < levels->n; i++)
        levels->level[i].base = (uint16_t)(levels->level[i].base - base + depth);
}

#endif
