/* examine_line.c - checks the line: its losses and load. */
#include "doctor/examine.h"

#include <string.h>

/* Above BUSY_PERCENT, calls will soon be lost. Above MOST_PERCENT, the line ignores its baud rate, as USB and pseudo
 * terminals do. */
enum { BUSY_PERCENT = 90, MOST_PERCENT = 120 };

#define SEND_LESS  "Use a faster line (--baud-max), --mode tree, or instrument less."
#define LOOK_AT_IT "Check ground and wiring, and that both ends have the same speed."
#define LOOK_AT_SERVER                                                                                       \
    LOOK_AT_IT " If the server speaks Telnet, use --port rfc2217:, since it sends each 0xFF twice."
#define GIVE_TIME  "Give this machine less to do beside miniprofd, or record and replay."
#define TELL_TASKS "Report each task switch to the agent (firmware-ref/README.md)."
#define CLOSE_IT   "Stop it once more, or end miniprofd with SIGINT, and wait until it has sent everything."

/* Fixes for accounts of losses that are not empty; NULL: none. */
static const char *const remedies[ACCOUNTS] = {
    [ACCOUNT_OVERFLOWS] = SEND_LESS,
    [ACCOUNT_RECORDS_LOST] = SEND_LESS,
    [ACCOUNT_PACKETS_BAD] = LOOK_AT_IT,
    [ACCOUNT_BYTES_LOST] = LOOK_AT_IT,
    [ACCOUNT_BYTES_DROPPED] = GIVE_TIME,
    [ACCOUNT_CALLS_OVERLAP] = TELL_TASKS,
    [ACCOUNT_TICKS_UNTOLD] = CLOSE_IT,
    [ACCOUNT_ROWS_UNTOLD] = CLOSE_IT,
    [ACCOUNT_RECORDS_UNTIMED] = "Start the timer before mpt_init().",
    [ACCOUNT_CALLS_MERGED] = "Build the agent with more MPT_TREE_NODES.",
};

/* Returns the fix for an account. A known cause of damaged bytes, reported elsewhere, replaces the general advice.
 * `room` is memory for a composed sentence. */
static const char *remedy_of(const struct snapshot *snapshot, enum ledger_account account,
                             char room[static TREE_ROOM_SIZE])
{
    const char *disguise = snapshot->source.disguise;
    bool is_damage = account == ACCOUNT_PACKETS_BAD || account == ACCOUNT_BYTES_LOST;
    if (account == ACCOUNT_CALLS_MERGED && snapshot_tree_room(&snapshot->target.tree, room))
        return room;
    if (account == ACCOUNT_BYTES_LOST && snapshot->ledger.booked[ACCOUNT_PACKETS_BAD] > 0)
        return NULL;
    if (is_damage && !disguise && strncmp(snapshot->source.port, "tcp:", 4) == 0)
        return LOOK_AT_SERVER;
    return is_damage && disguise ? disguise : remedies[account];
}

static void report_losses(struct examination *examination, const struct snapshot *snapshot)
{
    const struct ledger *ledger = &snapshot->ledger;
    char sentence[LEDGER_SENTENCE], others[LEDGER_REASONS_MAX][LEDGER_SENTENCE];
    struct ledger rest = *ledger; /* without the accounts: discarded data, and sums that disagree */
    for (int i = 0; i < ACCOUNTS; i++) {
        char room[TREE_ROOM_SIZE];
        const char *remedy = remedy_of(snapshot, (enum ledger_account)i, room);
        if (ledger_reason(ledger, (enum ledger_account)i, sentence))
            examine_say(examination, VERDICT_WARN, "%s%s%s", sentence, remedy ? " " : "",
                        remedy ? remedy : "");
        rest.booked[i] = 0;
    }
    size_t n = ledger_reasons(&rest, others, LEDGER_REASONS_MAX);
    for (size_t i = 0; i < n; i++)
        examine_say(examination, VERDICT_WARN, "%s", others[i]);
}

static void report_unknown(struct examination *examination, const struct snapshot_link *link)
{
    if (link->unsupported_version > 0)
        examine_say(
            examination, VERDICT_WARN,
            "%llu packets are of a version of the protocol that this miniprofd does not know; update it.",
            (unsigned long long)link->unsupported_version);
    if (link->unknown_types > 0)
        examine_say(examination, VERDICT_OK,
                    "%llu packets of types that miniprofd does not know were skipped.",
                    (unsigned long long)link->unknown_types);
}

static void report_use(struct examination *examination, const struct snapshot *snapshot)
{
    const struct snapshot_link *link = &snapshot->link;
    bool is_idle = snapshot->target.has_status && !snapshot->target.profiling;
    if (!link->has_line_use)
        return;
    if (link->line_use_percent > MOST_PERCENT)
        examine_say(examination, VERDICT_OK,
                    "More comes in than %u baud can carry: this port holds to no baud rate, so how full the "
                    "line is cannot be measured.",
                    snapshot->source.baud);
    else if (link->line_use_percent >= BUSY_PERCENT)
        examine_say(examination, VERDICT_WARN, "The line is used to %.0f %%, so calls may soon be lost. %s",
                    link->line_use_percent, SEND_LESS);
    else
        examine_say(examination, VERDICT_OK, "The line is used to %.0f %% of %u baud%s.",
                    link->line_use_percent, snapshot->source.baud,
                    is_idle ? "; the device does not profile now, and sends little" : "");
}

/* Reports a recording that ends within a packet, which is not damage. */
static void report_cut(struct examination *examination, const struct snapshot *snapshot)
{
    if (snapshot->link.bytes_cut > 0 && snapshot->source.state == STATE_ENDED)
        examine_say(examination, VERDICT_WARN,
                    "%s ends within a packet: what the last %llu bytes began is missing; if the end matters, "
                    "record again, and end miniprofd with SIGINT or --duration.",
                    snapshot->source.port, (unsigned long long)snapshot->link.bytes_cut);
}

void examine_line(struct examination *examination, const struct snapshot *snapshot)
{
    report_losses(examination, snapshot);
    report_cut(examination, snapshot);
    report_unknown(examination, &snapshot->link);
    report_use(examination, snapshot);
}
