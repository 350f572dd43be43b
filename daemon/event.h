/* event.h - the first waist: everything that a target can report, in any dialect.
 *
 * Dialects make events, the profile adds them up. Ticks are those of the target, widened to 64 bits by the
 * dialect and never converted. Addresses are as on the wire (the symbol table handles Thumb bits). */
#ifndef EVENT_H
#define EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum event_kind {
    EVENT_CALL,        /* a finished call: `ticks` is its start */
    EVENT_ENTER,       /* a function begins now */
    EVENT_EXIT,        /* a function ends now */
    EVENT_OPEN,        /* names the function of the call at `depth`, whose begin was not reported */
    EVENT_STACK,       /* corrects the context's stack: some calls began or ended unreported */
    EVENT_SWITCH,      /* the processor runs this context from now on */
    EVENT_CONTEXT,     /* the kind and name of a context */
    EVENT_NODE,        /* calls along one chain of callers, counted by the target */
    EVENT_OUTSIDE,     /* a context's time in no function, and its calls without a node */
    EVENT_BELOW,       /* time below a counted node, in calls whose callers are unknown */
    EVENT_EVICTED,     /* a function's calls and time with unknown callers; EVENT_BELOW has that time, too */
    EVENT_ROOM,        /* how many nodes the target's call tree can hold, and how many it would need */
    EVENT_RUN,         /* a run of profiling begins, or one that was unknown so far continues */
    EVENT_RECOUNT,     /* the target counts from zero: from now on, node numbers mean other nodes */
    EVENT_ARC,         /* calls from an address to a function, counted by the target */
    EVENT_SAMPLE,      /* the program counter was seen here */
    EVENT_MARK,        /* a numbered checkpoint was passed */
    EVENT_PLAN,        /* how to read checkpoints: pairs, names, calibration; replaces the last one */
    EVENT_AVERAGE,     /* a mean that the target computed */
    EVENT_TEXT,        /* a text message of the target */
    EVENT_CLOCK,       /* the target's clock: how ticks relate to seconds from here on */
    EVENT_TARGET,      /* the target's clock rates, version and build */
    EVENT_STATUS,      /* the state of the target's buffers */
    EVENT_DESCRIPTION, /* the target's abilities and settings */
    EVENT_ANSWER,      /* the target accepted or refused the last command */
    EVENT_CLOSED,      /* the target has reported everything of its run */
    EVENT_LOST,        /* something is missing before the next event */
    EVENT_RESET,       /* the target restarted: no earlier call can still be running */
    EVENT_WINDOW,      /* a window of the target's newest events begins, gives its reason, or ends */
};

enum event_flag {
    EVENT_BY_NAME = 1,        /* ENTER, EXIT: the function is `call.name`, not an address */
    EVENT_ESTIMATED_TIME = 2, /* `ticks` is the host's guess */
    EVENT_ENDS_INNER = 4,     /* EXIT: calls above it ended as well (longjmp) */
    EVENT_ENDS_NOW = 4,   /* STACK: an unknown call ended at `ticks`; else calls ended unreported before it */
    EVENT_WAITS = 8,      /* SWITCH: the thread that ran until now is blocked; else it is preempted */
    EVENT_BY_ENTRY = 32,  /* ARC: `from` is the caller's entry; 0: unknown */
    EVENT_INTERRUPT = 16, /* SWITCH: the context is an interrupt's; ARC: an interrupt began the call */
    EVENT_NUMBERED = 32,  /* CONTEXT: the name is only a word and a number */
    EVENT_KEPT = 64,      /* stack events, LOST: part of a WINDOW; counted elsewhere already */
    EVENT_RESTS = 128,    /* events with the target's counts: it stopped at `ticks`; its time stands still */
};

/* Contexts distinguish stacks: threads, interrupts, SyS-T origins. A dialect without
 * contexts uses 0. */
enum { EVENT_CONTEXT_UNKNOWN = 0x7FFFFFFF }; /* one context too many: its calls are only counted */

/* The kind of a context. */
enum event_context_kind {
    CONTEXT_UNKNOWN,
    CONTEXT_THREAD,
    CONTEXT_INTERRUPT,
    CONTEXT_IDLE, /* the thread that runs when no other is ready */
};

