/* snapshot.h - the second waist: what the profile added up to at one moment, frozen.
 *
 * A snapshot never changes after profile_freeze() made it, any thread may read it, and whoever holds a
 * reference keeps it and all that it points to alive. Ticks are still ticks here; all text is valid UTF-8.
 *
 * Rows only ever grow in number and keep their index until the profile is cleared, and each carries the
 * sequence number at which it last changed. So what is new since any sequence S >= cleared_at is: the rows
 * with changed > S. That is the whole of the delta protocol. */
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

/* How the source is: being opened, open, gone and tried again, at its end. */
enum snapshot_state { STATE_CONNECTING, STATE_CONNECTED, STATE_LOST, STATE_ENDED };

/* What came of the ELF that the user named. */
/* READING and UNREADABLE: the file has changed, and names are those of the program before. */
enum snapshot_elf { ELF_NONE, ELF_OK, ELF_NO_SYMBOLS, ELF_UNREADABLE, ELF_READING };

/* The recording that the daemon makes of what comes. */
struct snapshot_recording {
    char path[512];      /* "": there is none */
    uint64_t bytes;      /* kept so far */
    uint64_t bytes_lost; /* which the disk did not take in time */
    uint64_t since_wall_ns;
    char failure[512]; /* why it broke off, in a sentence; "" while it goes on */
};

/* Where the data comes from. Filled in by the session. */
struct snapshot_source {
    char port[256];         /* as the user wrote it */
    const char *dialect;    /* id, static; "auto" until it is found out */
    const char *looks_like; /* id, static: the dialect of bytes that make no sense in that one; NULL */
    const char
        *disguise;     /* what happened to the bytes on their way, a sentence, static; NULL: nothing known */
    uint32_t provides; /* enum provides bits */
    uint32_t baud;     /* bits per second as the driver reads it back; 0 when the source has none */
    uint32_t baud_wanted;     /* what the user asked for, or was agreed upon with the target */
    char baud_problem[512];   /* why that is not the rate that the user wants, in a sentence; "": it is */
    char remark[512];         /* what is wrong at the source though bytes flow, in a sentence; "": nothing */
    bool has_lines, dtr, rts; /* whether a port has modem lines that are known, and which are on */
    enum snapshot_state state;
    bool listen_only; /* nothing is sent to the device */
    struct snapshot_measurement measurement;
    uint64_t recorded_wall_ns; /* of a file: when it was written last; 0: what comes is of now */
    char detail[512];          /* the state in a sentence, "" when there is nothing to add */
    enum snapshot_elf elf_state;
    char elf_path[ELF_PATH_SIZE];      /* of the first file; "" when none was given */
    char elf_name[ELF_LIST_NAME_SIZE]; /* what the user called them all: "boot.elf and app.elf@0x10000"; ""
                                          likewise */
    uint8_t elf_count;                 /* of the files */
    char elf_failure[512];             /* UNREADABLE: why, in a sentence without its end; "" otherwise */
    uint32_t elf_functions;
    const char *elf_machine; /* what its processor is called, static; "" or NULL: not known */
    uint8_t elf_word_bytes;  /* of its addresses: 4 or 8; 0 without an ELF */
    bool elf_big_endian;
    bool elf_is_partial; /* lines or readable names of functions could not be read of it */
    struct snapshot_recording recording;
    struct snapshot_keeping keeping;
};

/* The target's clock, compared with that of the machine that listens, or listened. */
struct snapshot_clock {
    bool has_ratio;        /* it was reported for long enough */
    double ratio;          /* real ticks per second, divided by what the target says; 1: they agree */
    bool is_off;           /* by more than 5 %, beyond the error of the measurement */
    bool stands;           /* calls come, and the ticks do not go on */
    bool is_told_to_stand; /* the device reports it of its counter, and no tick has gone on since */
};

