/* event.h - the first waist: everything a target can say, whatever dialect it speaks.
 *
 * A dialect fills these, the profile adds them up. Ticks are target ticks, widened to 64 bits by the dialect,
 * never converted; addresses are as the wire gave them (the symbol table knows about Thumb bits). */
#ifndef EVENT_H
#define EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum event_kind {
    EVENT_CALL,    /* a finished call: `ticks` is its start */
    EVENT_ENTER,   /* a function begins now */
    EVENT_EXIT,    /* ... and ends */
    EVENT_OPEN,    /* the call at `depth`, which began unseen, is one of this function */
    EVENT_STACK,   /* other calls run in the context than those reported: some ended, or began, unseen */
    EVENT_SWITCH,  /* the processor runs this context from now on */
    EVENT_CONTEXT, /* what a context is, and what it is called */
    EVENT_NODE,    /* calls along one chain of callers, counted by the target */
    EVENT_OUTSIDE, /* what a context did in none of these */
    EVENT_BELOW,   /* time below a node that the target counted, in calls whose callers are not known */
    EVENT_EVICTED, /* calls and time of a function, likewise: the time is among that of EVENT_BELOW */
    EVENT_ROOM,    /* how many nodes the target's call tree has room for, and how many it would need */
    EVENT_RUN,     /* a run of profiling begins, or goes on that was not known before */
    EVENT_RECOUNT, /* the target counts again: numbers of nodes mean others from now on */
    EVENT_ARC,     /* calls from a place to a function, counted by the target */
    EVENT_SAMPLE,  /* the program counter was seen here */
    EVENT_MARK,    /* a numbered checkpoint was passed */
    EVENT_PLAN,    /* how checkpoints are to be read: pairs, names, calibration; replaces the one before */
    EVENT_AVERAGE, /* a mean that the target worked out itself */
    EVENT_TEXT,    /* a text message of the target */
    EVENT_CLOCK,   /* the target's clock: how ticks relate to seconds from here on */
    EVENT_TARGET,  /* who the target is */
    EVENT_STATUS,  /* how the target's own buffers are */
    EVENT_DESCRIPTION, /* what the target can do, and what can be set there */
    EVENT_ANSWER,      /* the target agreed to the last command, or did not */
    EVENT_CLOSED,      /* the target was asked to say when it has reported everything of its run, and did */
    EVENT_LOST,        /* something is missing before the next event */
    EVENT_RESET,       /* the target started again: nothing before can still be running */
    EVENT_WINDOW,      /* a window of the target's newest events begins, says why it was kept, or is over */
};

enum event_flag {
    EVENT_BY_NAME = 1,        /* ENTER, EXIT: the function is `call.name`, not an address */
    EVENT_ESTIMATED_TIME = 2, /* `ticks` is the host's guess */
    EVENT_ENDS_INNER = 4,     /* EXIT: calls above it have ended as well, as longjmp() ends them */
    EVENT_ENDS_NOW = 4,   /* STACK: an unknown call ended at `ticks`; else calls ended unseen before that */
    EVENT_WAITS = 8,      /* SWITCH: the thread that ran until now waits for something; else it could go on */
    EVENT_BY_ENTRY = 32,  /* ARC: `from` is the caller's entry, or 0: it is not known */
    EVENT_INTERRUPT = 16, /* SWITCH: the context is an interrupt's */
    EVENT_NUMBERED = 32,  /* CONTEXT: the name is a word and a number, for want of a better one */
    EVENT_KEPT = 64,      /* about stacks, LOST: it is of a WINDOW, and counted elsewhere already */
    EVENT_RESTS = 128, /* of what the target counted: it has stopped; `ticks` is when, and does not go on */
};

/* Contexts tell stacks apart: threads, interrupts, SyS-T origins. 0 is the one that a dialect without
 * contexts uses. */
enum { EVENT_CONTEXT_UNKNOWN = 0x7FFFFFFF }; /* some, there are too many: calls in it are only counted */

