/* examine_source.c - checks the source: whether it is open, what was received, whether that makes sense, and whether
 * a device answers. */
#include "doctor/examine.h"

#include <stdio.h>
#include <string.h>

/* Dialects without checksums find some records in any data, so they need more evidence. */
bool examine_makes_sense(const struct snapshot *snapshot)
{
    const struct snapshot_link *link = &snapshot->link;
    return snapshot->target.has_status || link->packets > 0 ||
           (link->records > 0 && link->bytes_skipped < link->bytes / 2);
}

static void report_closed(struct examination *examination, const struct snapshot_source *source)
{
    examine_say(examination, VERDICT_FAIL, "%s",
                *source->detail ? source->detail
                                : "The source could not be opened in time; check its address.");
}

bool examine_has_addresses(const struct snapshot *snapshot)
{
    if (snapshot_is_of_agent(&snapshot->source))
        return true;
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        if (snapshot->functions[i].kind == KIND_FUNCTION && snapshot->functions[i].has_address)
            return true;
    return false;
}

/* True while a daemon's session waits for the first answer. After a timeout the session reports that in `detail`. A
 * visit has already waited long enough. */
static bool awaits_first_answer(const struct examination *examination, const struct snapshot_source *source)
{
    return !examination->is_visit && source->state == STATE_CONNECTED && !source->listen_only &&
           snapshot_is_of_agent(source) && !*source->detail;
}

static void report_silent(struct examination *examination, const struct snapshot_source *source)
{
    if (awaits_first_answer(examination, source))
        examine_say(examination, VERDICT_WARN,
                    "%s is open, and nothing came yet; ask again in a few seconds.", source->port);
    else if (source->state == STATE_ENDED)
        examine_say(examination, VERDICT_FAIL, "%s is empty; record it again.", source->port);
    else if (source->listen_only && snapshot_is_of_agent(source))
        examine_say(
            examination, VERDICT_FAIL,
            "Not one byte came from %s; a device that does not profile says nothing by itself, so leave "
            "--no-control out.",
            source->port);
    else
        examine_say(examination, VERDICT_FAIL,
                    "Not one byte came from %s; is the device powered, its TX connected to this end's RX (RX "
                    "and TX may be swapped), its speed this one, and the agent started (mpt_init)?",
                    source->port);
}

/* Reports a firmware with another kind of checksum, before the first valid packet. */
static void report_checksums(struct examination *examination, const struct snapshot_link *link)
{
    if (link->big_endian_crc_hints > 0)
        examine_say(
            examination, VERDICT_FAIL,
            "%llu packets would be right with the bytes of their checksum swapped; the firmware has to "
            "send the low byte first.",
            (unsigned long long)link->big_endian_crc_hints);
    if (link->headerless_crc_hints > 0)
        examine_say(
            examination, VERDICT_FAIL,
            "%llu packets would be right if their checksum left the header out; the firmware has to begin "
            "it at the first byte of the header.",
            (unsigned long long)link->headerless_crc_hints);
}

static void report_senseless(struct examination *examination, const struct snapshot *snapshot)
{
    const struct snapshot_source *source = &snapshot->source;
    unsigned long long bytes = snapshot->link.bytes;
    if (source->looks_like)
        examine_say(
            examination, VERDICT_FAIL,
            "The %llu bytes that came make no sense as %s but look like %s; start miniprofd with --dialect "
            "%s.",
            bytes, source->dialect, source->looks_like, source->looks_like);
    else
        examine_say(examination, VERDICT_FAIL, "%llu bytes came. %s", bytes,
                    *source->detail && !*source->remark
                        ? source->detail
                        : "None of them make sense; check the speed of both ends and --dialect.");
}

static void report_answers(struct examination *examination, const struct snapshot *snapshot)
{
    const struct snapshot_source *source = &snapshot->source;
    if (!snapshot->target.has_status && awaits_first_answer(examination, source)) {
        examine_say(
            examination, VERDICT_WARN,
            "The device sends, and has not said yet whether it profiles; ask again in a few seconds.");
        return;
    }
    if (!snapshot->target.has_status) {
        examine_say(examination, VERDICT_WARN,
                    "The device sends but does not answer; check the wire to its RX, or use --no-control.");
        return;
    }
    /* What it said before may be no answer to what was asked now. */
    if (*source->detail && strcmp(source->detail, source->remark) != 0)
        examine_say(examination, VERDICT_WARN, "%s", source->detail);
    else
        examine_say(examination, VERDICT_OK, "The device answers, and %s.",
                    snapshot->target.profiling ? "profiles" : "waits to be started");
}

/* Reports the modem lines of an open port. Linux switches both on when it opens one. */
static void report_lines(struct examination *examination, const struct snapshot *snapshot)
{
    const struct snapshot_source *source = &snapshot->source;
    enum verdict verdict = snapshot->link.bytes > 0 ? VERDICT_OK : VERDICT_WARN;
    if (!source->has_lines || source->state != STATE_CONNECTED)
        return;
    if (source->dtr && source->rts)
        examine_say(examination, VERDICT_OK,
                    "DTR and RTS are on, as Linux sets them at each opening, and stay on when the port is "
                    "closed. A board that DTR resets (Arduino) is reset by the first opening only.");
    else if (!source->dtr && !source->rts)
        examine_say(examination, verdict,
                    "DTR and RTS are off. Boards with USB of their own (CDC ACM) often send nothing until "
                    "DTR is on; --dtr on switches it on.");
    else if (source->dtr)
        examine_say(examination, verdict,
                    "DTR is on and RTS is off. A board with the reset circuit of the ESP32 then starts its "
                    "boot loader at the next reset, and a sender that waits for RTS sends nothing; --rts on "
                    "ends both.");
    else
        examine_say(examination, verdict,
                    "DTR is off and RTS is on. A board with the reset circuit of the ESP32 is held in reset "
                    "by that, and boards with USB of their own (CDC ACM) often send nothing; --dtr on, or "
                    "--rts off as well, ends the reset.");
}

static void report_sense(struct examination *examination, const struct snapshot *snapshot)
{
    const struct snapshot_source *source = &snapshot->source;
    const struct snapshot_link *link = &snapshot->link;
    char packets[40] = "";
    if (link->has_packets)
        snprintf(packets, sizeof packets, " in %llu packet%s", (unsigned long long)link->packets,
                 link->packets == 1 ? "" : "s");
    examine_say(examination, VERDICT_OK, "%llu bytes came; they are %s: %llu record%s%s.",
                (unsigned long long)link->bytes, source->dialect, (unsigned long long)link->records,
                link->records == 1 ? "" : "s", packets);
    if (source->baud)
        examine_say(examination, VERDICT_OK, "They make sense at %u baud, so that is the speed of both ends.",
                    source->baud);
    if (source->state != STATE_ENDED && !source->listen_only)
        report_answers(examination, snapshot);
}

void examine_source(struct examination *examination, const struct snapshot *snapshot)
{
    const struct snapshot_source *source = &snapshot->source;
    bool is_open = source->state == STATE_CONNECTED || source->state == STATE_ENDED;
    if (!is_open)
        report_closed(examination, source);
    report_lines(examination, snapshot);
    if (is_open && *source->remark)
        examine_say(examination, VERDICT_WARN, "%s", source->remark);
    report_checksums(examination, &snapshot->link);
    if (examine_makes_sense(snapshot))
        report_sense(examination, snapshot);
    else if (is_open && snapshot->link.bytes == 0)
        report_silent(examination, source);
    else if (snapshot->link.bytes > 0)
        report_senseless(examination, snapshot);
}
