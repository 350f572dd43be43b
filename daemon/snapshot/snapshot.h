/* snapshot.h - the second waist: the sums of the profile at one moment, frozen.
 *
 * A snapshot never changes after profile_freeze() made it, any thread may read it, and the holder of a
 * reference keeps it and all that it points to alive. Ticks are still ticks here; all text is valid UTF-8.
 *
 * The number of rows only grows, and rows keep their index until the profile is cleared. Each row has the
 * sequence number at which it last changed. So the changes since a sequence S >= cleared_at are the rows with
 * changed > S. That is the whole delta protocol. */
#ifndef SNAPSHOT_SNAPSHOT_H
#define SNAPSHOT_SNAPSHOT_H

#include "base/elf_list.h"
#include "event.h"
#include "ledger/ledger.h"
#include "snapshot/bound_rows.h"
#include "snapshot/damage.h"
#include "snapshot/target_description.h"
#include "snapshot/kept.h"
#include "snapshot/measured_with.h"
#include "snapshot/measurement.h"
#include "snapshot/trigger.h"

/* State of the source: being opened, open, lost and being retried, at its end. */
enum snapshot_state { STATE_CONNECTING, STATE_CONNECTED, STATE_LOST, STATE_ENDED };

/* State of the user's ELF. READING and UNREADABLE: the file has changed, and names are still those of the old
 * file. */
enum snapshot_elf { ELF_NONE, ELF_OK, ELF_NO_SYMBOLS, ELF_UNREADABLE, ELF_READING };

/* The recording that the daemon writes. */
struct snapshot_recording {
    char path[512];      /* "" when there is none */
    uint64_t bytes;      /* written so far */
    uint64_t bytes_lost; /* dropped because the disk was too slow */
    uint64_t since_wall_ns;
    char failure[512]; /* why it ended early, as a sentence; "" when it did not */
};

/* Where the data comes from. The session fills this in. */
struct snapshot_source {
    char port[256];         /* as the user wrote it */
    const char *dialect;    /* id, static; "auto" until it is detected */
    const char *looks_like; /* id, static: the dialect that unreadable bytes look like; NULL when none */
    const char *disguise; /* what garbled the bytes on their way, as a sentence, static; NULL when unknown */
    uint32_t provides;    /* enum provides bits */
    uint32_t baud;        /* bits per second as read back from the driver; 0 when the source has none */
    uint32_t baud_wanted; /* requested by the user, or agreed upon with the target */
    char baud_problem[512]; /* why `baud` is not the rate that the user wants, as a sentence; "" when it is */
    char remark[512];       /* what is wrong at the source although bytes arrive, as a sentence; or "" */
    bool has_lines, dtr, rts; /* has_lines: the port's modem lines are known; dtr, rts: on */
    enum snapshot_state state;
    bool listen_only; /* nothing is sent to the device */
    struct snapshot_measurement measurement;
    uint64_t recorded_wall_ns; /* of a file: when it was last modified; 0: the data is live */
    char detail[512];          /* the state as a sentence, or "" */
    enum snapshot_elf elf_state;
    char elf_path[ELF_PATH_SIZE];      /* of the first file; "" when none was given */
    char elf_name[ELF_LIST_NAME_SIZE]; /* all, as the user gave them: "boot.elf and app.elf@0x10000"; or "" */
    uint8_t elf_count;                 /* number of files */
    char elf_failure[512];             /* UNREADABLE: why, as a sentence without full stop; otherwise "" */
    uint32_t elf_functions;
    const char *elf_machine; /* name of its processor, static; "" or NULL when unknown */
    uint8_t elf_word_bytes;  /* of its addresses: 4 or 8; 0 without an ELF */
    bool elf_big_endian;
    bool elf_is_partial; /* lines or readable names of functions could not be read */
    struct snapshot_recording recording;
    struct snapshot_keeping keeping;
};

