/* ingest_events.c - what the target says, and who has to know: the profile all of it, the rest of the room
 * what is about the device, the target, the symbols and the losses. */
#include "session/ingest.h"

#include "base/clock.h"

#include <assert.h>

/* The kinds of events that are not only for the profile. */
enum {
    ALSO_OURS = 1 << EVENT_CLOCK | 1 << EVENT_TARGET | 1 << EVENT_STATUS | 1 << EVENT_DESCRIPTION |
                1 << EVENT_ANSWER | 1 << EVENT_LOST | 1 << EVENT_CLOSED | 1 << EVENT_RESET |
                1 << EVENT_OUTSIDE | 1 << EVENT_RECOUNT
};
/* What only packets of calls say, whichever the mode. */
enum { OF_CALLS = 1 << EVENT_ENTER | 1 << EVENT_EXIT | 1 << EVENT_NODE | 1 << EVENT_ARC };
static_assert(EVENT_RESET < 32, "a kind of event must fit a bit of ALSO_OURS");

void ingest_clear(struct ingest *ingest)
{
    profile_clear(ingest->profile);
    decoder_retell(ingest->decoder);
    ingest->device.run.is_joined = false;
}

void ingest_follow_symbols(struct ingest *ingest, enum symbols_change change)
{
    if (change == SYMBOLS_SAME)
        return;
    profile_set_symbols(ingest->profile, ingest->symbols.current);
    trigger_rename(&ingest->trigger, ingest->symbols.current, ingest->symbols.name);
    ingest_watch(ingest);
    /* A capture cannot be had again: names of another build are better than nothing. */
    if (change == SYMBOLS_REPLACED && !source_is_finite(ingest->source)) {
        profile_discard(ingest->profile, BY_ELF);
        decoder_retell(ingest->decoder);
    }
    ingest->changed = true;
}

static void note_restart(struct ingest *ingest)
{
    if (log_gate_open(&ingest->restart_gate)) {
        log_write(LOG_INFO, "The target has started anew.");
        ingest->urgent = true;
    }
    ingest->restart_suspected = false;
    target_restart(&ingest->target);
    ingest->answers = (struct answers){0};
    loss_restart(&ingest->loss, decoder_records_sent(ingest->decoder));
}

/* What is heard may be said to somebody else: of a capture, or where only listened, the questions and orders
 * are not known. */
static bool is_overheard(const struct ingest *ingest)
{
    return source_is_finite(ingest->source) || ingest->shown.listen_only;
}

/* METADATA that is overheard may be an answer. Then it tells the program that it told before, if at another
 * clock, or none was told before, and what follows goes on. Without records to follow it means nothing at
 * all.
 */
static bool may_be_an_answer(const struct ingest *ingest, const struct event *event)
{
    return event->kind == EVENT_TARGET && is_overheard(ingest) &&
           (!ingest->target.told.has_metadata || target_runs_the_same(&ingest->target, event));
}

/* METADATA that is overheard tells another program than before: that has begun, though nothing came between.
 */
static bool begins_another_program(const struct ingest *ingest, const struct event *event)
{
    return event->kind == EVENT_TARGET && is_overheard(ingest) && ingest->target.told.has_metadata &&
           !target_runs_the_same(&ingest->target, event);
}

/* A count that fell may be that of a START which was overheard. */
static bool may_be_a_start(const struct ingest *ingest, const struct event *event)
{
    return event->kind == EVENT_STATUS && is_overheard(ingest);
}

static void suspect_restart(struct ingest *ingest)
{
    ingest->restart_suspected = true;
    decoder_suspect_restart(ingest->decoder);
}

/* Records came that continue those before. */
static void trust(struct ingest *ingest)
{
    ingest->restart_suspected = false;
    decoder_trust(ingest->decoder);
}