struct event {
    uint8_t kind; /* enum event_kind */
    uint8_t flags;
    uint16_t depth;   /* CALL, OPEN: 0 is the outermost */
    uint32_t context; /* the dialect's own number */
    uint64_t ticks;
    union {
        struct {
            uint64_t address;
            uint64_t duration; /* CALL: ticks, children included */
        } call;                /* CALL, ENTER, EXIT, OPEN */
        struct {
            const char *name; /* not terminated, any bytes; valid during the batch */
            uint32_t n;
        } named; /* ENTER, EXIT with EVENT_BY_NAME */
        struct {
            uint32_t low;     /* of the calls reported, the outermost low + high still run; */
            uint32_t unknown; /* this many unknown calls run between the first `low` of these and the next */
            uint32_t high;
        } stack;
        struct {
            const char *name; /* not terminated, any bytes; valid during the batch; NULL: none was reported */
            uint32_t n;
            uint8_t kind;              /* enum event_context_kind */
        } context_is;                  /* CONTEXT */
        const struct event_node *node; /* NODE; valid during the batch */
        struct {
            uint64_t ticks;       /* that the context ran in no function */
            uint64_t other_calls; /* that did not fit into the target's tree */
            uint64_t other_ticks; /* time in these calls */
            bool is_flat;         /* the target counts functions by caller, not a tree */
        } outside;                /* OUTSIDE: since the last one */
        struct {
            uint32_t nodes;      /* how many the tree can hold */
            uint32_t needed;     /* estimate for all chains of callers so far; 0: unknown */
            uint16_t node_bytes; /* of the target's memory per node; 0: unknown */
            bool is_least;       /* `needed` is a lower limit, perhaps far too low */
            bool has_others;     /* some evicted functions have no EVICTED of their own */
            uint32_t evictions;  /* nodes that gave up their slots; saturates at UINT32_MAX */
            uint64_t bound;      /* error bound: ticks that a chain may lack due to evictions */
            uint64_t ticks;      /* of the whole tree and its contexts */
        } room;                  /* ROOM */
        struct {
            uint64_t ticks;
            uint32_t number; /* of the node, as in event_node; EVENT_NO_NODE: below the context */
        } below;             /* BELOW: since the last one */
        struct {
            uint64_t address; /* 0: of unknown functions */
            uint64_t calls;
            uint64_t ticks;         /* self time */
            uint64_t longest_ticks; /* of the longest call so far, callees included; 0: unknown */
        } evicted; /* EVICTED: since the last one. From the first on, the function's total is unknown */
        struct {
            uint64_t from; /* return address inside the caller */
            uint64_t to;   /* inside the callee */
            uint64_t calls;
            uint64_t ticks; /* self time of the callee; 0 where the target does not count that */
        } arc;
        struct {
            uint64_t address;
            uint64_t count; /* number of samples; 1 if each is reported when taken */
            uint64_t bytes; /* size of the code range sampled; 0 or 1: just the address */
            uint32_t hz;    /* sampling rate; 0: one sample per tick */
        } sample;
        struct {
            uint32_t topic;
            uint32_t checkpoint;
            uint32_t calibration; /* index of the calibration value that applies, 0 to 3 */
            uint32_t count;       /* the target's counter; `ticks` is this, widened */
            uint8_t counter; /* enum event_counter, if the plan has COUNTER_EITHER: its known direction */
        } mark;
        const struct event_plan *plan; /* PLAN; valid during the batch */
        struct {
            const char *name; /* of what was measured; not terminated, any bytes; valid during the batch */
            uint32_t n;
            uint32_t calibration; /* as in mark: where it was measured */
            uint64_t mean_ticks;
        } average;
        struct {
            const char *text; /* not terminated, any bytes; valid during the batch */
            uint32_t n;
            uint8_t severity; /* enum event_severity */
            uint16_t origin, unit;
            const struct event_message *message; /* its other fields; NULL: none; valid during the batch */
        } text;
        struct {
            uint64_t ticks_per_second; /* 0: unknown */
            bool other_unit;           /* the tick's unit changes here: earlier times cannot be added */
        } clock;
        struct {
            uint32_t mcu_clock_hz;
            uint32_t timer_hz;
            uint32_t elf_build_id;
            char fw_version[16]; /* NUL-padded, need not be terminated, any bytes */
        } target;
        struct {
            uint32_t buffer_overflows; /* events, wraps at 2^32 */
            uint32_t records_captured; /* wraps at 2^32 */
            uint8_t buffer_usage_percent;
            bool profiling;
            bool losses_told;         /* LOST reports the exact losses of overflows */
            bool counts_sums;         /* captured records that have not arrived are reported later, as sums */
            bool has_triggers;        /* the next member is valid */
            uint32_t triggers_missed; /* triggers since START without a window */
            bool has_cores;           /* the next member is valid */
            uint32_t other_core_hooks; /* hooks run on cores that are not measured; wraps at 2^32 */
        } status;
        const struct event_description *description; /* DESCRIPTION; valid during the batch */
        struct {
            bool ack;
        } answer;
        struct {
            uint8_t mode;  /* enum mode of the run that was reported; MODE_CALLS if there was none */
            bool is_whole; /* by the packet's counts, all of the run was received */
        } closed;          /* CLOSED */
        struct {
            uint64_t records;   /* number missing; 0: unknown */
            bool line_was_away; /* what follows was sent on a new connection */
            uint64_t to_ticks;  /* KEPT: end of the gap */
            bool stacks_told;   /* STACK events report the effect on stacks; times are known up to `ticks`;
                                   with 0 records no call is missing */
        } lost;
        struct {
            uint64_t address;  /* WINDOW_TELLS, SLOW: of the function whose call took too long */
            uint64_t duration; /* of that call; the event's `ticks` are its end */
            uint32_t missed;   /* WINDOW_TELLS: triggers without a window since the last one */
            uint8_t stage;     /* enum event_window_stage */
            uint8_t reason;    /* WINDOW_TELLS: enum event_window_reason */
            bool is_whole;     /* WINDOW_ENDS: its end was received completely */
        } window;
    };
};

