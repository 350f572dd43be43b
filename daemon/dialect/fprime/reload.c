/* reload.c - learns the reload value of the F-Prime profiler's down-counter. */
#include "dialect/fprime/reload.h"

enum {
    NEAR = 256,      /* within this part of a value is near to it */
    STEPS_LEAST = 4, /* fewer do not show how long pauses are */
    MUCH = 8,        /* pauses are not this many times longer than the longest step down */
    LATE = 64,       /* ticks after the wrap; hardly any code runs so soon */
    SEARCH = 1024,   /* periods that are tried */
    USUAL_SHARE = 4, /* at least one turn in this many begins at the top */
    SURE_SHARE = 2,  /* ... to be sure */
    MANY = 6,        /* this many turns that begin there are not a coincidence, */
    CHANCE = 512,    /* nor are three within this part of a step */
    TIGHT = 4096,    /* turns of one handler begin within this part of a value, and LATE */
    SETTLED = 8,     /* after this many turns, a reading larger than all of them is damage */
    ROUND_ZEROS = 3, /* a number with this many decimal zeros is round, */
    ROUND_BITS = 8,  /* and so is a power of two above this one */
};

void fprime_reload_open(struct fprime_reload *reload, uint32_t given, uint64_t clock_hz)
{
    *reload = (struct fprime_reload){
        .origin = given ? FPRIME_RELOAD_GIVEN : FPRIME_RELOAD_ASSUMED,
        .value = given ? given : FPRIME_RELOAD_USUAL,
        .clock_hz = clock_hz,
    };
}

void fprime_reload_restart(struct fprime_reload *reload)
{
    reload->begun = false;
}

static void count(uint32_t *counter)
{
    *counter += *counter != UINT32_MAX;
}

/* Returns the largest distance between turns that one handler begins. */
static uint32_t tight(uint32_t reading)
{
    return LATE + reading / TIGHT;
}

/* Counts the turns that begin at the largest reading. */
static void count_at_top(struct fprime_reload *reload, uint32_t reading)
{
    uint32_t top = reload->peaks[0];
    if (reading > top && reading - top > tight(reading))
        reload->at_top = 1;
    else if (reading > top || top - reading <= tight(top))
        count(&reload->at_top);
}

static void add_peak(struct fprime_reload *reload, uint32_t reading)
{
    count_at_top(reload, reading);
    for (int i = 0; i < FPRIME_PEAKS; i++)
        if (reading >= reload->peaks[i]) {
            uint32_t lower = reload->peaks[i];
            reload->peaks[i] = reading;
            reading = lower;
        }
}

/* Returns the distance between the largest first readings of `turns` turns; UINT32_MAX when there are too
 * few. */
static uint32_t spread(const struct fprime_reload *reload, int turns)
{
    return reload->peaks[turns - 1] ? reload->peaks[0] - reload->peaks[turns - 1] : UINT32_MAX;
}

static unsigned roundness(uint32_t number)
{
    unsigned zeros = 0;
    if ((number & (number - 1)) == 0 && number >> ROUND_BITS)
        return UINT8_MAX;
    for (; number % 10 == 0; number /= 10)
        zeros++;
    return zeros >= ROUND_ZEROS ? zeros : 0;
}

/* Returns the most likely period for the largest reading: one that divides the clock, else the roundest. */
static uint32_t period_of(const struct fprime_reload *reload)
{
    uint32_t least = reload->most + 1, best = least;
    uint32_t width = 2 * spread(reload, reload->peaks[2] ? 3 : 2) + LATE;
    unsigned best_roundness = 0;
    if (width > reload->most / NEAR)
        width = reload->most / NEAR;
    if (width > SEARCH)
        width = SEARCH;
    for (uint32_t period = least; period <= least + width && period <= FPRIME_RELOAD_MOST + 1u; period++) {
        if (reload->clock_hz && reload->clock_hz % period == 0)
            return period;
        if (roundness(period) > best_roundness) {
            best = period;
            best_roundness = roundness(period);
        }
    }
    return best;
}

static void judge(struct fprime_reload *reload)
{
    uint32_t usual = FPRIME_RELOAD_USUAL, near = reload->most / NEAR;
    uint32_t below = reload->most < usual ? usual - reload->most : 0;
    reload->origin = FPRIME_RELOAD_ASSUMED;
    reload->value = reload->most > usual ? reload->most : usual;
    if (reload->usual >= 2) {
        reload->origin = FPRIME_RELOAD_CONFIRMED;
    } else if (reload->turns && reload->steps >= STEPS_LEAST && below > reload->step_most) {
        reload->value = reload->most;
        bool is_usual = reload->at_top >= reload->turns / USUAL_SHARE;
        bool is_likely = spread(reload, 3) <= tight(reload->most) ||
                         (spread(reload, 2) <= tight(reload->most) && below / MUCH > reload->step_most);
        if (is_likely && is_usual && reload->most - reload->peaks[0] <= near) {
            reload->origin = FPRIME_RELOAD_LEARNT;
            reload->value = period_of(reload) - 1;
        }
    }
}

void fprime_reload_see(struct fprime_reload *reload, uint32_t reading)
{
    if (reload->origin == FPRIME_RELOAD_GIVEN)
        return;
    bool turned = !reload->begun || reading > reload->before;
    if (turned) {
        add_peak(reload, reading);
        if (reload->begun)
            count(&reload->turns);
    } else {
        count(&reload->steps);
        if (reload->before - reading > reload->step_most)
            reload->step_most = reload->before - reading;
    }
    if (reading >= FPRIME_RELOAD_USUAL - FPRIME_RELOAD_USUAL / NEAR)
        count(&reload->usual);
    bool is_most = reading > reload->most;
    if (is_most)
        reload->most = reading;
    reload->begun = true;
    reload->before = reading;
    if (turned || is_most || reload->origin == FPRIME_RELOAD_ASSUMED)
        judge(reload);
}

/* True when the value may be a coincidence: few turns began near it, or they did in code with short steps. */
static bool is_learnt_of_few(const struct fprime_reload *reload)
{
    if (reload->origin != FPRIME_RELOAD_LEARNT)
        return false;
    bool is_no_chance = reload->at_top >= MANY || (reload->at_top >= FPRIME_PEAKS &&
                                                   spread(reload, FPRIME_PEAKS) < reload->step_most / CHANCE);
    return !is_no_chance || reload->at_top < reload->turns / SURE_SHARE;
}

uint32_t fprime_reload_bound(const struct fprime_reload *reload)
{
    bool is_settled = reload->origin == FPRIME_RELOAD_LEARNT && reload->turns >= SETTLED;
    if (reload->origin == FPRIME_RELOAD_GIVEN)
        return reload->value;
    return is_settled && !is_learnt_of_few(reload) ? reload->value + reload->value / NEAR
                                                   : FPRIME_RELOAD_MOST;
}

bool fprime_reload_is_in_doubt(const struct fprime_reload *reload)
{
    return (reload->origin == FPRIME_RELOAD_ASSUMED || is_learnt_of_few(reload)) && reload->turns;
}