/* The target's clock, compared with the clock of the machine that receives, or received, the data. */
struct snapshot_clock {
    bool has_ratio; /* times were reported for long enough */
    double ratio;   /* real ticks per second, divided by the rate that the target reports; 1: they agree */
    bool is_off;    /* by more than 5 %, beyond the error of the measurement */
    bool stands;    /* calls arrive, but their ticks do not advance */
    bool is_told_to_stand; /* the device reports a stopped counter, and no tick has advanced since */
};

/* The target's state. The `has_` bits show what it has sent so far. */
struct snapshot_target {
    bool has_metadata, has_status, has_match;
    char fw_version[52]; /* 16 bytes of the wire, cleaned */
    uint64_t mcu_clock_hz, timer_hz;
    uint64_t ticks_per_second; /* 0 when unknown */
    uint32_t elf_build_id;
    bool elf_match;
    bool profiling;
    uint64_t buffer_overflows; /* does not wrap, although the target's counter does */
    uint64_t records_captured;
    uint8_t buffer_usage_percent; /* 0..100 */
    enum mode mode; /* mode in which it was started; MODE_AUTO: not yet, or not by this session */
    enum mode mode_wanted;
    uint64_t mute_ms; /* it did not answer at the end of the session, after this much silence; or 0 */
    bool is_joined;   /* its run had begun before the session: what it had counted is in the profile */
    bool is_deaf;     /* it took no commands at the end of the session, although it sent data */
    bool is_unclosed; /* it was stopped, but did not confirm that everything was sent, although it can */
    struct snapshot_description description;
    struct snapshot_tree_room tree;
    struct snapshot_trigger trigger;
    struct snapshot_clock clock;
};

/* Health of the link: totals since the daemon's start. snapshot/figures_link.c describes each member for
 * reports. */
struct snapshot_link {
    uint64_t bytes, packets, records;
    uint64_t crc_errors, framing_errors, malformed, bytes_skipped;
    uint64_t bytes_dropped;  /* arrived while this machine's buffer was full */
    uint64_t bytes_between;  /* the skipped bytes after the first good packet, in a framed dialect */
    uint64_t bytes_cut;      /* of a last packet that was cut off by the end of the input, or by us */
    uint64_t bytes_read;     /* of packets that were read */
    uint64_t bytes_waiting;  /* waiting for the rest of their packet */
    uint64_t bytes_outside;  /* in no packet: between two, or before the first */
    uint64_t bytes_encoding; /* what encoding packets as text adds */
    uint64_t bytes_again;    /* first read as received, later decoded and read again */
    bool has_packets;        /* the dialect's bytes are in packets: the last five are valid */
    uint64_t unsupported_version, unknown_types;
    uint64_t duplicates;   /* packets received twice, counted once */
    uint64_t records_lost; /* reported by the target or counted on the way: at least this many */
    /* the most that was so far: reported in its place where a total must not fall */
    uint64_t records_lost_most;
    uint64_t losses_of_unknown_size; /* times that the target's buffer was full: each cost one record at
                                        least, and not among `records_lost` */
    uint64_t calls_discarded;        /* that had been counted, see enum ledger_cause */
    uint64_t unplaced_calls;         /* calls whose caller was lost, or may have been */
    uint64_t out_of_order; /* calls that ended before one received earlier: another run, or a late packet */
    uint64_t overlaps;     /* calls that began before another call of the same depth ended */
    uint64_t over_limit;   /* rows that a ceiling merged into "(other)" */
    uint64_t ticks_untold; /* of sums that a stopped target did not send completely */
    uint64_t rows_untold;  /* of such sums, rows that did not arrive at all */
    uint64_t windows_lost; /* sent by the target, but missing or incomplete */
    uint64_t records_without_time; /* received while the target's timer stood still */
    uint64_t orphan_exits;         /* ends of functions whose start was not seen */
    uint64_t missing_exits;        /* functions whose end was not seen, although their caller ended */
    uint64_t reconnects, target_resets;
    uint64_t windows;          /* listed because of a trigger, or requested */
    uint64_t triggers_missed;  /* for which the target kept no window */
    bool has_other_cores;      /* other_core_hooks is reported */
    uint64_t other_core_hooks; /* hooks that ran on cores that are not measured: at least this many */
    uint64_t big_endian_crc_hints, headerless_crc_hints; /* bad packets that this mistake would explain */
    const char *header_order; /* "AA 55", "55 AA", or NULL before the first packet; static */
    const char *crc_init;     /* "0xFFFF", "0x0000", or NULL; static */
    const char *form;         /* form of the input, where the dialect has several; or NULL; static */
    const char *doubt; /* what the dialect had to assume and may be wrong, as a sentence; or NULL; static */
    double bytes_per_second; /* over about the last second */
    double calls_per_second;
    bool has_line_use;
    double line_use_percent; /* share of the baud rate; over 100 on ports that ignore the baud rate */
    struct snapshot_damage damage;
};

