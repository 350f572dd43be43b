/* timing.c - the delays and timeouts of a session. */
#include "session/timing.h"

static uint32_t wanted_or_default_ms(uint32_t wanted_ms, uint32_t default_ms)
{
    return wanted_ms ? wanted_ms : default_ms;
}

struct session_timing session_timing_complete(const struct session_timing *wanted)
{
    return (struct session_timing){
        .update_ms = wanted_or_default_ms(wanted->update_ms, 100),
        .answer_ms = wanted_or_default_ms(wanted->answer_ms, 500),
        .describe_ms = wanted_or_default_ms(wanted->describe_ms, 200),
        .status_ms = wanted_or_default_ms(wanted->status_ms, 1000),
        .slow_ms = wanted_or_default_ms(wanted->slow_ms, 2000),
        .retry_first_ms = wanted_or_default_ms(wanted->retry_first_ms, 100),
        .retry_most_ms = wanted_or_default_ms(wanted->retry_most_ms, 2000),
        .idle_ms = wanted_or_default_ms(wanted->idle_ms, 50),
        .quiet_ms = wanted_or_default_ms(wanted->quiet_ms, 250),
        .drain_most_ms = wanted_or_default_ms(wanted->drain_most_ms, 2000),
        .gather_ms = wanted_or_default_ms(wanted->gather_ms, 100),
        .elf_check_ms = wanted_or_default_ms(wanted->elf_check_ms, 1000),
        .stuck_ms = wanted_or_default_ms(wanted->stuck_ms, 5000),
        .record_flush_ms = wanted_or_default_ms(wanted->record_flush_ms, 1000),
    };
}