/* The target's name and version. The `has_` bits tell what it has sent so far. */
struct snapshot_target {
    bool has_metadata, has_status, has_match;
    char fw_version[52]; /* 16 bytes of the wire, cleaned */
    uint64_t mcu_clock_hz, timer_hz;
    uint64_t ticks_per_second; /* 0 unknown */
    uint32_t elf_build_id;
    bool elf_match;
    bool profiling;
    uint64_t buffer_overflows; /* widened over wraps of the target's counters */
    uint64_t records_captured;
    uint8_t buffer_usage_percent; /* 0..100 */
    enum mode mode;               /* in which it was started; MODE_AUTO: not by us, or not yet */
    enum mode mode_wanted;
    uint64_t mute_ms; /* it answered nothing when the session ended, and had sent nothing for this long; 0: it
                         did */
    bool is_joined;   /* its run was under way: what it had counted before the session is in the profile */
    bool is_deaf;     /* it took no commands any more when the session ended, though it sent */
    bool is_unclosed; /* it was stopped, and did not confirm that it had sent everything as it can */
    struct snapshot_description description;
    struct snapshot_tree_room tree;
    struct snapshot_trigger trigger;
    struct snapshot_clock clock;
};

/* How healthy the wire is: totals since the daemon began to listen. Each member is reported by
 * snapshot/figures_link.c. */
struct snapshot_link {
    uint64_t bytes, packets, records;
    uint64_t crc_errors, framing_errors, malformed, bytes_skipped;
    uint64_t bytes_dropped;  /* of the line, that found no room in this machine's buffer */
    uint64_t bytes_between;  /* of those skipped, those after the first good packet of a framed dialect */
    uint64_t bytes_cut;      /* of a last packet that the end of the input, or our own, cut off */
    uint64_t bytes_read;     /* of packets that were read */
    uint64_t bytes_waiting;  /* for the rest of their packet */
    uint64_t bytes_outside;  /* of no packet: between two, or before the first */
    uint64_t bytes_encoding; /* of packets in text: what that takes more than the packets have */
    uint64_t bytes_again;    /* first read as they came, and undone later */
    bool has_packets;        /* the dialect's bytes come in packets: the last five mean something */
    uint64_t unsupported_version, unknown_types;
    uint64_t duplicates;   /* packets received twice, counted once */
    uint64_t records_lost; /* reported by the target or counted on the way: at least this many */
    uint64_t
        records_lost_most; /* the most that was so far: reported in its place where a total must not fall */
    uint64_t losses_of_unknown_size; /* times that the target's buffer was full: each cost one record at
                                        least, and not among `records_lost` */
    uint64_t calls_discarded;        /* that had been counted, see enum ledger_cause */
    uint64_t unplaced_calls;         /* calls whose caller was lost, or may have been */
    uint64_t
        out_of_order; /* times that a call ended before one received earlier: another run, or a packet late */
    uint64_t overlaps;             /* calls that began before another one of their depth ended */
    uint64_t over_limit;           /* rows that a ceiling sent to "(other)" */
    uint64_t ticks_untold;         /* of sums that a stopped target did not tell to the end */
    uint64_t rows_untold;          /* of such sums, rows that did not come at all */
    uint64_t windows_lost;         /* that the target sent and that did not come, or not whole */
    uint64_t records_without_time; /* that came while the target's timer stood still */
    uint64_t orphan_exits;         /* ends of functions that nobody saw begin */
    uint64_t missing_exits;        /* functions that must have ended unseen, since their caller did */
    uint64_t reconnects, target_resets;
    uint64_t windows;          /* listed because of a trigger, or asked for */
    uint64_t triggers_missed;  /* of which the target kept no window */
    bool has_other_cores;      /* the next one is reported */
    uint64_t other_core_hooks; /* that ran on cores that are not measured: at least this many */
    uint64_t big_endian_crc_hints,
        headerless_crc_hints; /* bad packets that would be good with that mistake */
    const char *header_order; /* "AA 55", "55 AA", or NULL before the first packet; static */
    const char *crc_init;     /* "0xFFFF", "0x0000", NULL; static */
    const char *form;         /* what the input is where its dialect has several forms, NULL; static */
    const char *doubt;        /* what the dialect had to assume and may be wrong, a sentence; NULL; static */
    double bytes_per_second;  /* over the last second or so */
    double calls_per_second;
    bool has_line_use;
    double line_use_percent; /* of what the baud rate carries; more where the port holds to no baud rate */
    struct snapshot_damage damage;
};

