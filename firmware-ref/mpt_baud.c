/* mpt_baud.c - changes the rate of the line when the host asks for it.
 *
 * The rate of the start is home. Commands prove another rate. When none arrives, the host is gone or its
 * bytes are garbled; it will look for the target at home, so the line returns there. */
#include "mpt_baud.h"

#if MPT_BAUD

#include "mpt_ring.h"

/* SPEC.md section 14. */
#define TRIAL_TICKS ((uint32_t)(1ull * MPT_TICK_HZ))
#define AWAY_TICKS  ((uint32_t)(3ull * MPT_TICK_HZ))

_Static_assert(3ull * MPT_TICK_HZ < UINT32_MAX, "three seconds must fit 32 bits of ticks");

static struct {
    uint32_t home, now;
    uint32_t next;  /* the rate after the answer has left; 0: no change waits */
    uint32_t since; /* when the last command arrived, or the rate changed */
    bool is_trial;  /* no command has arrived since the change */
} line;

uint32_t mpt_baud(void)
{
    return line.now;
}

void mpt_baud_init(void)
{
    line.home = line.now = MPT_PORT_BAUD;
}

bool mpt_baud_wish(uint32_t baud)
{
    if (!line.now || baud < MPT_PORT_BAUD_LEAST || baud > MPT_PORT_BAUD_MOST || !mpt_port_has_baud(baud))
        return false;
    line.next = baud != line.now ? baud : 0;
    return true;
}

static void change_baud(uint32_t baud, bool is_trial)
{
    mpt_port_set_baud(baud);
    line.now = baud;
    line.next = 0;
    line.is_trial = is_trial;
}

/* The counter may be narrower than a second. */
static uint32_t ticks_now(void)
{
    mpt_ring_fill();
    return mpt_ring.now;
}

void mpt_baud_heard(void)
{
    line.is_trial = false;
    if (line.now != line.home)
        line.since = ticks_now();
}

bool mpt_baud_waits(void)
{
    if (line.next && mpt_port_is_sent()) {
        change_baud(line.next, true);
        line.since = ticks_now();
    }
    return line.next;
}

bool mpt_baud_is_quiet(void)
{
    if ((line.is_trial || line.now != line.home) &&
        ticks_now() - line.since >= (line.is_trial ? TRIAL_TICKS : AWAY_TICKS))
        change_baud(line.home, false);
    return line.is_trial;
}

#endif