/* Which figures of a function are valid. */
enum function_known {
    FUNCTION_CALLS = 1,    /* `calls` means something */
    FUNCTION_TIMES = 2,    /* total and self are valid */
    FUNCTION_SAMPLES = 4,  /* `samples` is valid */
    FUNCTION_EACH = 8,     /* calls were reported one by one: minimum, maximum, mean, percentiles are valid */
    FUNCTION_LONGEST = 16, /* max_ticks is valid */
    FUNCTION_SELF = 32,    /* self is valid, total is not */
    FUNCTION_RUNNING = 64, /* some of its calls have not returned: total and self hold their time so far */
    FUNCTION_CORRECTED = 128, /* the corrected times are valid */
    FUNCTION_FRAME = 256,     /* frame_bytes is exact by the ELF; otherwise it is a minimum */
    FUNCTION_STACK = 512,     /* stack_bytes and stack_unknown are valid */
    FUNCTION_PERIOD = 1024,   /* at least one period was measured */
    FUNCTION_EVICTED = 2048, /* callers of some of its calls are not known: FUNCTION_SELF instead of _TIMES */
};

/* What a row of the functions stands for. Only KIND_FUNCTION is code of the target. The name does not show
 * the kind, since the target's own names may look like placeholders. */
enum snapshot_kind {
    KIND_FUNCTION,
    KIND_RUNNING,  /* callers at depth `number` that have not returned yet: "[depth N running]" */
    KIND_NOT_SEEN, /* callers at depth `number` whose records were lost: "[depth N not seen]" */
    KIND_CYCLE,    /* cycle `number` of functions that call each other: "[cycle N]" */
    KIND_OTHER,    /* rows merged by a ceiling: "(other)" */
    KIND_PAIR,     /* from one checkpoint to another, row `number` of the checkpoints */
    KIND_OUTSIDE, /* time in which a context ran and no instrumented function was on its stack: "[outside]" */
    KIND_UNKNOWN, /* time in an unknown function: "[not known]" */
    KIND_BELOW,   /* time below an evicted node: "(other below)"; its functions also count it */
    KIND_INTERRUPT, /* the caller of an interrupt's handler, which no function calls: "[interrupt]" */
    SNAPSHOT_KINDS,
};

/* Returns the name of a kind in JSON: "function", "running" and so on; static. */
const char *snapshot_kind_name(enum snapshot_kind kind);

/* True when `number` is valid for rows of that kind. */
bool snapshot_kind_is_numbered(enum snapshot_kind kind);

/* One function or placeholder. Its id is its index. Texts live as long as the snapshot.
 * snapshot/figures_function.c describes its figures for reports. */