/* Which figures of a function mean something. */
enum function_known {
    FUNCTION_CALLS = 1,       /* `calls` means something */
    FUNCTION_TIMES = 2,       /* total and self mean something */
    FUNCTION_SAMPLES = 4,     /* `samples` means something */
    FUNCTION_EACH = 8,        /* its calls were reported one by one: so do extremes, mean and percentiles */
    FUNCTION_LONGEST = 16,    /* max_ticks does */
    FUNCTION_SELF = 32,       /* self does, total does not */
    FUNCTION_RUNNING = 64,    /* some of its calls have not returned: total and self hold their time so far */
    FUNCTION_CORRECTED = 128, /* the corrected times mean something */
    FUNCTION_FRAME = 256,     /* frame_bytes is all of it, as the ELF tells; else it is the least */
    FUNCTION_STACK = 512,     /* stack_bytes and stack_unknown do */
    FUNCTION_PERIOD = 1024,   /* some times between its calls were measured */
    FUNCTION_EVICTED = 2048, /* callers of some of its calls are not known: FUNCTION_SELF instead of _TIMES */
};

/* What a row of the functions stands for. Only KIND_FUNCTION is code of the target; a name says nothing about
 * it, since the target's own names may read like those given to the others. */
enum snapshot_kind {
    KIND_FUNCTION,
    KIND_RUNNING,  /* callers at depth `number` that have not returned yet: "[depth N running]" */
    KIND_NOT_SEEN, /* callers at depth `number` whose records were lost: "[depth N not seen]" */
    KIND_CYCLE,    /* functions that call each other, circle `number`: "[cycle N]" */
    KIND_OTHER,    /* what a ceiling merged: "(other)" */
    KIND_PAIR,     /* what lies between two checkpoints, row `number` of the checkpoints */
    KIND_OUTSIDE, /* time in which a context ran and no instrumented function was on its stack: "[outside]" */
    KIND_UNKNOWN, /* time in an unknown function: "[not known]" */
    KIND_BELOW,   /* time below a node that the target gave up: "(other below)"; its functions have it */
    SNAPSHOT_KINDS,
};

/* The name of a kind as JSON has it: "function", "running" and so on; static. */
const char *snapshot_kind_name(enum snapshot_kind kind);

/* Tells whether `number` means something for rows of that kind. */
bool snapshot_kind_is_numbered(enum snapshot_kind kind);

/* One function, or what stands in its place. Its id is its index. Text lives as long as the snapshot. What is
 * measured of it is reported by snapshot/figures_function.c. */
struct snapshot_function {
    const char *name;           /* for people */
    const char *raw_name;       /* as in the ELF */
    const char *const *aliases; /* other names of the address in the ELF */
    uint32_t alias_count;
    const char *file;       /* NULL unknown */
    uint64_t address, size; /* bytes */
    bool has_address;
    bool may_recur;  /* it was seen to call itself, or may have been where a ceiling merged its calls */
    uint8_t kind;    /* enum snapshot_kind */
    uint32_t number; /* see there; 0 where it means nothing */
    uint64_t samples;
    uint64_t p50_ticks, p90_ticks, p99_ticks;
    uint64_t corrected_total_ticks, corrected_self_ticks; /* see snapshot/correction.h */
    uint64_t corrected_error_ticks; /* by so much they may be off: half a pair of hooks for each call */
    uint64_t hook_ticks; /* that the hooks of its calls took: in its time and in that of its callers */
    uint64_t running; /* calls that have not returned: no part of `calls`, nor of the figures of one call */
    uint64_t frame_bytes;   /* of the stack that one call of it takes */
    uint64_t stack_bytes;   /* that it and what it called took at most, see snapshot/stack.h */
    uint64_t stack_unknown; /* nodes there whose frames are not known: it is so much at least */
    uint64_t periods;       /* times from the start of a call to that of the next, see snapshot/period.h */
    uint64_t period_min_ticks, period_max_ticks;
    double period_mean_ticks, period_jitter_ticks; /* the latter their standard deviation */
    double stddev_ticks;                           /* of the calls' durations */
    uint32_t line;                                 /* 0 unknown */

    /* From here on what each call changes, side by side: a line of the cache or two. */
    uint32_t known; /* enum function_known bits */
    uint64_t calls;
    uint64_t total_ticks; /* that it ran, callees included; recursion counted once, at the outermost call */
    uint64_t self_ticks;  /* that it ran, callees not included; both with the time so far of what runs */
    uint64_t min_ticks, max_ticks; /* of one call from entry to exit, whether its context ran or not */
    uint64_t sum_ticks;            /* of all calls' durations, inner recursive ones too: mean = sum / calls */
    uint64_t kept_over_ticks;      /* calls that take longer are kept, see snapshot/outliers.h */
    uint64_t changed;              /* sequence */
};

/* One node of the call tree: a function, called along one chain of callers. Row 0 is the root, its function
 * -1; a parent's index is below its children's. What a node counted may be moved to another: see
 * snapshot_occupied_nodes(). */