/* The stages of a window. One that begins while another is open ends the other. */
enum event_window_stage { WINDOW_BEGINS, WINDOW_TELLS, WINDOW_ENDS };

/* Why a window was kept. */
enum event_window_reason {
    WINDOW_UNTOLD, /* the target gave no reason, or an unknown one */
    WINDOW_ASKED,  /* the host asked for it */
    WINDOW_SLOW,   /* a call took too long */
};

/* The parts of a profile. A dialect lists those it fills, and an export those it needs. So the page can grey
 * out the rest, and an export with nothing to write can report why. */
enum provides {
    PROVIDES_TREE = 1,
    PROVIDES_ARCS = 2,
    PROVIDES_SAMPLES = 4,
    PROVIDES_MARKS = 8,
    PROVIDES_MESSAGES = 16,
    PROVIDES_TIMELINE = 32,
};

/* How calls are reported. The value is the version of PROFILE_DATA (protocol/SPEC.md); a target may offer
 * several. */
enum mode {
    MODE_AUTO,       /* choose one; as the mode in use: unknown */
    MODE_CALLS = 1,  /* each call when it has ended */
    MODE_STREAM = 2, /* entries and exits as they happen */
    MODE_TREE = 3,   /* a tree of calls that the target counts itself */
    MODES,
};

enum event_severity {
    SEVERITY_MAX,
    SEVERITY_FATAL,
    SEVERITY_ERROR,
    SEVERITY_WARNING,
    SEVERITY_INFO,
    SEVERITY_USER1,
    SEVERITY_USER2,
    SEVERITY_DEBUG,
};

/* The fields of a structured log message besides its text. Texts are terminated and may be any bytes; NULL:
 * unknown. */