struct snapshot_function {
    const char *name;           /* for people */
    const char *raw_name;       /* as in the ELF */
    const char *const *aliases; /* other names of the address in the ELF */
    uint32_t alias_count;
    const char *file;       /* NULL when unknown */
    uint64_t address, size; /* bytes */
    bool has_address;
    bool may_recur;  /* it was seen to call itself, or may have where a ceiling merged its calls */
    uint8_t kind;    /* enum snapshot_kind */
    uint32_t number; /* see enum snapshot_kind; otherwise 0 */
    uint64_t samples;
    uint64_t p50_ticks, p90_ticks, p99_ticks;
    uint64_t corrected_total_ticks, corrected_self_ticks; /* see snapshot/correction.h */
    /* by so much the own time may be off: half a pair of hooks for each call */
    uint64_t corrected_error_ticks;
    uint64_t corrected_total_error_ticks; /* and the total: with what is unknown of the hooks below */
    uint64_t hook_ticks; /* that the hooks of its calls took: in its time and in that of its callers */
    uint64_t running; /* calls that have not returned: no part of `calls`, nor of the figures of one call */
    uint64_t frame_bytes;   /* of the stack that one call of it takes */
    uint64_t stack_bytes;   /* that it and what it called took at most, see snapshot/stack.h */
    uint64_t stack_unknown; /* nodes there whose frames are not known: it is so much at least */
    uint64_t periods;       /* times from the start of a call to that of the next, see snapshot/period.h */
    uint64_t period_min_ticks, period_max_ticks;
    double period_mean_ticks, period_jitter_ticks; /* jitter: their standard deviation */
    double stddev_ticks;                           /* of the calls' durations */
    uint32_t line;                                 /* 0 when unknown */

    /* From here on: what each call changes, together in one or two cache lines. */
    uint32_t known; /* enum function_known bits */
    uint64_t calls;
    uint64_t total_ticks;          /* time it ran, with callees and running calls; recursion counted once */
    uint64_t self_ticks;           /* time it ran, without callees; also including running calls */
    uint64_t min_ticks, max_ticks; /* of one call from entry to exit, even if its context did not run */
    uint64_t sum_ticks;            /* durations of all calls, including recursive ones: mean = sum / calls */
    uint64_t kept_over_ticks;      /* longer calls are kept as outliers, see snapshot/outliers.h */
    uint64_t changed;              /* sequence number */
};

/* One node of the call tree: a function, called along one chain of callers. Row 0 is the root. A parent's
 * index is below its children's. The counts of a node may be moved to another node: see
 * snapshot_occupied_nodes(). */
struct snapshot_node {
    int32_t parent;   /* -1 for the root */
    int32_t function; /* -1 for the root */
    uint16_t context;
    bool recursive; /* its function is also among its ancestors */
    bool is_other;  /* merges what exceeded the ceiling of nodes */
    uint64_t calls, total_ticks, self_ticks;
    uint64_t changed; /* sequence number */
};

/* The highest number of contexts in a profile. */
enum { SNAPSHOT_CONTEXTS_MAX = 1024 };

/* One stack of the target: a thread, an interrupt, a sender of messages. */
struct snapshot_context {
    char name[72];    /* a GUID with unit, master and channel fits */
    const char *kind; /* "thread", "idle", "isr" or "unknown"; static */
    bool has_times;   /* running_ticks is known */
    bool has_waits;   /* preempted_ticks and blocked_ticks are known */
    uint64_t running_ticks;
    uint64_t preempted_ticks; /* it was ready, but another context ran */
    uint64_t blocked_ticks;   /* it waited for something */
    bool has_stack;           /* the stack figures are known, see snapshot/stack.h */
    uint32_t stack_bytes;
    uint32_t stack_node;    /* the innermost node of that chain */
    uint32_t stack_unknown; /* nodes without known frames; if not 0, stack_bytes is a minimum */
    uint64_t changed;       /* sequence number */
};

/* A pair of checkpoints, or an average computed by the target. */
struct snapshot_checkpoint {
    const char *name;       /* of the pair or the average; NULL when it has no name */
    const char *context;    /* where it begins: "secure", "non-secure", "1", "2"; static */
    const char *to_context; /* where it ends, whose calibration applies; static, NULL without a pair */
    bool has_pair;          /* false: averaged by the target; only name, context and mean are known */
    uint32_t topic, from, to_topic, to;
    const char *topic_name, *from_name, *to_topic_name, *to_name; /* NULL when unknown */
    uint64_t count;
    uint64_t first_ticks, min_ticks, max_ticks; /* calibrated; undefined while count is 0 */
    double mean_ticks;
    uint64_t changed; /* sequence number */
};

/* Calls from one function to another, as the target counted them. */
struct snapshot_arc {
    uint32_t caller, callee; /* functions */
    uint64_t calls;
    uint64_t changed; /* sequence number */
};