struct snapshot_node {
    int32_t parent;   /* -1 for the root */
    int32_t function; /* -1 for the root */
    uint16_t context;
    bool recursive; /* its function also stands among its ancestors */
    bool is_other;  /* what the ceiling for nodes merged */
    uint64_t calls, total_ticks, self_ticks;
    uint64_t changed; /* sequence */
};

/* How many contexts a profile tells apart at most. */
enum { SNAPSHOT_CONTEXTS_MAX = 1024 };

/* One stack of the target: a thread, an interrupt, a sender of messages. */
struct snapshot_context {
    char name[72];    /* a GUID with unit, master and channel fits */
    const char *kind; /* "thread", "idle", "isr" or "unknown"; static */
    bool has_times;   /* it is known how long contexts ran */
    bool has_waits;   /* and for how long each did not */
    uint64_t running_ticks;
    uint64_t preempted_ticks; /* another context ran, and it could have gone on */
    uint64_t blocked_ticks;   /* it waited for something */
    bool has_stack;           /* it is known how deep its stack was seen to go, see snapshot/stack.h */
    uint32_t stack_bytes;
    uint32_t stack_node;    /* the innermost node of that chain */
    uint32_t stack_unknown; /* its nodes whose frames are not known: it is so much at least */
    uint64_t changed;       /* sequence */
};

/* What lies between two checkpoints, or what the target averaged itself. */
struct snapshot_checkpoint {
    const char *name;       /* of the pair, or of what the target averaged; NULL when nobody named it */
    const char *context;    /* "secure", "non-secure", "1", "2": where it begins; static */
    const char *to_context; /* where it ends, and whose calibration applies; static, NULL without a pair */
    bool has_pair;          /* false: averaged by the target, and only name, context and mean are known */
    uint32_t topic, from, to_topic, to;
    const char *topic_name, *from_name, *to_topic_name, *to_name; /* NULL unknown */
    uint64_t count;
    uint64_t first_ticks, min_ticks, max_ticks; /* calibrated; meaningless while count is 0 */
    double mean_ticks;
    uint64_t changed; /* sequence */
};

/* Calls from one function to another, as the target counted them. */
struct snapshot_arc {
    uint32_t caller, callee; /* functions */
    uint64_t calls;
    uint64_t changed; /* sequence */
};

/* Calls from one place to another: `from` is a return address inside the caller, `to` an address inside the
 * callee. */
struct snapshot_call_site {
    uint64_t from, to, calls;
};

/* How often the program counter was found at one address, or in the `bytes` of code from there on. */
struct snapshot_pc {
    uint64_t address, count;
    uint64_t bytes; /* at least 1 */
};

/* A text message of the target. Texts are NULL where it said nothing of the kind; see struct
 * event_message. */
struct snapshot_message {
    uint64_t number; /* of those since the profile was cleared: 0, 1, 2 */
    uint64_t ticks;
    const char *text; /* never NULL */
    uint8_t severity; /* enum event_severity */
    bool is_call, has_timestamp, has_checksum;
    uint16_t origin, unit;
    const char *status, *type, *origin_name, *location, *collateral;
    uint64_t timestamp, context_timestamp;
    uint32_t checksum, raw_length;
    uint64_t changed; /* sequence */
};

/* Rows of functions or nodes in a block, which tells the newest `changed` of them: a reader that
 * wants what is new looks only into blocks where something is. */
enum { SNAPSHOT_BLOCK = 256 };

struct snapshot_timeline; /* opaque, see below */
struct snapshot_moments;

/* The range of time that a snapshot_window() tells of. */
struct snapshot_range {
    bool is_set; /* false: all of the time */
    uint64_t from_ticks, to_ticks;
    uint64_t held_from_ticks; /* from here on every call is still held; earlier ones are not counted */
};

