/* ingest_events.c - distributes the target's events: all to the profile, and those on device, target, symbols
 * and losses to the rest of the room. */
#include "session/ingest.h"

#include "base/clock.h"
#include "snapshot/blocks.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- settings ---- */

/* Only an armed trigger is reset without an order: DESCRIPTION does not have the values that the firmware was
 * built with, so `shortest` or `depth` may be intended. */

static void tell_window(const struct ingest *ingest)
{
    bool is_taken_back = ingest->device.control && !ingest->device.visits;
    if (is_taken_back && ingest->trigger.told.state == TRIGGER_OFF)
        log_write(LOG_INFO, "The device kept windows for a trigger of an earlier session, which makes short "
                            "calls take longer; that is taken back.");
    else if (!is_taken_back)
        log_write(LOG_WARNING, "The device keeps windows for a trigger, which makes short calls take several "
                               "times as long; measure without it to compare times.");
}

/* Appends to a text of `size` bytes, as far as it fits. */
__attribute__((format(printf, 3, 4))) static void add(char *text, size_t size, const char *format, ...)
{
    size_t n = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + n, size - n, format, args);
    va_end(args);
}

/* `words` are the settings with units and defaults, `usual` what resets them. */
static void warn_of_found_settings(const struct ingest *ingest, const char *words, const char *usual)
{
    if (ingest->device.control)
        log_write(
            LOG_WARNING,
            "The device was found with %s, so the profile is measured so. If the firmware does not want "
            "it, end this miniprofd and set it back with miniprofd device --port %s config%s.",
            words, ingest->shown.port, usual);
    else
        log_write(LOG_WARNING,
                  "The device profiles with %s; compare the profile only with those measured so.", words);
}

/* Logs, once each, settings that the device had and are not the defaults. */
static void ingest_tell_settings(struct ingest *ingest)
{
    const struct snapshot_description *description = &ingest->target.told.description;
    char words[400] = "", usual[200] = "";
    bool is_armed = false;
    for (uint32_t i = 0; i < description->setting_count && !ingest->device.visits; i++) {
        const struct snapshot_setting *setting = &description->settings[i];
        struct found_setting *row = found_settings_find(&ingest->device.settings, setting->key);
        struct snapshot_measured_setting told = {.value = setting->value};
        if (!row || row->is_changed || row->is_told ||
            !snapshot_setting_usual(setting->name, setting->least, setting->most, &told.usual))
            continue;
        row->is_told = true;
        is_armed |= row->is_window && told.value != told.usual;
        if (row->is_window || told.value == told.usual)
            continue;
        char one[sizeof told.name + sizeof told.unit + 48];
        told.has_usual = true;
        strcpy(told.name, setting->name);
        strcpy(told.unit, setting->unit);
        snapshot_measured_words(&told, one, sizeof one);
        add(words, sizeof words, "%s%s", *words ? ", " : "", one);
        add(usual, sizeof usual, " %s=%" PRIu32, setting->name, told.usual);
    }
    if ((*words || is_armed) && !log_gate_open(&ingest->settings_gate))
        return;
    if (*words)
        warn_of_found_settings(ingest, words, usual);
    if (is_armed)
        tell_window(ingest);
}

/* ---- events ---- */

/* Events that this room processes, besides the profile. */
enum {
    ALSO_OURS = 1 << EVENT_CLOCK | 1 << EVENT_TARGET | 1 << EVENT_STATUS | 1 << EVENT_DESCRIPTION |
                1 << EVENT_ANSWER | 1 << EVENT_LOST | 1 << EVENT_CLOSED | 1 << EVENT_RESET |
                1 << EVENT_OUTSIDE | 1 << EVENT_RECOUNT | 1 << EVENT_ROOM
};
/* Events that only packets of calls produce, in any mode. */
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
    /* A capture cannot be repeated: names of another build are better than none. */
    if (change == SYMBOLS_REPLACED && !source_is_finite(ingest->source)) {
        profile_discard(ingest->profile, BY_ELF);
        decoder_retell(ingest->decoder);
    }
    ingest->changed = true;
}