/* What a context is. */
enum event_context_kind {
    CONTEXT_UNKNOWN,
    CONTEXT_THREAD,
    CONTEXT_INTERRUPT,
    CONTEXT_IDLE, /* the thread that runs when no other has to */
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
            uint32_t unknown; /* this many run between the first `low` of these and the next one, and nothing
                                 is known about them */
            uint32_t high;
        } stack;
        struct {
            const char *name; /* not terminated, any bytes; valid during the batch; NULL: none is reported */
            uint32_t n;
            uint8_t kind;              /* enum event_context_kind */
        } context_is;                  /* CONTEXT */
        const struct event_node *node; /* NODE; valid during the batch */
        struct {
            uint64_t ticks;       /* that it ran */
            uint64_t other_calls; /* for which the target found no room */
            uint64_t other_ticks; /* in these */
            bool is_flat;         /* the target counts functions by their callers, and no tree */
        } outside;                /* OUTSIDE: since the one before */
        struct {
            uint32_t nodes;      /* that there is room for */
            uint32_t needed;     /* for all chains of callers that there were, estimated; 0: not known */
            uint16_t node_bytes; /* of the target's memory, for a further node; 0: not known */
            bool is_least;       /* it may be far more than `needed` */
            bool has_others;     /* some functions of these have no EVICTED of their own */
            uint32_t evictions;  /* nodes that gave up their places, at most UINT32_MAX */
            uint64_t bound;      /* ticks that any chain of callers may lack for that, at the most */
            uint64_t ticks;      /* that all of the tree and its contexts have */
        } room;                  /* ROOM */
        struct {
            uint64_t ticks;
            uint32_t number; /* of the node, as in event_node; EVENT_NO_NODE: below the context itself */
        } below;             /* BELOW: since the one before */
        struct {
            uint64_t address; /* 0: of functions that are not known */
            uint64_t calls;
            uint64_t ticks;         /* in the function itself */
            uint64_t longest_ticks; /* of a call so far, callees included; 0: not known */
        } evicted; /* EVICTED: since the one before. From the first on the function's total is not known */
        struct {
            uint64_t from; /* return address inside the caller */
            uint64_t to;   /* inside the callee */
            uint64_t calls;
            uint64_t ticks; /* in the callee itself; 0 where the target does not count that */
        } arc;
        struct {
            uint64_t address;
            uint64_t count; /* how often; 1 for a sample reported as it was taken */
            uint64_t bytes; /* of code from there on that may be meant; 0 or 1: just the address */
            uint32_t hz;    /* samples are taken a second; 0: as many as ticks */
        } sample;
        struct {
            uint32_t topic;
            uint32_t checkpoint;
            uint32_t calibration; /* index of the calibration value that applies, 0 to 3 */
            uint32_t count;       /* the target's counter as it was; `ticks` is this, widened */
            uint8_t
                counter; /* enum event_counter, where the plan has COUNTER_EITHER: what is known about it */
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
            const struct event_message
                *message; /* what else it carried; NULL nothing; valid during the batch */
        } text;
        struct {
            uint64_t ticks_per_second; /* 0: not known */
            bool other_unit; /* what was reported so far was measured otherwise: it does not add up with what
                                follows */
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
            bool losses_told;          /* what overflows cost is reported by LOST, exactly */
            bool counts_sums;          /* what was captured and has not come is reported later, as sums */
            bool has_triggers;         /* the next one means something */
            uint32_t triggers_missed;  /* since its START, of which it kept no window */
            bool has_cores;            /* the next one means something */
            uint32_t other_core_hooks; /* that ran on cores that are not measured, wraps at 2^32 */
        } status;
        const struct event_description *description; /* DESCRIPTION; valid during the batch */
        struct {
            bool ack;
        } answer;
        struct {
            uint8_t mode;  /* enum mode: of the run that was reported, MODE_CALLS where there was none */
            bool is_whole; /* as far as the packet shows nothing of the run is missing here */
        } closed;          /* CLOSED */
        struct {
            uint64_t records;   /* how many are known to be missing, 0 when it is unknown */
            bool line_was_away; /* and what comes next was sent on a new connection */
            uint64_t to_ticks;  /* KEPT: where what is missing ends */
            bool stacks_told;   /* what that does to stacks, STACK events tell; times are known up to `ticks`;
                                   with 0 records no call is missing */
        } lost;
        struct {
            uint64_t address;  /* WINDOW_TELLS, SLOW: of the function whose call took too long, */
            uint64_t duration; /* ticks; the event's own are when that call ended */
            uint32_t missed;   /* WINDOW_TELLS: triggers since the one before, of which nothing was kept */
            uint8_t stage;     /* enum event_window_stage */
            uint8_t reason;    /* WINDOW_TELLS: enum event_window_reason */
            bool is_whole;     /* WINDOW_ENDS: nothing of its end is missing */
        } window;
    };
};

/* What a WINDOW event says. One that begins while another is open ends that. */
enum event_window_stage { WINDOW_BEGINS, WINDOW_TELLS, WINDOW_ENDS };

/* Why a window was kept. */
enum event_window_reason {
    WINDOW_UNTOLD, /* the target did not say, or in a word that is not known */
    WINDOW_ASKED,  /* the host asked for it */
    WINDOW_SLOW,   /* a call took too long */
};

/* What there can be to see in a profile. A dialect says what it fills and an export what it needs, so that
 * the page greys the rest and an export that has nothing to write can say why. */
enum provides {
    PROVIDES_TREE = 1,
    PROVIDES_ARCS = 2,
    PROVIDES_SAMPLES = 4,
    PROVIDES_MARKS = 8,
    PROVIDES_MESSAGES = 16,
    PROVIDES_TIMELINE = 32,
};

