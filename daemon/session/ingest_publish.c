/* ingest_publish.c - what the snapshot says about the source, the target and the link. */
#include "session/ingest.h"

#include "base/clock.h"

#include <stdio.h>

enum { ENOUGH_TO_JUDGE = 2048 }; /* bytes without one good packet */

/* What somebody who sees no data should know. */
static void describe(const struct ingest *ingest, const struct snapshot_link *link, char *out, size_t size)
{
    uint32_t baud = source_baud(ingest->source), wanted = ingest->baud_line;
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
        snprintf(out, size, "Mode %s is not to be had with this device; it profiles in mode %s.",
                 snapshot_mode_name(ingest->target.told.mode_wanted),
                 snapshot_mode_name(ingest->target.told.mode));
    else if (ingest->target.told.mode == MODE_TREE && ingest->device.crowded)
        snprintf(
            out, size,
            "The call tree has more nodes than the target has room for, so it counts each function by its "
            "callers: calls and own times are exact, the tree is estimated. A larger MPT_TREE_NODES keeps "
            "the tree.");
    else if (ingest->device.overloaded && ingest->target.told.mode == MODE_TREE)
        snprintf(out, size,
                 "The line could not carry the stream: more than 1 %% of the calls was lost, so the target "
                 "counts the call tree "
                 "itself now, exactly but with a timeline only around slow calls (--trigger). Mode stream "
                 "goes back.");
    else
        *out = '\0';
}

/* How the link does; the rates are of now. */
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
    if (baud > 0) /* 8N1: ten bits on the wire for each byte */
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

/* Copies the profile beside what is known of source, target and link. True when that went on the board; when
 * there is no memory for it, people get the next one. */
static bool post(struct ingest *ingest, const struct snapshot_link *link, uint64_t *took_ns)
{
    struct snapshot_source *source = &ingest->shown;
    struct snapshot_target target = ingest->target.told;
    source->state = ingest->connection.state;
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
    describe(ingest, link, source->detail, sizeof source->detail);

    uint64_t before_ns = clock_monotonic_ns();
    struct snapshot *snapshot = profile_freeze(ingest->profile, source, &target, link);
    *took_ns = clock_monotonic_ns() - before_ns;
    if (snapshot && ingest->ties.publishes)
        symbols_see(&ingest->symbols, snapshot);
    if (snapshot)
        board_post(ingest->ties.board, snapshot);
    return snapshot != NULL;
}

void ingest_publish(struct ingest *ingest, uint64_t now_ms, bool last)
{
    static struct log_gate gate;
    if (last)
        profile_finish(ingest->profile);
    else
        profile_tick(ingest->profile, now_ms);
    struct snapshot_link link = link_now(ingest, now_ms);
    uint64_t took_ns;
    if (!post(ingest, &link, &took_ns) && log_gate_open(&gate))
        log_write(LOG_ERROR, "Out of memory: this update is skipped.");
    ingest->changed = ingest->urgent = false;
    ingest_follow_limits(ingest); /* figures were judged just now */
    ingest->silent_shown = device_is_silent(&ingest->device);
    ingest->bytes_shown = link.bytes;
    beat_made(&ingest->beat, now_ms, took_ns);
}