/* The frozen profile: rows in arrays that belong to it. */
struct snapshot {
    uint64_t
        sequence; /* 1 for the first; one more for each that differs from the one before; 0: of a recording that
                                     was opened, and of no session */
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
    const uint64_t *function_blocks;   /* NULL: not known, look into all of them */
    const struct snapshot_node *nodes; /* at least the root */
    uint32_t node_count;
    const uint64_t *node_blocks; /* likewise */
    const struct snapshot_context *contexts;
    uint32_t context_count;
    bool call_tree_estimated; /* of arcs and samples: who calls whom is known, how long is a guess */
    const struct snapshot_arc *arcs;
    uint32_t arc_count;
    const struct snapshot_call_site *sites; /* what the arcs were made of */
    uint32_t site_count;
    const struct snapshot_pc *pcs; /* what the functions' samples were made of */
    uint32_t pc_count;
    uint64_t sample_total;
    uint64_t sample_hz; /* they are taken a second; 0: not known */
    const struct snapshot_checkpoint *checkpoints;
    uint32_t checkpoint_count;
    const struct snapshot_message *const *messages; /* the last ones, oldest first */
    uint32_t message_count;
    uint64_t messages_dropped; /* how many came before */
    const struct snapshot_timeline *timeline;
    const struct snapshot_timeline *turns;  /* of the contexts, see snapshot/turns.h */
    const struct snapshot_moments *moments; /* see snapshot_gaps() */
    struct snapshot_windows windows;
    struct snapshot_bounds bounds;
    struct snapshot_holdings *holdings; /* of profile/ */
};

/* Writes the indices of the nodes that hold something, or have something below them, and the root's, to
 * `rows` (room for node_count), in ascending order; returns how many. Others were emptied, or counted
 * nothing. */
uint32_t snapshot_occupied_nodes(const struct snapshot *snapshot, uint32_t *rows);

/* How long any context is known to have run, in ticks, of which a load is a share; 0 where it is not
 * reported. */
uint64_t snapshot_known_ticks(const struct snapshot *snapshot);

/* The symbols that functions were named by; they last as long as the snapshot. NULL where there are none. */
const struct symtab *snapshot_symtab(const struct snapshot *snapshot);

/* The directory that the function's file is relative to; NULL where that is not known, or the file's path is
 * whole. It lives as long as the snapshot. */
const char *snapshot_directory(const struct snapshot *snapshot, const struct snapshot_function *function);

/* What the profile lacks, a sentence each, for people. */
enum { SNAPSHOT_REASONS_MAX = LEDGER_REASONS_MAX + 6 };
struct snapshot_reasons {
    size_t n; /* 0: nothing is known to be missing */
    char text[SNAPSHOT_REASONS_MAX][LEDGER_SENTENCE];
};
struct snapshot_reasons snapshot_incomplete(const struct snapshot *snapshot);

/* Adds a reference and returns its argument; the last snapshot_unref() frees. Any thread may do both. */
struct snapshot *snapshot_ref(struct snapshot *snapshot);
void snapshot_unref(struct snapshot *snapshot); /* NULL is fine */

/* Makes a snapshot of what came between two: a copy of `newer` whose calls, times and samples of functions
 * and nodes are less by what `older` had already; the rest is the newer's (extremes and percentiles too,
 * which know no difference). All of `newer` when the profile was cleared in between. One reference, the
 * caller's; NULL when memory is used up. */
struct snapshot *snapshot_since(struct snapshot *newer, const struct snapshot *older);

/* Makes a snapshot of what ran inside [from, to]: a copy of `whole`, of the same functions and nodes, that
 * counts only calls which the timeline still holds, each with what of it lies inside; so a call that crosses
 * an edge counts on both sides, and ticks add up over ranges that follow each other. A call of no length
 * counts when it lies inside, edges included. Messages are those of the range. How long contexts ran is
 * reported where all of that is still held. What is known without times (arcs, samples) is left out;
 * checkpoints, source, target and link are the whole's. One reference, the caller's; NULL when memory is used
 * up. */
struct snapshot *snapshot_window(struct snapshot *whole, uint64_t from_ticks, uint64_t to_ticks);

/* A stretch of the timeline: one call, or several too short to tell apart merged into one. */
struct snapshot_span {
    uint64_t start_ticks, duration_ticks;
    uint64_t busy_ticks;    /* what its calls took together: less than the duration where they lie apart */
    uint64_t longest_ticks; /* its longest call */
    uint32_t function;      /* of that one */
    uint32_t context;
    uint32_t calls; /* 1: just this call; more: merged */
    uint16_t depth;
    bool is_cut; /* its longest call runs at the edge of a window, and took longer than is reported */
};

/* Tells the range of ticks that the timeline still holds; false when it holds nothing. */
bool snapshot_timeline_range(const struct snapshot *snapshot, uint64_t *from_ticks, uint64_t *to_ticks);

/* Tells the same range with the messages and checkpoints after the last call, or of all of them where there
 * are no calls; false when there is neither. What came before the oldest call that is held does not count:
 * calls of then are gone. */
