/* ingest_clock.c - compares the target's clock with this machine's; findings are logged, and reported in each
 * snapshot. */
#include "session/ingest.h"

#include "base/clock.h"
#include "snapshot/clock_doubt.h"

#include <math.h>
#include <string.h>

/* The delay of a tick if nothing waits in the target, which sends when it polls, and is read late. */
enum { LATE_US = 200 * 1000, NETWORK_BYTES = 64 * 1024 };
#define LATE_MOST_US 1e15

/* Records that a target may buffer if it does not report the number. */
enum { RING_USUAL = 1024 };

/* A call takes at least this many processor cycles, measuring included. MCU_HZ_MOST stands for an unknown
 * clock. */
enum { CALL_CYCLES = 16, CROWD_LEAST = 8, UNDATED_CROWD = 1000 };
#define MCU_HZ_MOST UINT64_C(1000000000)

static uint64_t ring_calls(const struct snapshot_target *target)
{
    return target->description.is_known ? target->description.ring_calls : RING_USUAL;
}

/* The number of calls that may have been made in one tick and wait in the target. More of them, arriving over
 * seconds, show a timer that does not run. */
static uint64_t calls_in_a_tick(const struct snapshot_target *target)
{
    uint64_t mcu_hz = target->has_metadata && target->mcu_clock_hz ? target->mcu_clock_hz : MCU_HZ_MOST;
    uint64_t hz = target->ticks_per_second ? target->ticks_per_second : 1;
    return mcu_hz / hz / CALL_CYCLES;
}

static uint64_t crowd_limit(const struct snapshot_target *target)
{
    uint64_t calls = calls_in_a_tick(target);
    if (target->description.is_known && calls > ring_calls(target))
        calls = ring_calls(target);
    return CROWD_LEAST + calls;
}

/* The delay on the way to this machine: the last answer's. If answers are late, it is unknown. For a device
 * without answers, a network may buffer NETWORK_BYTES; a local port or socket is read soon. */
static double path_us(const struct ingest *ingest, const struct clock_use *use)
{
    if (answers_are_known(&ingest->answers, clock_monotonic_ns() / 1000))
        return (double)ingest->answers.took_us;
    if (!answers_are_none(&ingest->answers))
        return INFINITY;
    if (strncmp(ingest->shown.port, "tcp:", 4) != 0)
        return 0;
    return (double)NETWORK_BYTES * (double)use->us / (double)(use->bytes + 1);
}

/* The delay in the target. On a busy line, records may have waited there; growing delay makes its clock seem
 * slower. On a line that is idle half of the time, nothing waits. Trees are sent without waiting. */
static double wait_us(const struct ingest *ingest, const struct clock_use *use)
{
    const struct snapshot_target *target = &ingest->target.told;
    double baud = source_baud(ingest->source); /* ten bits per byte */
    bool is_idle = baud > 0 && (double)use->bytes * 1e6 < (double)use->us * baud / 10 / 2;
    if (is_idle || target->mode == MODE_TREE)
        return 0;
    double waiting = (double)ring_calls(target);
    if (target->has_status)
        waiting *= (target->buffer_usage_percent + 1) / 100.0;
    return waiting * (double)use->us / (double)(use->records + 1);
}

/* The longest delay of a tick, in microseconds. */
static uint64_t late_us(const struct ingest *ingest)
{
    const struct clock_use use = clockline_use(&ingest->clockline);
    double late = LATE_US + path_us(ingest, &use) + wait_us(ingest, &use);
    return late < LATE_MOST_US ? (uint64_t)late : (uint64_t)LATE_MOST_US;
}

/* Logs a finding, once. */
static void report_clock_doubt(struct ingest *ingest)
{
    char doubt[CLOCK_DOUBT_SIZE];
    ingest->urgent = true;
    if (snapshot_clock_doubt(&ingest->target.told, doubt) && log_gate_open(&ingest->clock_gate))
        log_write(LOG_WARNING, "%s", doubt);
}

void ingest_hear_counter(struct ingest *ingest, const struct event_run *run)
{
    struct snapshot_clock *shown = &ingest->target.told.clock;
    const struct link_clock *clock = decoder_clock(ingest->decoder);
    bool was_told = shown->is_told_to_stand;
    shown->is_told_to_stand = run->is_told && run->counter_stands;
    ingest->has_stood_at = clock && clock->is_known;
    ingest->stood_at = ingest->has_stood_at ? clock->newest : 0;
    if (shown->is_told_to_stand && !was_told)
        report_clock_doubt(ingest);
}

