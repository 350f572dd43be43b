/* mpt_window_run.c - begins and ends windows for mpt_poll(), and has their settings. */
#include "mpt.h"
#include "mpt_window.h"

/* It runs rarely. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("Os")
#endif

#if MPT_WINDOWS

#include "protocol/description.h"

enum { MODE_ASK = 3 };

/* ---- on and off; interrupts are locked out ---- */

static void begin_keeping(void)
{
    struct mpt_window *const w = &mpt_window;

    if (w->state == MPT_WINDOW_OFF) {
        for (uint32_t i = 0; i < MPT_TREE_CONTEXTS; i++)
            w->is_in_call[i] = false;
    }
    w->first = w->end;
    w->first_task = mpt_ring.task;
    w->first_exception = w->exception = (uint16_t)mpt_exception();
    w->state = MPT_WINDOW_KEEPING;
}

/* Leads hooks to the recorder, or no longer. */
static void lead_hooks(void)
{
    if (mpt_window.state == MPT_WINDOW_OFF)
        mpt_ring.head &= ~MPT_RING_WINDOW;
    else
        mpt_ring.head |= MPT_RING_WINDOW;
}

/* Applies the settings. */
static void settle_window(void)
{
    struct mpt_window *const w = &mpt_window;

    if (w->state == MPT_WINDOW_OFF && w->mode)
        begin_keeping();
    else if (w->state == MPT_WINDOW_KEEPING && !w->mode)
        w->state = MPT_WINDOW_OFF;
    lead_hooks();
}

void mpt_window_open(void)
{
    mpt_window.missed_since = mpt_window.missed_before = 0;
    for (uint32_t i = 0; i < MPT_TASKS; i++)
        mpt_window.is_new[i] = false;
    settle_window();
}

void mpt_window_close(void)
{
    mpt_window.state = MPT_WINDOW_OFF;
    mpt_window.is_sending = false;
    lead_hooks();
}

bool mpt_window_is_kept(void)
{
    struct mpt_window *const w = &mpt_window;
    uint32_t key = mpt_port_lock();

    if (w->state == MPT_WINDOW_TRIGGERED) {
        uint32_t newest = w->end == w->first ? w->triggered : mpt_window_event(w->end - 1)->ticks;

        if (mpt_window_now() - newest >= MPT_TICK_HZ)
            w->state = MPT_WINDOW_KEPT;
    }
    mpt_port_unlock(key);
    return w->state == MPT_WINDOW_KEPT;
}

void mpt_window_is_sent(void)
{
    uint32_t key = mpt_port_lock();

    mpt_window.is_sending = false;
    begin_keeping();
    settle_window();
    mpt_port_unlock(key);
}

/* ---- settings ---- */

static void set_mode(uint8_t mode)
{
    struct mpt_window *const w = &mpt_window;
    uint32_t key = mpt_port_lock();
    bool is_first = w->state == MPT_WINDOW_OFF;

    if (mode != MODE_ASK) {
        w->mode = mode;
    } else {
        if (is_first)
            begin_keeping();
        mpt_window_record(mpt_window_now(), MPT_WORD_TIME);
        (void)mpt_window_trigger(MP_WINDOW_ASKED, 0, 0, mpt_window_now(),
                                 is_first ? MPT_WINDOW_MOST_AFTER : mpt_window_events_after());
    }
    if (mpt_tree.is_on)
        settle_window();
    mpt_port_unlock(key);
}

static void set_function(uint32_t function)
{
    uint32_t key = mpt_port_lock();

    mpt_window.function = mpt_word_function(function);
    for (uint32_t i = 0; i < MPT_TREE_CONTEXTS; i++)
        mpt_window.is_in_call[i] = false;
    mpt_port_unlock(key);
}

bool mpt_window_configure(uint8_t key, uint32_t value)
{
    switch (key) {
    case MPT_CONFIG_WINDOW_FUNCTION: set_function(value); return true;
    case MPT_CONFIG_WINDOW_TICKS: mpt_window.ticks = value; return true;
    case MPT_CONFIG_WINDOW_AFTER:
        if (value > 100)
            return false;
        mpt_window.after_half = (int8_t)(value - 50);
        return true;
    case MPT_CONFIG_WINDOW:
        if (value > MODE_ASK || (value == MODE_ASK && !mpt_tree.is_on))
            return false;
        set_mode((uint8_t)value);
        return true;
    default: return false;
    }
}

uint32_t mpt_window_describe(uint8_t *out)
{
    const struct mpt_window *const w = &mpt_window;
    const struct mp_setting settings[MPT_WINDOW_SETTINGS] = {
        {MPT_CONFIG_WINDOW_FUNCTION, 0, UINT32_MAX, w->function, "window-function", "address", 0, 0},
        {MPT_CONFIG_WINDOW_TICKS, 0, UINT32_MAX, w->ticks, "window-ticks", "ticks", 0, 0},
        {MPT_CONFIG_WINDOW_AFTER, 0, 100, (uint32_t)(50 + w->after_half), "window-after", "%", 0, 0},
        {MPT_CONFIG_WINDOW, 0, MODE_ASK, w->mode, "window", "", 0, 0},
    };
    uint32_t at = 0;

    for (uint32_t i = 0; i < MPT_WINDOW_SETTINGS; i++)
        at += (uint32_t)mp_setting_encode(&settings[i], out + at);
    return at;
}

#endif