/* Calls from one address to another: `from` is a return address inside the caller, `to` an address inside the
 * callee. */
struct snapshot_call_site {
    uint64_t from, to, calls;
    bool is_of_interrupt; /* `from` is what an interrupt's handler returns to: no address */
};

/* How often the program counter was sampled at one address, or in `bytes` of code from there. */
struct snapshot_pc {
    uint64_t address, count;
    uint64_t bytes; /* at least 1 */
};

/* A text message of the target. Texts that it did not send are NULL; see struct event_message. */
struct snapshot_message {
    uint64_t number; /* counts from 0 since the profile was cleared */
    uint64_t ticks;
    const char *text; /* never NULL */
    uint8_t severity; /* enum event_severity */
    bool is_call, has_timestamp, has_checksum;
    uint16_t origin, unit;
    const char *status, *type, *origin_name, *location, *collateral;
    uint64_t timestamp, context_timestamp;
    uint32_t checksum, raw_length;
    uint64_t changed; /* sequence number */
};

/* Number of rows of functions or nodes in a block. Each block has the newest `changed` of its rows, so a
 * reader of changes can skip blocks without any. */
enum { SNAPSHOT_BLOCK = 256 };

struct snapshot_timeline; /* opaque, see below */
struct snapshot_moments;

/* The time range of a snapshot_window(). */
struct snapshot_range {
    bool is_set; /* false: the whole profile */
    uint64_t from_ticks, to_ticks;
    uint64_t held_from_ticks; /* all calls since then are still buffered; earlier ones are not counted */
};

/* The frozen profile: rows in arrays that belong to it. */
struct snapshot {
    /* 1 for the first; one more for each that differs from the one before; 0: of a recording that was
     * opened, and of no session */
    uint64_t sequence;
    uint64_t cleared_at;          /* sequence at which row numbers began again */
    uint64_t captured_at_wall_ns; /* of a recording: when it was written last */
    uint64_t frozen_ns;           /* by the monotonic clock */
    uint64_t between_ns; /* of what snapshot_since() made: from the older to the newer, at least 1; else 0 */
    struct snapshot_range range;
    struct snapshot_source source;
    struct snapshot_target target;
    struct snapshot_link link;
    struct ledger ledger;
    struct snapshot_measured_with measured_with;
    const struct link_history *history; /* of the link, see snapshot/link_history.h */
    const struct snapshot_function *functions;
    uint32_t function_count;
    const uint64_t *function_blocks;   /* NULL: unknown, so read all rows */
    const struct snapshot_node *nodes; /* at least the root */
    uint32_t node_count;
    const uint64_t *node_blocks; /* likewise */
    const struct snapshot_context *contexts;
    uint32_t context_count;
    bool call_tree_estimated; /* from arcs and samples: calls are exact, times are estimated */
    const struct snapshot_arc *arcs;
    uint32_t arc_count;
    const struct snapshot_call_site *sites; /* from which the arcs were made */
    uint32_t site_count;
    const struct snapshot_pc *pcs; /* from which the functions' samples were counted */
    uint32_t pc_count;
    uint64_t sample_total;
    uint64_t sample_hz; /* samples per second; 0 when unknown */
    const struct snapshot_checkpoint *checkpoints;
    uint32_t checkpoint_count;
    const struct snapshot_message *const *messages; /* the newest ones, oldest first */
    uint32_t message_count;
    uint64_t messages_dropped; /* older messages that are no longer kept */
    const struct snapshot_timeline *timeline;
    const struct snapshot_timeline *turns;  /* of the contexts, see snapshot/turns.h */
    const struct snapshot_moments *moments; /* see snapshot_gaps() */
    struct snapshot_windows windows;
    struct snapshot_bounds bounds;
    struct snapshot_holdings *holdings; /* what it owns, see snapshot/snapshot_private.h */
};

/* Writes the indices of the root and of all nodes that count something, or have such a node below them, to
 * `rows` (node_count elements), in ascending order. Returns how many. The other nodes were emptied or never
 * counted anything. */