static void note_restart(struct ingest *ingest)
{
    if (log_gate_open(&ingest->restart_gate)) {
        log_write(LOG_INFO, "The target has restarted.");
        ingest->urgent = true;
    }
    ingest->restart_suspected = false;
    target_restart(&ingest->target);
    ingest->answers = (struct answers){0};
    loss_restart(&ingest->loss, decoder_records_sent(ingest->decoder));
}

/* True if input may be meant for another program: in a capture, or with listen-only, requests and orders are
 * unknown. */
static bool is_overheard(const struct ingest *ingest)
{
    return source_is_finite(ingest->source) || ingest->shown.listen_only;
}

/* Overheard METADATA may be an answer rather than a start: if it names the same program as before (perhaps at
 * another clock), or none was known. Then later records decide; without any, it has no effect. */
static bool may_be_an_answer(const struct ingest *ingest, const struct event *event)
{
    return event->kind == EVENT_TARGET && is_overheard(ingest) &&
           (!ingest->target.told.has_metadata || target_runs_the_same(&ingest->target, event));
}

/* True if overheard METADATA names another program than before: that has started, even if no event in between
 * showed it. */
static bool begins_another_program(const struct ingest *ingest, const struct event *event)
{
    return event->kind == EVENT_TARGET && is_overheard(ingest) && ingest->target.told.has_metadata &&
           !target_runs_the_same(&ingest->target, event);
}

/* A count that fell may be due to an overheard START. */
static bool may_be_a_start(const struct ingest *ingest, const struct event *event)
{
    return event->kind == EVENT_STATUS && is_overheard(ingest);
}

static void suspect_restart(struct ingest *ingest)
{
    ingest->restart_suspected = true;
    decoder_suspect_restart(ingest->decoder);
}

/* Called when records continue those before. */
static void trust_continued_records(struct ingest *ingest)
{
    ingest->restart_suspected = false;
    decoder_trust(ingest->decoder);
}

/* Logs doubts about the device, once each. */
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
                  "restarts are noticed by other signs. Update its agent.");
    ingest->urgent |= awaits != ingest->await_told || is_unsteady != ingest->boot_told;
    ingest->await_told = awaits;
    ingest->boot_told = is_unsteady;
}