/* What the device leaves open, once each. */
static void follow_doubts(struct ingest *ingest)
{
    bool awaits = device_awaits_description(&ingest->device);
    bool is_unsteady = ingest->device.watch.boot_is_unsteady;
    if (awaits && !ingest->await_told)
        log_write(LOG_WARNING,
                  "The device does not say which modes it has, so it is not started, and is asked again. "
                  "--mode calls starts it without asking.");
    if (is_unsteady && !ingest->boot_told)
        log_write(LOG_WARNING,
                  "The device says each time that it is another start of its program; from now on "
                  "restarts are told by other signs. Update its agent.");
    ingest->urgent |= awaits != ingest->await_told || is_unsteady != ingest->boot_told;
    ingest->await_told = awaits;
    ingest->boot_told = is_unsteady;
}

/* What is wanted may not be to be had. */
void ingest_follow_mode(struct ingest *ingest)
{
    follow_doubts(ingest);
    enum mode mode = device_mode(&ingest->device), wanted = ingest->device.mode_wanted;
    struct snapshot_target *told = &ingest->target.told;
    bool is_joined = ingest->device.run.is_joined, joins = is_joined && !told->is_joined;
    ingest->urgent |= is_joined != told->is_joined;
    told->is_joined = is_joined;
    if (mode == told->mode)
        return;
    told->mode = mode;
    ingest->urgent = true;
    if (mode_falls_back(mode, wanted))
        log_write(LOG_WARNING, "Mode %s is not to be had with this device; it profiles in mode %s.",
                  snapshot_mode_name(wanted), snapshot_mode_name(mode));
    if (joins)
        log_write(LOG_INFO,
                  "The device profiles already, in mode %s, and goes on: %s. To begin a new run, "
                  "press Stop profiling and then Start profiling on the page, or use miniprofd device --at "
                  "ADDRESS stop, and "
                  "then start, with the address of this page.",
                  snapshot_mode_name(mode),
                  mode == MODE_TREE ? "its sums include what was counted before this session"
                                    : "calls that began before this session are shown without their begin");
}

/* The stream is more than the line carries, or the ring holds. */
static void leave_stream(struct ingest *ingest, uint64_t now_ms)
{
    device_overloaded(&ingest->device, now_ms);
    if (device_mode(&ingest->device) != MODE_STREAM)
        log_write(
            LOG_WARNING,
            "In the stream more than 1 %% of the calls was lost: the line is too slow, or the target's ring "
            "too "
            "small. The device is asked to count the call tree itself; --mode stream keeps the stream.");
}

/* The tree is more than the target has nodes for. */
static void leave_tree(struct ingest *ingest, uint64_t now_ms)
{
    device_crowded(&ingest->device, now_ms);
    log_write(LOG_WARNING, "More than 1 %% of the calls found no node in the target's call tree; it is asked "
                           "to count functions by their "
                           "callers instead. A larger MPT_TREE_NODES in the firmware keeps the tree.");
}

void ingest_judge_mode(struct ingest *ingest, uint64_t now_ms)
{
    enum mode mode = device_mode(&ingest->device);
    uint64_t came = decoder_records(ingest->decoder);
    bool is_tree = mode == MODE_TREE && !ingest->device.crowded;
    if (mode != ingest->overload_mode)
        ingest->overload = (struct overload){0};
    ingest->overload_mode = mode;
    if (mode == MODE_STREAM && overload_look(&ingest->overload, now_ms, ingest->records_rejected, came))
        leave_stream(ingest, now_ms);
    else if (is_tree && overload_look(&ingest->overload, now_ms, ingest->crowded, came - ingest->crowded))
        leave_tree(ingest, now_ms);
}

/* Something came that a packet of calls says. */
static void hear_calls(struct ingest *ingest)
{
    device_hear_calls(&ingest->device);
    if (ingest->restart_suspected)
        trust(ingest);
}

/* What the counts of a STATUS are: of a device that took our START, its mode says it. */
static void hear_counts(struct ingest *ingest, const struct event *event)
{
    enum mode mode = is_overheard(ingest) ? MODE_AUTO : device_mode(&ingest->device);
    bool counts_sums = mode == MODE_AUTO ? event->status.counts_sums : mode == MODE_TREE;
    loss_hear(&ingest->loss, ingest->target.told.records_captured, event->status.buffer_usage_percent,
              decoder_records_sent(ingest->decoder), counts_sums);
    if (mode != MODE_AUTO && !counts_sums)
        loss_confirm(&ingest->loss);
}