uint32_t snapshot_occupied_nodes(const struct snapshot *snapshot, uint32_t *rows);

/* Returns how long any context is known to have run, in ticks, which is 100 % of the load; 0 when it is not
 * reported. */
uint64_t snapshot_known_ticks(const struct snapshot *snapshot);

/* Returns the symbol table that named the functions; it lives as long as the snapshot. NULL when there is
 * none. */
const struct symtab *snapshot_symtab(const struct snapshot *snapshot);

/* Returns the directory that the function's file is relative to; NULL when it is unknown, or the file's path
 * is absolute. Lives as long as the snapshot. */
const char *snapshot_directory(const struct snapshot *snapshot, const struct snapshot_function *function);

/* What the profile lacks, one sentence each. */
enum { SNAPSHOT_REASONS_MAX = LEDGER_REASONS_MAX + 6 };
struct snapshot_reasons {
    size_t n; /* 0: nothing is known to be missing */
    char text[SNAPSHOT_REASONS_MAX][LEDGER_SENTENCE];
};
struct snapshot_reasons snapshot_incomplete(const struct snapshot *snapshot);

/* Adds a reference and returns its argument; the last snapshot_unref() frees. Any thread may do both. */
struct snapshot *snapshot_ref(struct snapshot *snapshot);
void snapshot_unref(struct snapshot *snapshot); /* NULL is allowed */

/* Makes a snapshot of the changes between two: a copy of `newer` in which the calls, times and samples of
 * functions and nodes of `older` are subtracted. Everything else is the newer's, including minima, maxima and
 * percentiles, which cannot be subtracted. Returns all of `newer` when the profile was cleared in between.
 * The caller has one reference; NULL when memory is used up. */
struct snapshot *snapshot_since(struct snapshot *newer, const struct snapshot *older);

/* Makes a snapshot of the time range [from, to]: a copy of `whole`, with the same functions and nodes, that
 * counts only buffered calls, each with the part of it inside. A call across an edge counts on both sides,
 * and the ticks of adjacent ranges add up. A call of length 0 counts when it is inside, edges included.
 * A call that is cut (timeline_is_cut()) counts as time, not as a call.
 * Messages are those of the range. The running times of contexts are reported if all of the range is still
 * buffered. Data without times (arcs, samples) is left out. Checkpoints, source, target and link are those of
 * `whole`. The caller has one reference; NULL when memory is used up. */
struct snapshot *snapshot_window(struct snapshot *whole, uint64_t from_ticks, uint64_t to_ticks);

/* A bar of the timeline: one call, or several merged because they are too short to be shown separately. */
struct snapshot_span {
    uint64_t start_ticks, duration_ticks;
    uint64_t busy_ticks; /* total time of its calls; less than the duration if there are gaps between them */
    uint64_t longest_ticks; /* its longest call */
    uint32_t function;      /* of the longest call */
    uint32_t context;
    uint32_t calls; /* 1: just this call; more: merged */
    uint16_t depth;
    bool is_cut; /* its longest call crosses the edge of a window, and took longer than reported */
};

/* True for a context of kind "idle"; false for a number that is none. */
bool snapshot_context_is_idle(const struct snapshot *snapshot, uint32_t context);

/* Finds the range of ticks of the buffered calls; false when there are none. */
bool snapshot_timeline_range(const struct snapshot *snapshot, uint64_t *from_ticks, uint64_t *to_ticks);

/* Finds the same range, extended by messages and checkpoints after the last call. Without calls, it is the
 * range of messages and checkpoints; false when there are none either. Those before the oldest buffered call
 * do not count, since the calls of that time are gone. */
bool snapshot_told_range(const struct snapshot *snapshot, uint64_t *from_ticks, uint64_t *to_ticks);

/* Writes the calls that overlap [from, to] to `spans` (`max` elements), sorted by context, depth and start,
 * and returns how many. Calls too short to be shown in `max` rows are merged with their neighbours of the
 * same depth. */
