/* live.h - conditions that tests of a live session wait for, and orders that they give. */
#ifndef TESTS_SESSION_LIVE_H
#define TESTS_SESSION_LIVE_H

#include "bench.h"

static inline bool is_connected(const struct snapshot *s)
{
    return s->source.state == STATE_CONNECTED;
}

static inline bool has_twenty_rounds(const struct snapshot *s)
{
    return bench_calls_of(s, 0x1000) == 20;
}

static inline bool has_reset_and_profiles(const struct snapshot *s)
{
    return s->link.target_resets > 0 && bench_is_profiling(s);
}

/* Sends the command `code` to the device, as the page does; returns after its answer. */
static inline enum order_result command(struct bench *bench, uint8_t code)
{
    struct order order = {.kind = ORDER_COMMAND, .command = code};
    return mailbox_ask(session_mailbox(bench->session), &order);
}

#endif