/* What came until now was of the run before, which somebody else began. */
static void begin_own_run(struct ingest *ingest)
{
    ingest_clear(ingest);
    ingest->begins_own_run = true;
}

/* What the event says of a restart. */
static void hear_restart(struct ingest *ingest, const struct event *event)
{
    if (may_be_an_answer(ingest, event)) {
        suspect_restart(ingest);
        return;
    }
    bool is_other = begins_another_program(ingest, event);
    bool awaits_own_run = device_awaits_own_run(&ingest->device) && ingest->device.run.is_foreign;
    bool has_restarted = device_hear(&ingest->device, event, clock_monotonic_ms());
    if (awaits_own_run && ingest->device.started)
        begin_own_run(ingest);
    if (is_other && !has_restarted)
        restart_watch_begin_anew(&ingest->device.watch);
    if (has_restarted && may_be_a_start(ingest, event)) {
        suspect_restart(ingest);
    } else if (has_restarted || is_other) {
        note_restart(ingest);
        decoder_restart(ingest->decoder);
    }
}

static void hear(struct ingest *ingest, const struct event *event)
{
    hear_restart(ingest, event);
    if (event->kind == EVENT_RESET && ingest->restart_suspected) {
        restart_watch_begin_anew(&ingest->device.watch);
        note_restart(ingest);
    }
    target_hear(&ingest->target, event);
    if (event->kind == EVENT_DESCRIPTION) {
        ingest_tell_settings(ingest);
        ingest_hear_counter(ingest, &event->description->run);
    }
    if (event->kind == EVENT_CLOCK)
        ingest_watch(ingest);
    if (event->kind == EVENT_CLOCK && event->clock.other_unit) /* maybe of another mode, by another START */
        loss_restart(&ingest->loss, decoder_records_sent(ingest->decoder));
    ingest_follow_mode(ingest);
    if (event->kind == EVENT_STATUS || event->kind == EVENT_TARGET)
        answers_hear(&ingest->answers, clock_monotonic_ns() / 1000);
    if (event->kind == EVENT_STATUS)
        hear_counts(ingest, event);
    if (event->kind == EVENT_RECOUNT)
        loss_hear_sums(&ingest->loss);
    if (event->kind == EVENT_OUTSIDE) {
        hear_calls(ingest);
        ingest->crowded += event->outside.other_calls;
    }
    if (event->kind == EVENT_LOST && !(event->flags & EVENT_KEPT)) { /* the tree counts what a window lacks */
        ingest->records_rejected += event->lost.records;
        loss_reject(&ingest->loss, event->lost.records);
    }
    if (event->kind == EVENT_TARGET)
        ingest_follow_symbols(ingest, symbols_hear(&ingest->symbols, &ingest->target.told));
}

void ingest_events(void *user, const struct event *events, size_t n)
{
    struct ingest *ingest = user;
    if (events[0].kind == EVENT_CALL) { /* so all are */
        hear_calls(ingest);
        profile_apply(ingest->profile, events, n);
        return;
    }
    size_t applied = 0;
    for (size_t i = 0; i < n; i++) {
        if (1u << events[i].kind & ALSO_OURS) {
            /* In their order: an event may have the profile cleared of what those before it said. */
            if (i > applied)
                profile_apply(ingest->profile, events + applied, i - applied);
            applied = i;
            hear(ingest, &events[i]);
        } else if (events[i].flags & EVENT_KEPT) {
            device_hear_calls(&ingest->device); /* of which run a window is, it does not say */
        } else if (1u << events[i].kind & OF_CALLS) {
            hear_calls(ingest);
        }
    }
    profile_apply(ingest->profile, events + applied, n - applied); /* the last one at least */
}