size_t snapshot_timeline_window(const struct snapshot *snapshot, uint64_t from_ticks, uint64_t to_ticks,
                                struct snapshot_span *spans, size_t max);

/* Why a context did not run. */
enum snapshot_away {
    AWAY_PREEMPTED, /* it was ready, but another context ran */
    AWAY_BLOCKED,   /* it waited for something */
    AWAY_UNKNOWN,   /* unknown, because events are missing; snapshot_gaps() reports these */
};

/* Does the same for the time in which a context did not run while calls were on its stack. The depth is that
 * of the innermost call plus 1. The function is an enum snapshot_away, except AWAY_UNKNOWN; only stretches of
 * the same kind are merged. */
size_t snapshot_timeline_away(const struct snapshot *snapshot, uint64_t from_ticks, uint64_t to_ticks,
                              struct snapshot_span *spans, size_t max);

/* Calls `each` for every buffered call, roughly in the order in which they returned; in a snapshot_window(),
 * for the parts inside. */
typedef void (*snapshot_span_fn)(void *user, const struct snapshot_span *span);
void snapshot_timeline_each(const struct snapshot *snapshot, snapshot_span_fn each, void *user);

/* A window is cut into columns. Gaps and markers that share a column are merged, which limits their number. */
enum { SNAPSHOT_COLUMNS = 1000, SNAPSHOT_GAPS_MAX = SNAPSHOT_COLUMNS + 1, SNAPSHOT_MARKERS_MAX = 4096 };

/* A stretch in which records are missing: any call that ended inside it may be missing. */
struct snapshot_gap {
    uint64_t from_ticks, to_ticks;
    uint64_t records; /* number missing; 0 when unknown */
};

enum snapshot_marker_kind {
    MARKER_RESET,      /* the target restarted; its ticks continue from here */
    MARKER_RECONNECT,  /* the line was disconnected */
    MARKER_OVERFLOW,   /* the target's buffer overflowed some time before */
    MARKER_CHECKPOINT, /* a numbered checkpoint was passed */
    MARKER_MESSAGE,    /* the target sent a text message */
    MARKER_BREACH,     /* a limit was exceeded */
    MARKER_START,      /* a profiling run began */
    MARKER_STOP,       /* ... and ended */
    MARKER_CLEAR,      /* the user cleared the profile */
    MARKER_DISCARD,    /* what was counted before does not fit what follows, and is not shown */
    MARKER_KINDS,
};

/* A single event, or all of its kind in one column. */
struct snapshot_marker {
    uint64_t ticks, count; /* time of the first; number */
    enum snapshot_marker_kind kind;
    char text[124]; /* of the first: the message or the checkpoint, truncated; or "" */
};

/* Both write the gaps or markers that overlap [from, to], in order, to an array of SNAPSHOT_GAPS_MAX or
 * SNAPSHOT_MARKERS_MAX elements, and return how many. The gaps of one column become one that spans them
 * all. */
size_t snapshot_gaps(const struct snapshot *snapshot, uint64_t from_ticks, uint64_t to_ticks,
                     struct snapshot_gap *gaps);
size_t snapshot_markers(const struct snapshot *snapshot, uint64_t from_ticks, uint64_t to_ticks,
                        struct snapshot_marker *markers);

/* Distribution of the durations of one function: n buckets; each counts durations in [low, high]. The caller
 * frees `buckets`. */
struct snapshot_histogram {
    size_t n;
    struct snapshot_bucket {
        uint64_t low_ticks, high_ticks, count;
    } * buckets;
};

/* Fills in the distribution of a function's durations: no buckets when no call was timed. For a
 * snapshot_since() it is that of the newer snapshot. `function` is below function_count. Returns false when
 * memory is used up. */
bool snapshot_histogram(const struct snapshot *snapshot, uint32_t function, struct snapshot_histogram *out);

/* True when anything was measured: a call, time, sample, checkpoint or message. */
bool snapshot_has_some(const struct snapshot *snapshot);

/* True when the data is the agent's, or may be: only its dialect has commands and describes the device. */
bool snapshot_is_of_agent(const struct snapshot_source *source);

#endif