struct event_message {
    const char *status;     /* "OK", or a word for why the message could not be decoded completely */
    const char *type;       /* kind of message, and its kind of payload where it has one: "STRING:ENTER" */
    const char *origin;     /* name, or number, of the origin */
    const char *location;   /* of the instrumented line: "file:line", or a code address in hex */
    const char *collateral; /* the file that explained the message */
    bool is_call;           /* also reported as ENTER or EXIT, so a log may omit it */
    bool has_timestamp, has_checksum;
    bool has_channel;           /* the next two are valid */
    uint16_t master, channel;   /* of the MIPI System Trace Protocol, which carried it */
    uint64_t timestamp;         /* in ticks of the message's own clock */
    uint64_t context_timestamp; /* of the carrying protocol, in that protocol's units */
    uint32_t checksum;          /* as in the message */
    uint32_t raw_length;        /* bytes of the whole message */
};

#define EVENT_NO_NODE UINT32_MAX

/* Calls that the target counted at one node of its call tree. */
struct event_node {
    uint64_t address;       /* of the function */
    uint32_t number;        /* of the node, below EVENT_NODES_MAX; does not change until RECOUNT */
    uint32_t parent;        /* number of a node reported before; EVENT_NO_NODE: outermost in its context */
    uint64_t calls, ticks;  /* entries and self time since the node's last report */
    uint64_t longest_ticks; /* of the longest call so far, callees included; 0: unknown */
};
enum { EVENT_NODES_MAX = 65536 };

/* How to read checkpoints. Texts are terminated and may be any bytes. */
struct event_plan {
    const struct event_pair { /* the time between `from` of `topic` and `to` of `to_topic` */
        const char *name;
        uint32_t topic, from, to, to_topic;
        bool of_world;                        /* false: each calibration index is measured separately */
        uint32_t calibration, to_calibration; /* with of_world: the indices at begin and end */
    } * pairs;
    size_t pair_count;
    const struct event_mark_name {
        const char *name;
        uint32_t topic, checkpoint;
        bool is_topic; /* the name of the whole topic */
    } * names;
    size_t name_count;
    uint32_t calibration[4]; /* cost of passing a checkpoint in ticks, by calibration index */
    enum event_counter {
        COUNTER_EITHER, /* unknown: the difference of two readings is the shorter way round */
        COUNTER_UP,
        COUNTER_DOWN,
    } counter; /* direction of the target's 32-bit counter */
};

/* A target's description of itself. */
enum { EVENT_SETTINGS_MAX = 32 }; /* further ones are dropped */
struct event_description {
    uint32_t versions; /* of PROFILE_DATA that it can send: bit v for version v */
    uint32_t tick_hz;  /* ticks per second in MODE_STREAM */
    uint32_t ring_calls, stack_depth, tasks;
    uint32_t packet_bytes; /* of a full payload in MODE_STREAM */
    /* The cost of a call's hooks in MODE_CALLS and MODE_STREAM, in 1/16 tick; 0: unknown. */
    uint32_t hook_sixteenths;
    /* The same in MODE_TREE: for a callee that is also its caller's last one, for one that is looked up, and
     * for the outermost call of an interrupt. */
    uint32_t hook_tree_sixteenths, hook_lookup_sixteenths, hook_interrupt_sixteenths;
    struct event_run { /* the current or last run of profiling */
        bool is_told;  /* false: the other members are unset, and the target never sends CLOSED */
        uint32_t boot; /* differs between starts of the target; 0: unknown */
        uint8_t number;
        uint8_t mode; /* MODE_AUTO: no run yet; may be any other number */
        bool is_on, is_flat;
        bool counter_stands;  /* the target's counter has not moved since its start */
        bool has_other_cores; /* some cores are not measured; STATUS can count their hooks */
    } run;
    size_t setting_count;
    struct event_setting {
        uint8_t key;
        uint8_t name_n, unit_n;
        uint32_t least, most, value;
        const char *name, *unit; /* not terminated, any bytes */
    } settings[EVENT_SETTINGS_MAX];
};

/* Takes a batch of n events (n > 0) in the order in which they were sent. Millions of CALLs arrive per second,
 * so a batch that begins with CALL has nothing else, and one that begins with ENTER or EXIT has no CLOCK. The
 * dialect owns the events and everything they point to; they are valid during the call only. */
typedef void (*event_batch_fn)(void *user, const struct event *events, size_t n);

/* The receiver of a dialect's events. */
struct event_out {
    event_batch_fn batch;
    void *user;
};

#endif