/* Updates the rate. Once reported wrong, it stays so until it is known to be right. */
static void follow_rate(struct ingest *ingest)
{
    struct snapshot_clock *shown = &ingest->target.told.clock;
    struct clock_rate rate = clockline_rate(&ingest->clockline, late_us(ingest));
    if (!rate.is_known)
        return;
    bool was_off = shown->is_off;
    shown->has_ratio = true;
    shown->ratio = rate.ratio;
    shown->is_off = was_off ? rate.ratio < 0.95 || rate.ratio > 1.05 : clock_rate_is_off(&rate);
    if (shown->is_off && !was_off)
        report_clock_doubt(ingest);
}

static void follow_assumption(struct ingest *ingest)
{
    const char *doubt = decoder_doubt(ingest->decoder);
    if (doubt && doubt != ingest->doubt_told)
        log_write(LOG_WARNING, "%s", doubt);
    if (doubt)
        ingest->doubt_told = doubt;
}

void ingest_pass_time(struct ingest *ingest, uint64_t arrival_us)
{
    enum { LONG_TICKS = 1 << 28, QUIET_US = 3000 * 1000 }; /* shorter times need not be passed on */
    if (arrival_us == SOURCE_ARRIVAL_UNKNOWN)
        return;
    if (arrival_us - ingest->clock_arrived_us > QUIET_US)
        answers_give_up(&ingest->answers);
    ingest->clock_arrived_us = arrival_us;
    uint64_t ticks = clockline_passed(&ingest->clockline, arrival_us);
    if (ticks >= LONG_TICKS)
        decoder_pass(ingest->decoder, ticks);
}

/* Notes damage between the previous newest tick and the present one, if bytes were skipped or dropped. */
static void follow_damage(struct ingest *ingest, uint64_t newest)
{
    uint64_t skipped = ingest->examiner.between + ingest->dropped + ingest->connection.reconnects;
    if (skipped != ingest->damage_skipped)
        snapshot_damage_add(&ingest->damage, ingest->damage_ticks, newest);
    ingest->damage_skipped = skipped;
    ingest->damage_ticks = newest;
}

void ingest_follow_clock(struct ingest *ingest, uint64_t arrival_us)
{
    enum { LOOK_US = 250 * 1000 };
    const struct link_clock *clock = decoder_clock(ingest->decoder);
    struct clockline *line = &ingest->clockline;
    struct snapshot_clock *shown = &ingest->target.told.clock;
    follow_assumption(ingest);
    if (!clock || !clock->is_known)
        return;
    follow_damage(ingest, clock->newest);
    uint64_t lines = line->lines;
    bool stood = line->stands || shown->is_told_to_stand;
    const struct clock_reading reading = {.arrival_us = arrival_us,
                                          .ticks = clock->newest,
                                          .same = clock->same,
                                          .lines = clock->lines,
                                          .hz = ingest->target.told.ticks_per_second,
                                          .rests = clock->rests,
                                          .bytes = examiner_bytes(&ingest->examiner, ingest->decoder),
                                          .records = decoder_records(ingest->decoder)};
    if (arrival_us == SOURCE_ARRIVAL_UNKNOWN)
        clockline_see_undated(line, &reading, UNDATED_CROWD * (1 + calls_in_a_tick(&ingest->target.told)));
    else
        clockline_see(line, &reading, crowd_limit(&ingest->target.told));
    if (line->lines != lines)
        *shown = (struct snapshot_clock){.is_told_to_stand = shown->is_told_to_stand};
    if (clock->newest > (ingest->has_stood_at ? ingest->stood_at : clock->first))
        shown->is_told_to_stand = false;
    shown->stands = line->stands;
    if (line->stands && !stood)
        report_clock_doubt(ingest);
    if (arrival_us == SOURCE_ARRIVAL_UNKNOWN || arrival_us - ingest->clock_looked_us < LOOK_US)
        return;
    ingest->clock_looked_us = arrival_us;
    follow_rate(ingest);
}