/* The ways to tell calls, by the version of PROFILE_DATA (protocol/SPEC.md); a target may offer several. */
enum mode {
    MODE_AUTO,       /* whichever suits; of one in use: not known */
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

/* What a message of a structured log carries besides its text. Texts are terminated and may be any bytes;
 * NULL is unknown. */
struct event_message {
    const char *status;     /* "OK", or in a word why the message could not be read in full */
    const char *type;       /* kind of message, and its kind of payload where it has one: "STRING:ENTER" */
    const char *origin;     /* name, or number, of the origin */
    const char *location;   /* of the instrumented line: "file:line", or a code address in hex */
    const char *collateral; /* the file that explained the message */
    bool is_call;           /* also reported as ENTER or EXIT, so a log for people may leave it out */
    bool has_timestamp, has_checksum;
    bool has_channel;           /* the next two: which of the channels of what carried it */
    uint16_t master, channel;   /* of the MIPI System Trace Protocol */
    uint64_t timestamp;         /* as the message has it, in ticks of its own clock */
    uint64_t context_timestamp; /* of what carried the message, in its own units */
    uint32_t checksum;          /* as the message has it */
    uint32_t raw_length;        /* bytes of the whole message */
};

#define EVENT_NO_NODE UINT32_MAX

/* Calls that the target counted at one node of its call tree. */
struct event_node {
    uint64_t address;       /* of the function */
    uint32_t number;        /* of the node, below EVENT_NODES_MAX; until RECOUNT it is the same one */
    uint32_t parent;        /* likewise, of one reported before; EVENT_NO_NODE: outermost in its context */
    uint64_t calls, ticks;  /* entries, and time in the function itself, since it was reported before */
    uint64_t longest_ticks; /* of a call so far, callees included; 0: not known */
};
enum { EVENT_NODES_MAX = 65536 };

/* How checkpoints are to be read. Texts are terminated and may be any bytes. */
struct event_plan {
    const struct event_pair { /* what lies between `from` of `topic` and `to` of `to_topic` */
        const char *name;
        uint32_t topic, from, to, to_topic;
        bool of_world;                        /* false: each calibration index by itself */
        uint32_t calibration, to_calibration; /* else those at which it begins and ends */
    } * pairs;
    size_t pair_count;
    const struct event_mark_name {
        const char *name;
        uint32_t topic, checkpoint;
        bool is_topic; /* the name of the whole topic */
    } * names;
    size_t name_count;
    uint32_t calibration[4]; /* ticks that passing a checkpoint costs itself, by calibration index */
    enum event_counter {
        COUNTER_EITHER, /* it is not known: two readings are as far apart as the shorter way round */
        COUNTER_UP,
        COUNTER_DOWN,
    } counter; /* which way the target's 32-bit counter runs */
};

/* What a target says of itself when it is asked. */
enum { EVENT_SETTINGS_MAX = 32 }; /* those beyond are left out */
struct event_description {
    uint32_t versions; /* of PROFILE_DATA that it can send: bit v for version v */
    uint32_t tick_hz;  /* ticks per second in MODE_STREAM */
    uint32_t ring_calls, stack_depth, tasks;
    uint32_t packet_bytes; /* of a full payload in MODE_STREAM */
    /* Of a tick, that the hooks of a call take in MODE_CALLS and MODE_STREAM; 0: not known. */
    uint32_t hook_sixteenths;
    /* The same in MODE_TREE: of a callee that its caller called last as well, of one that is looked up, and
     * of the outermost call of an interrupt. */
    uint32_t hook_tree_sixteenths, hook_lookup_sixteenths, hook_interrupt_sixteenths;
    struct event_run { /* of profiling, that is under way or was last */
        bool is_told;  /* else nothing of it is, and the target knows no CLOSED */
        uint32_t boot; /* differs from one start of the target to the next; 0: not known */
        uint8_t number;
        uint8_t mode; /* MODE_AUTO: there was none; any other number may come */
        bool is_on, is_flat;
        bool counter_stands;  /* the target's counter has not gone on since its start */
        bool has_other_cores; /* that are not measured, and STATUS can say how many hooks ran there */
    } run;
    size_t setting_count;
    struct event_setting {
        uint8_t key;
        uint8_t name_n, unit_n;
        uint32_t least, most, value;
        const char *name, *unit; /* not terminated, any bytes */
    } settings[EVENT_SETTINGS_MAX];
};

/* Takes a batch of n events, one at least, in the order in which they were said. Millions of CALLs come in a
 * second, so a batch that begins with one is of nothing else, and one that begins with an ENTER or EXIT has
 * no CLOCK. They and what they point to are the dialect's and valid for the call only. */
typedef void (*event_batch_fn)(void *user, const struct event *events, size_t n);

/* Where a dialect's events go. */
struct event_out {
    event_batch_fn batch;
    void *user;
};

#endif
