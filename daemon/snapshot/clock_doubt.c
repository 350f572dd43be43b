/* clock_doubt.c - describes what is wrong with the target's clock. */
#include "snapshot/clock_doubt.h"

#include <stdio.h>

/* True when ticks arrive at the reported rate of the timer, but are read at a different rate. */
static bool is_rate_of_timer(const struct snapshot_target *target)
{
    double timer = (double)target->timer_hz;
    double real = target->clock.ratio * (double)target->ticks_per_second;
    return target->has_metadata && timer > 0 && target->timer_hz != target->ticks_per_second &&
           real > 0.9 * timer && real < 1.1 * timer;
}

bool snapshot_clock_doubt(const struct snapshot_target *target, char out[static CLOCK_DOUBT_SIZE])
{
    const struct snapshot_clock *clock = &target->clock;
    char ratio[32];
    *out = '\0';
    snprintf(ratio, sizeof ratio, "%.*f", clock->ratio >= 0.1 ? 2 : 5,
             clock->ratio < 1e12 ? clock->ratio : 1e12);
    if (clock->stands)
        snprintf(out, CLOCK_DOUBT_SIZE,
                 "The target's timer stands still: calls come, and their times do not grow; start the timer "
                 "that the agent reads (mpt_port_ticks), and check that it is enabled in this state of the "
                 "target.");
    else if (clock->is_told_to_stand)
        snprintf(out, CLOCK_DOUBT_SIZE,
                 "The target's timer stands still: the device says that its counter has not gone on since "
                 "mpt_init(); start the timer that the agent reads (mpt_port_ticks) before mpt_init().");
    else if (clock->is_off && is_rate_of_timer(target))
        snprintf(
            out, CLOCK_DOUBT_SIZE,
            "The target's timer runs at %s of this machine's clock, since times come in ticks of its timer "
            "and are read as %llu a second: use --dialect-opt time_unit=ticks.",
            ratio, (unsigned long long)target->ticks_per_second);
    else if (clock->is_off)
        snprintf(
            out, CLOCK_DOUBT_SIZE,
            "The target's timer runs at %s of this machine's clock, so a second is shown as %s s: correct "
            "the rate that METADATA reports, or check whether the timer stops in sleep or under a debugger; "
            "an emulator may be slow or fast.",
            ratio, ratio);
    return *out;
}