bool snapshot_told_range(const struct snapshot *snapshot, uint64_t *from_ticks, uint64_t *to_ticks);

/* Writes the calls that overlap [from, to] to `spans` (room for `max`), in order of depth and start, and
 * returns how many there are. Calls shorter than what `max` rows can show are merged with their neighbours of
 * the same depth. */
size_t snapshot_timeline_window(const struct snapshot *snapshot, uint64_t from_ticks, uint64_t to_ticks,
                                struct snapshot_span *spans, size_t max);

/* Why a context did not run. */
enum snapshot_away {
    AWAY_PREEMPTED, /* another ran, and it could have gone on */
    AWAY_BLOCKED,   /* it waited for something */
    AWAY_UNKNOWN,   /* events are missing, so that it is unknown what it did; snapshot_gaps() tells these */
};

/* Does the same for stretches in which a context did not run while calls were on its stack: their depth is
 * one more than that of the innermost of these, their function one of enum snapshot_away but AWAY_UNKNOWN, of
 * which only those of one kind are merged. */
size_t snapshot_timeline_away(const struct snapshot *snapshot, uint64_t from_ticks, uint64_t to_ticks,
                              struct snapshot_span *spans, size_t max);

/* Tells `each` of every call that the timeline holds, one by one, roughly in the order in which they
 * returned; of a snapshot_window() what lies inside. */
typedef void (*snapshot_span_fn)(void *user, const struct snapshot_span *span);
void snapshot_timeline_each(const struct snapshot *snapshot, snapshot_span_fn each, void *user);

/* A window is cut into columns, and gaps and markers that share one are merged; so there can be so
 * many of them. */
enum { SNAPSHOT_COLUMNS = 1000, SNAPSHOT_GAPS_MAX = SNAPSHOT_COLUMNS + 1, SNAPSHOT_MARKERS_MAX = 4096 };

/* A stretch in which records are missing: every call that ended inside it may be. */
struct snapshot_gap {
    uint64_t from_ticks, to_ticks;
    uint64_t records; /* that are missing; 0: it is unknown how many */
};

enum snapshot_marker_kind {
    MARKER_RESET,      /* the target started again; its ticks go on from here */
    MARKER_RECONNECT,  /* the line was away */
    MARKER_OVERFLOW,   /* the target's buffer overflowed some time before */
    MARKER_CHECKPOINT, /* a numbered checkpoint was passed */
    MARKER_MESSAGE,    /* the target sent a text message */
    MARKER_BREACH,     /* a limit was not kept */
    MARKER_START,      /* a run of profiling begins */
    MARKER_STOP,       /* ... and ends */
    MARKER_CLEAR,      /* the user cleared the profile */
    MARKER_DISCARD,    /* what was counted before does not add up with what follows, and is not shown */
    MARKER_KINDS,
};

/* Something that happened at one tick, or all of its kind in one column. */
struct snapshot_marker {
    uint64_t ticks, count; /* of the first; how many */
    enum snapshot_marker_kind kind;
    char text[124]; /* of the first: what was said or passed, cut short; "" nothing */
};

/* Both write those that touch [from, to], in order, and return how many they wrote to the array, which has
 * room for SNAPSHOT_GAPS_MAX or SNAPSHOT_MARKERS_MAX. Gaps of one column become one that holds them all. */
size_t snapshot_gaps(const struct snapshot *snapshot, uint64_t from_ticks, uint64_t to_ticks,
                     struct snapshot_gap *gaps);
size_t snapshot_markers(const struct snapshot *snapshot, uint64_t from_ticks, uint64_t to_ticks,
                        struct snapshot_marker *markers);

/* How the durations of one function are spread: n buckets, the i-th counting durations in [low, high].
 * The caller frees `buckets`. */
struct snapshot_histogram {
    size_t n;
    struct snapshot_bucket {
        uint64_t low_ticks, high_ticks, count;
    } * buckets;
};

/* Tells the spread of a function's durations: no buckets where nothing was timed. What snapshot_since() made
 * tells that of its newer snapshot. `function` is below function_count. False when memory is used up. */
bool snapshot_histogram(const struct snapshot *snapshot, uint32_t function, struct snapshot_histogram *out);

/* True when anything was measured: a call, time, sample, checkpoint or message. */
bool snapshot_has_some(const struct snapshot *snapshot);

#endif