/* The wanted mode may be unavailable. */
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
        log_write(LOG_WARNING, "Mode %s is not available with this device; it profiles in mode %s.",
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

/* Leaves the stream: it exceeds the line, or the target's ring. */
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

/* Leaves the tree: it exceeds the target's nodes. */
static void leave_tree(struct ingest *ingest, uint64_t now_ms)
{
    char room[TREE_ROOM_SIZE];
    device_crowded(&ingest->device, now_ms);
    log_write(LOG_WARNING,
              "More than 1 %% of the calls found no node in the target's call tree; it is asked to count "
              "functions by their callers instead. %s",
              snapshot_tree_room(&ingest->target.told.tree, room)
                  ? room
                  : "A larger MPT_TREE_NODES in the firmware keeps the tree.");
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

/* Called for events of packets of calls. */
static void hear_calls(struct ingest *ingest)
{
    device_hear_calls(&ingest->device);
    if (ingest->restart_suspected)
        trust_continued_records(ingest);
}

/* Adds the counts of a STATUS, of records or sums: if the device accepted our START, its mode decides. */
static void hear_counts(struct ingest *ingest, const struct event *event)
{
    enum mode mode = is_overheard(ingest) ? MODE_AUTO : device_mode(&ingest->device);
    bool counts_sums = mode == MODE_AUTO ? event->status.counts_sums : mode == MODE_TREE;
    loss_hear(&ingest->loss, ingest->target.told.records_captured, event->status.buffer_usage_percent,
              decoder_records_sent(ingest->decoder), counts_sums);
    if (mode != MODE_AUTO && !counts_sums)
        loss_confirm(&ingest->loss);
}

/* Discards earlier data, of a run that another program began. */
static void begin_own_run(struct ingest *ingest)
{
    ingest_clear(ingest);
    ingest->begins_own_run = true;
}

/* Processes a sign of a restart. */
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

static void receive_event(struct ingest *ingest, const struct event *event)
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
    if (event->kind == EVENT_CLOCK && event->clock.other_unit) /* perhaps of another mode, by another START */
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
    if (events[0].kind == EVENT_CALL) { /* then all are */
        hear_calls(ingest);
        profile_apply(ingest->profile, events, n);
        return;
    }
    size_t applied = 0;
    for (size_t i = 0; i < n; i++) {
        if (1u << events[i].kind & ALSO_OURS) {
            /* In order: an event may clear the profile of earlier ones. */
            if (i > applied)
                profile_apply(ingest->profile, events + applied, i - applied);
            applied = i;
            receive_event(ingest, &events[i]);
        } else if (events[i].flags & EVENT_KEPT) {
            device_hear_calls(&ingest->device); /* a window does not show its run */
        } else if (1u << events[i].kind & OF_CALLS) {
            hear_calls(ingest);
        }
    }
    profile_apply(ingest->profile, events + applied, n - applied); /* at least the last one */
}

/* ---- the dialect ---- */

/* Logs the detected dialect, once. Only framed dialects accept commands. */
static void tell_choice(struct ingest *ingest)
{
    const struct dialect *dialect = decoder_dialect(ingest->decoder);
    enum decoder_choice choice = decoder_choice(ingest->decoder);
    const char *port = ingest->shown.port;
    if (ingest->choice_told || choice == DECODER_NAMED || choice == DECODER_UNDECIDED)
        return;
    ingest->choice_told = ingest->urgent = true;
    ingest->shown.dialect = dialect->id;
    if (dialect->framing == DIALECT_RAW && ingest->device.control) {
        device_disconnect(&ingest->device);
        ingest->device.control = false;
        ingest->shown.listen_only = true;
    }
    if (choice == DECODER_SURE)
        log_write(LOG_INFO, "%s speaks %s, by the look of its first bytes.", port, dialect->id);
    else if (decoder_bytes(ingest->decoder) > 0 && !ingest->shown.disguise)
        log_write(LOG_WARNING,
                  "The first bytes of %s look like no dialect, so they are read as %s; if that is wrong, use "
                  "--dialect NAME.",
                  port, dialect->id);
}

static void tell_disguise(struct ingest *ingest)
{
    const char *sentence = ingest->examiner.sentence;
    if (sentence == ingest->shown.disguise)
        return;
    ingest->shown.disguise = sentence;
    ingest->urgent = true;
    if (sentence && log_gate_open(&ingest->disguise_gate))
        log_write(LOG_WARNING, "%s: %s%s", ingest->shown.port, sentence,
                  ingest->examiner.undo ? " It is read all the same." : "");
}

void ingest_tell_dialect(struct ingest *ingest)
{
    tell_disguise(ingest);
    const struct dialect *other = decoder_looks_like(ingest->decoder);
    if (!other)
        other = ingest->examiner.looks_like;
    const char *id = other ? other->id : NULL;
    tell_choice(ingest);
    if (id == ingest->shown.looks_like)
        return;
    ingest->shown.looks_like = id;
    ingest->urgent = true;
    if (other && log_gate_open(&ingest->dialect_gate))
        log_write(LOG_WARNING, "What %s sends makes no sense as %s but looks like %s; use --dialect %s.",
                  ingest->shown.port, ingest->shown.dialect, id, id);
}

/* ---- the rate of the port ---- */

/* The port follows the rate of the conversation with the device. */

static void tell_trouble(struct ingest *ingest)
{
    const char *trouble = device_baud_trouble(&ingest->device);
    if (strcmp(ingest->baud_trouble.text, trouble) == 0)
        return;
    error_set(&ingest->baud_trouble, "%s", trouble);
    ingest->urgent = true;
    if (*trouble)
        log_write(LOG_WARNING, "%s", trouble);
}

uint32_t ingest_open_baud(struct ingest *ingest)
{
    ingest->baud_line = source_baud(ingest->source) ? ingest->baud_home : 0;
    if (!ingest->baud_line && ingest->device.baud.most && ingest->device.control)
        log_write(LOG_INFO, "%s has no baud rate, so there is none to raise.", source_spec(ingest->source));
    return ingest->baud_line;
}

void ingest_follow_baud(struct ingest *ingest, uint64_t now_ms)
{
    uint32_t wanted = device_baud(&ingest->device);
    struct error why;
    if (wanted && wanted != ingest->baud_line) {
        ingest->urgent = true;
        bool good = source_set_baud(ingest->source, wanted, &why);
        if (good)
            log_write(LOG_INFO, "%s runs at %u baud", source_spec(ingest->source), wanted);
        else if (wanted != ingest->baud_home)
            device_baud_impossible(&ingest->device, &why, now_ms);
        if (good || wanted == ingest->baud_home) /* if even this one fails, the port is about to be lost */
            ingest->baud_line = wanted;
    }
    tell_trouble(ingest);
}

/* ---- the snapshot ---- */

/* Its data on source, target and link. */

enum { ENOUGH_TO_JUDGE = 2048 }; /* bytes without a valid packet */

/* Explains to the user why there is no data. */
static void describe_trouble(const struct ingest *ingest, const struct snapshot_link *link, char *out,
                             size_t size)
{
    uint32_t baud = source_baud(ingest->source), wanted = ingest->baud_line;
    char room[TREE_ROOM_SIZE];
    if (*ingest->connection.trouble.text)
        snprintf(out, size, "%s", ingest->connection.trouble.text);
    else if (*ingest->remark.text)
        snprintf(out, size, "%s", ingest->remark.text);
    else if (baud && baud != wanted)
        snprintf(out, size, "The driver of %s runs it at %u baud, not at %u; choose a speed it can have.",
                 ingest->shown.port, baud, wanted);
    else if (ingest->shown.disguise)
        snprintf(out, size, "%s", ingest->shown.disguise);
    else if (ingest->shown.looks_like)
        snprintf(out, size,
                 "What comes makes no sense as %s but looks like %s; start miniprofd with --dialect %s.",
                 ingest->shown.dialect, ingest->shown.looks_like, ingest->shown.looks_like);
    else if (link->bytes >= ENOUGH_TO_JUDGE && link->packets == 0 && link->records == 0)
        snprintf(out, size, "Bytes arrive, but none of them make sense; check %s--dialect.",
                 baud ? "--baud and " : "");
    else if (device_is_silent(&ingest->device) && link->bytes_per_second > 0)
        snprintf(out, size,
                 "The device sends but does not answer; check the wire to its RX, or use --no-control.");
    else if (device_is_silent(&ingest->device))
        snprintf(out, size, "The device does not answer; check its power, the wiring (RX and TX crossed)%s.",
                 baud ? " and --baud" : "");
    else if (*ingest->baud_trouble.text)
        snprintf(out, size, "%s", ingest->baud_trouble.text);
    else if (ingest->trigger.told.state == TRIGGER_FAILED)
        snprintf(out, size, "%s", ingest->trigger.told.detail);
    else if (device_awaits_description(&ingest->device))
        snprintf(out, size,
                 "The device does not say which modes it has, so it is not started; --mode calls starts it "
                 "without asking.");
    else if (mode_falls_back(ingest->target.told.mode, ingest->target.told.mode_wanted))
        snprintf(out, size, "Mode %s is not available with this device; it profiles in mode %s.",
                 snapshot_mode_name(ingest->target.told.mode_wanted),
                 snapshot_mode_name(ingest->target.told.mode));
    else if (ingest->target.told.mode == MODE_TREE && ingest->device.crowded)
        snprintf(
            out, size,
            "The call tree has more nodes than the target has room for, so it counts each function by its "
            "callers: calls and own times are exact, the tree is estimated. %s",
            snapshot_tree_room(&ingest->target.told.tree, room) ? room
                                                                : "A larger MPT_TREE_NODES keeps the tree.");
    else if (ingest->device.overloaded && ingest->target.told.mode == MODE_TREE)
        snprintf(
            out, size,
            "The line could not carry the stream: more than 1 %% of the calls was lost, so the target "
            "counts the call tree "
            "itself now, exactly but with a timeline only around slow calls (--trigger). Choose mode stream "
            "to go back.");
    else
        *out = '\0';
}

/* The present state and rates of the link. */
static struct snapshot_link link_now(struct ingest *ingest, uint64_t now_ms)
{
    struct snapshot_link link = {0};
    decoder_tell(ingest->decoder, &link);
    examiner_tell(&ingest->examiner, ingest->decoder, &link);
    throughput_update(&ingest->throughput, now_ms, link.bytes, link.records);
    link.bytes_per_second = ingest->throughput.bytes_per_second;
    link.calls_per_second = ingest->throughput.records_per_second;
    uint32_t baud = source_baud(ingest->source);
    link.has_line_use = baud > 0;
    if (baud > 0) /* 8N1: ten bits on the wire per byte */
        link.line_use_percent = link.bytes_per_second * 1000.0 / baud;
    link.records_lost = loss_total(&ingest->loss);
    link.records_lost_most = loss_most(&ingest->loss);
    link.bytes_dropped = ingest->dropped;
    link.reconnects = ingest->connection.reconnects;
    link.target_resets = ingest->target.restarts;
    link.damage = ingest->damage;
    link.records_without_time = ingest->clockline.untimed;
    return link;
}

/* Copies the profile and the data on source, target and link. Returns true if the snapshot was published;
 * without memory, the next one will be. */
static bool post_snapshot(struct ingest *ingest, const struct snapshot_link *link, struct beat_cost *cost)
{
    struct snapshot_source *source = &ingest->shown;
    struct snapshot_target target = ingest->target.told;
    source->state = ingest->connection.state;
    if (ingest->work.calls > 0)
        source->measurement.counted =
            profile_calls_of(ingest->profile, ingest->work.function, &ingest->work.row);
    source->baud = source_baud(ingest->source);
    source->baud_wanted = source->baud ? ingest->baud_line : ingest->baud_home;
    snprintf(source->remark, sizeof source->remark, "%s", ingest->remark.text);
    const struct source_lines lines = source_lines(ingest->source);
    source->has_lines = lines.known;
    source->dtr = lines.dtr;
    source->rts = lines.rts;
    snprintf(source->baud_problem, sizeof source->baud_problem, "%s", ingest->baud_trouble.text);
    source->provides = decoder_provides(ingest->decoder);
    symbols_tell(&ingest->symbols, source, &target);
    target.trigger = ingest->trigger.told;
    recording_tell(&ingest->recording, &source->recording);
    source->keeping = ingest->keeper.shown;
    describe_trouble(ingest, link, source->detail, sizeof source->detail);

    uint64_t before_ns = clock_monotonic_ns();
    struct snapshot *snapshot = profile_freeze(ingest->profile, source, &target, link);
    *cost = (struct beat_cost){.copy_ns = clock_monotonic_ns() - before_ns};
    if (!snapshot)
        return false;
    if (ingest->ties.publishes)
        symbols_see(&ingest->symbols, snapshot);
    const struct blocks_changes changes = blocks_changes(snapshot, snapshot->sequence - 1);
    cost->functions = changes.functions;
    cost->nodes = changes.nodes;
    board_post(ingest->ties.board, snapshot);
    return true;
}

void ingest_publish(struct ingest *ingest, uint64_t now_ms, bool last)
{
    if (last)
        profile_finish(ingest->profile);
    else
        profile_tick(ingest->profile, now_ms);
    struct snapshot_link link = link_now(ingest, now_ms);
    struct beat_cost cost;
    if (!post_snapshot(ingest, &link, &cost) && log_gate_open(&ingest->memory_gate))
        log_write(LOG_ERROR, "Out of memory: this update is skipped.");
    ingest->changed = ingest->urgent = false;
    ingest_follow_limits(ingest); /* figures were compared with limits just now */
    ingest->silent_shown = device_is_silent(&ingest->device);
    ingest->bytes_shown = link.bytes;
    beat_made(&ingest->beat, now_ms, &cost);
}
