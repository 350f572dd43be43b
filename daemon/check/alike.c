/* alike.c - checks whether two profiles were measured in the same way. */
#include "check/alike.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

bool alike_agents(const struct measured *one, const struct measured *other)
{
    /* The device times its hooks at each start; interrupts, caches and other programs change the result. */
    static const double tolerance = 0.05, ticks = 2;
    if (!one->versions || !other->versions)
        return true;
    double apart = fabs(one->hook_ticks - other->hook_ticks);
    double most = fmax(ticks, tolerance * fmin(one->hook_ticks, other->hook_ticks));
    return one->versions == other->versions && apart <= most;
}

bool alike(const struct measured *before, const char *what, const struct measured *after,
           enum measured_figure figure, struct error *err)
{
    if (before->mode && after->mode && strcmp(before->mode, after->mode) != 0)
        return error_set(
            err,
            "The %s was measured in mode %.20s, and the new profile in mode %.20s, and what "
            "measuring costs differs; measure both with the same --mode: miniprofd --port SOURCE "
            "--elf FILE --mode %.20s --no-http --work FUNCTION=CALLS --export json=FILE, or give "
            "--allow mode.",
            what, before->mode, after->mode, before->mode);
    if (before->clock_hz && after->clock_hz && before->clock_hz != after->clock_hz)
        return error_set(err,
                         "The %s was measured at a clock of %" PRIu64 " Hz, and the new profile at %" PRIu64
                         " Hz; measure both at the same clock, or compare cycles with --allow clock.",
                         what, before->clock_hz, after->clock_hz);
    if (!alike_agents(before, after))
        return error_set(err,
                         "The %s was measured by another agent than the new profile (%.2f and %.2f ticks a "
                         "call), and what measuring costs differs; build both with one version of the agent, "
                         "or give --allow agent.",
                         what, before->hook_ticks, after->hook_ticks);
    return alike_settings(before, what, after, figure, err);
}
