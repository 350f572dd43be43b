/* timing.c - how long things take in a session. */
#include "session/timing.h"

static uint32_t chosen(uint32_t wanted_ms, uint32_t default_ms)
{
    return wanted_ms ? wanted_ms : default_ms;
}

struct session_timing session_timing_complete(const struct session_timing *wanted)
{
    return (struct session_timing){
        .update_ms = chosen(wanted->update_ms, 100),
        .answer_ms = chosen(wanted->answer_ms, 500),
        .describe_ms = chosen(wanted->describe_ms, 200),
        .status_ms = chosen(wanted->status_ms, 1000),
        .slow_ms = chosen(wanted->slow_ms, 2000),
        .retry_first_ms = chosen(wanted->retry_first_ms, 100),
        .retry_most_ms = chosen(wanted->retry_most_ms, 2000),
        .idle_ms = chosen(wanted->idle_ms, 50),
        .quiet_ms = chosen(wanted->quiet_ms, 250),
        .drain_most_ms = chosen(wanted->drain_most_ms, 2000),
        .gather_ms = chosen(wanted->gather_ms, 100),
        .elf_check_ms = chosen(wanted->elf_check_ms, 1000),
        .stuck_ms = chosen(wanted->stuck_ms, 5000),
        .record_flush_ms = chosen(wanted->record_flush_ms, 1000),
    };
}
