/* schedule.c - decides when a round runs; the only part of the example that uses the agent.
 *
 * Paced: a round every N milliseconds, without end. Counted: exactly N rounds after each start of profiling
 * (or new N), as fast as the link takes their records, so that none is dropped. A host switches with
 * SET_CONFIG. */
#include "workload.h"

#include "board.h"
#include "counts.h"
#include "mpt.h"

enum { SENDING_MS = 20 }; /* a paced round waits at most this long for bytes that are being sent */
enum { IDLE_MS = 5 };     /* limits the delay of a round, and of a packet that is not full */

/* Twice the calls of a round, for interrupts that are requested from outside. */
enum { ROOM_FOR_ROUND = 2 * EXAMPLE_CALLS_PER_ROUND };

enum config_key {
    CONFIG_ROUNDS = MPT_CONFIG_APPLICATION, /* 0: paced; N: counted */
    CONFIG_PACE_MS,                         /* 1..60000 */
};

static struct {
    uint32_t rounds;
    uint32_t pace_ms;
    uint32_t rounds_done; /* since profiling was started */
    uint32_t last_ms;     /* when the latest paced round began */
    uint32_t drift;       /* all rounds ever run: determines the cost of a round */
    bool was_profiling;
} schedule;

static bool configure(uint8_t key, uint32_t value)
{
    switch (key) {
    case CONFIG_ROUNDS:
        schedule.rounds = value;
        schedule.rounds_done = 0;
        return true;
    case CONFIG_PACE_MS:
        if (value < 1 || value > 60000)
            return false;
        schedule.pace_ms = value;
        return true;
    default: return false;
    }
}

void schedule_open(int argc, char **argv)
{
    static struct mpt_target target = {.fw_version = "motor-demo 1.0", .configure = configure};

    board_open(argc, argv);
    schedule.rounds = board_rounds();
    schedule.pace_ms = board_pace_ms();
    target.clock_hz = board_clock_hz();
    target.text = board_text(&target.text_bytes);
    mpt_init(&target);
}

static bool counted_round_is_due(void)
{
    bool profiling = mpt_is_profiling();

    if (profiling && !schedule.was_profiling)
        schedule.rounds_done = 0;
    schedule.was_profiling = profiling;
    if (!profiling || schedule.rounds_done >= schedule.rounds || mpt_room() < ROOM_FOR_ROUND)
        return false;
    schedule.rounds_done++;
    return true;
}

__attribute__((weak)) bool board_is_sending(void)
{
    return false;
}

/* Waits for the line, since the time of an interrupt that sends counts for the function that it
 * interrupts. */
static bool paced_round_is_due(void)
{
    uint32_t now_ms = board_millis(), passed_ms = now_ms - schedule.last_ms;

    if (passed_ms < schedule.pace_ms || (passed_ms < schedule.pace_ms + SENDING_MS && board_is_sending()))
        return false;
    schedule.last_ms = now_ms;
    return true;
}

void schedule_wait(void)
{
    for (;;) {
        mpt_poll();
        if (schedule.rounds ? counted_round_is_due() : paced_round_is_due())
            break;
        board_idle(IDLE_MS);
    }
    schedule.drift++;
}

/* The cost follows a triangle of 512 rounds: about ten seconds at the default pace. */
void work_us(uint32_t us)
{
    uint32_t phase = schedule.drift % 512;
    uint32_t height = phase < 256 ? phase : 511 - phase;

    board_spin(us + us * height / 512);
}
