/* device.h - the conversation with the device: what to tell it next, and what its answers mean. Sends nothing
 * itself and asks for no time, so that it can be tested without either. device.c has the picture. */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "event.h"
#include "device/baud.h"
#include "device/found_settings.h"
#include "device/mode.h"
#include "device/restart_watch.h"
#include "device/transaction.h"

struct device_timing {
    uint32_t answer_ms;   /* how long it may take to answer; each command is sent up to three times */
    uint32_t describe_ms; /* ... DESCRIBE, at the most: see describe_wait_ms */
    uint32_t status_ms;   /* between two STATUS commands */
    uint32_t slow_ms;     /* between two attempts while it does not answer */
};

enum device_answer {
    DEVICE_PENDING, /* not yet */
    DEVICE_ACK,     /* or the packet that was asked for */
    DEVICE_NACK,
    DEVICE_SILENT, /* three times asked, no answer */
    DEVICE_AWAY,   /* not connected, or nothing may be sent */
};

/* How far the conversation is; each phase has one thing to say. */
enum device_phase {
    PHASE_AWAY,       /* not connected, or nothing may be sent */
    PHASE_MEETING,    /* METADATA, at meet_ms: who is it? */
    PHASE_CHECKING,   /* STATUS, at once: has it restarted while nothing came from it? */
    PHASE_DESCRIBING, /* DESCRIBE, at once: what can it do? */
    PHASE_TUNING,     /* what a change of the line's rate takes, see baud.h */
    PHASE_PREPARING,  /* SET_CONFIG, at once: a trigger of an earlier session is disarmed */
    PHASE_STARTING,   /* START, at start_ms, and meanwhile STATUS as when watching */
    PHASE_WATCHING,   /* STATUS, at status_ms: it profiles, or is not to; METADATA where it never came */
    PHASE_STOPPING,   /* STOP, at once: we are about to leave */
    PHASE_DRAINING,  /* nothing: what the device had still to send is read, until it says that this was all */
    PHASE_RESTORING, /* SET_CONFIG, at once: settings that the session changed are as it found them */
    PHASE_LEAVING,   /* SET_CONFIG, at once: whoever comes next finds the device at the rate of its start */
    PHASE_STOPPED,   /* never anything more */
};

struct device {
    struct device_timing timing;
    bool control;    /* commands may be sent at all */
    bool visits;     /* it is not stopped at the end */
    bool begins_own; /* a run that another session began is ended by START, not joined */

    enum device_phase phase;
    uint64_t meet_ms, start_ms, status_ms; /* when the phases' commands are due */

    struct transaction transaction; /* the outstanding command, be it the phase's or the user's */
    bool tunes;                     /* the last one of ours was TUNING's, not that of a phase before */
    struct restart_watch watch;

    /* What is known about the device, and wanted of it. */
    bool started; /* START was answered since it was connected, restarted or fell silent */
    bool
        resumes; /* ... before it went out of sight, and counted: if it still does, it is not started again */
    bool started_ever;    /* it may be profiling because of us */
    bool named;           /* METADATA came since it was connected or restarted: DESCRIBE is worth a try */
    unsigned names_left;  /* how often it is asked once more who it is, at meet_ms, since it talked on and did
                             not say */
    bool asks_behind;     /* DESCRIBE stayed unanswered, and METADATA is asked for next: a device that answers
                             that has passed over DESCRIBE, and one that does not is only slow */
    bool described;       /* ... and DESCRIBE was answered since then, or is not to be asked */
    uint32_t versions;    /* ... that its DESCRIPTION offers, as bits; 0: none came */
    enum mode mode;       /* in which it was started last; MODE_AUTO: it was not */
    uint64_t describe_ms; /* when it is asked to describe itself, if it is to be */
    uint32_t describe_wait_ms; /* how long DESCRIBE is waited for, by how long METADATA took */
    bool start_unanswered;     /* the last START was given up, and no STATUS said that it profiles */
    bool silent;               /* a command of ours stayed unanswered, and nothing was answered since */
    bool profiling_wanted;
    bool has_trigger; /* the user wants one: that which is armed is not taken back */
    struct found_settings settings;
    enum mode mode_wanted;
    uint32_t versions_read; /* which it may be asked for, as bits */
    bool overloaded;        /* in the stream too much was lost, since a mode was wanted last */
    struct baud baud;
    struct device_run {
        bool is_told;    /* it says which start and which run it is, and lets START resume one */
        bool is_known;   /* the number of the run that we began */
        bool is_joined;  /* it was under way when we came, and somebody else began it */
        bool is_foreign; /* one that somebody else began, number `foreign`, is to be ended by START */
        uint8_t number, foreign;
    } run;
    bool has_other_cores; /* it says in STATUS, if asked, how often they ran hooks, which are not measured */
    bool closes;          /* it knows the closing packet, with which it says that it has sent everything */
    bool closed;          /* at the end it sent that packet, and nothing was missing */
    bool ends_mute;       /* it answered neither what it was asked last before the end, nor STOP */
    unsigned stops;       /* that were answered or given up at the end */
    bool crowded;         /* the tree found too little room, likewise */
    bool flat;            /* the last START asked for the flat form */

    struct device_order {
        bool waits; /* the user's command is next, or outstanding */
        bool tunes; /* it sets the line's rate, which takes the phase for that */
        struct mp_command command;
        enum device_answer answer;
    } order;
};

/* Prepares the conversation with a device that is not connected yet. `control` false: it is never sent
 * anything. */
void device_init(struct device *device, const struct device_timing *timing, bool control);

/* Says how the device is to tell its calls where it has a choice, and which versions can be read (bit v for
 * version v). Without, it is MODE_CALLS. If it profiles another way than it would be asked for now, it is
 * started again. */
void device_want_mode(struct device *device, enum mode wanted, uint32_t versions_read, uint64_t now_ms);

/* Says that more is lost in the stream than is good: the device is started in another mode if that is left to
 * it and there is one. */
void device_overloaded(struct device *device, uint64_t now_ms);

/* Says that the tree has more nodes than the target has room for: a device that counts one is started again
 * in the flat form, a row for a function as called by another. */
void device_crowded(struct device *device, uint64_t now_ms);

/* Says how far the line's rate is to be raised where the device can; 0: not at all. */
static inline void device_raise_baud(struct device *device, uint32_t most)
{
    device->baud.most = most;
}

/* Says whether the user wants a trigger, so that one which is armed at START is his. */
static inline void device_want_trigger(struct device *device, bool wanted)
{
    device->has_trigger = wanted;
}

/* From now on the device is left as it is: it is started and stopped only when the user asks for it. */
void device_visit(struct device *device);

/* Has the device begin a run of its own for this session: one that is under way is not joined. To be said
 * before it is connected. */
static inline void device_begin_own(struct device *device)
{
    device->begins_own = true;
}

/* The line to the device is there, at that rate (0: it has none), or went away. */
void device_connect(struct device *device, uint32_t baud, uint64_t now_ms);
void device_disconnect(struct device *device);

/* At which rate the line is to be before something is sent; 0: it has none. */
static inline uint32_t device_baud(const struct device *device)
{
    return device->baud.line;
}

/* The port cannot have that rate; it says why. */
static inline void device_baud_impossible(struct device *device, const struct error *why, uint64_t now_ms)
{
    baud_impossible(&device->baud, why, now_ms);
}

/* Why the line is not at the rate that was wanted, in a sentence; "" when it is. */
static inline const char *device_baud_trouble(const struct device *device)
{
    return device->baud.trouble.text;
}

/* Tells whether to send *command now. The caller asks again until that is false, whenever something was
 * received, and at the deadline. */
bool device_next(struct device *device, uint64_t now_ms, struct mp_command *command);

/* When device_next() may have something though nothing comes; UINT64_MAX: never. */
uint64_t device_deadline_ms(const struct device *device);

/* Takes in what the device said. True: it has started again, and what it said is the first of that. */
bool device_hear(struct device *device, const struct event *event, uint64_t now_ms);

/* Does what device_hear() does with any number of calls: the way for millions of them. */
static inline void device_hear_calls(struct device *device)
{
    restart_watch_hear(&device->watch);
}

/* Takes a command of the user's, at most one at a time: it is sent as soon as no other is outstanding. A
 * START or STOP also says what is wanted after a restart. One that sets the line's rate is answered when the
 * device has answered at that rate, or NACK, and device_baud_trouble() says why. */
void device_ask(struct device *device, const struct mp_command *command, uint64_t now_ms);

/* What became of the last command of the user's. */
static inline enum device_answer device_user_answer(const struct device *device)
{
    return device->order.answer;
}

/* Has the device stop profiling, if that was our doing, sets back the settings that the session changed (not
 * on a visit, which is made for them), and brings it back to the rate of its start.
 * device_has_stopped() once that is answered or given up. In between device_is_draining(), from the answer to
 * STOP until the device says that it has reported everything, or the caller that the line is quiet, or that
 * there is no more time. Nothing else is sent from here on. */
void device_stop(struct device *device, uint64_t now_ms);

static inline bool device_is_draining(const struct device *device)
{
    return device->phase == PHASE_DRAINING;
}

/* What the device had still to tell when it was stopped has come, as far as the line tells: it is quiet. A
 * device that is to say when that was all is asked again. */
void device_line_is_quiet(struct device *device);

/* There is no more time to read what the device had still to send. */
void device_heard_out(struct device *device);

/* True when the device was started by us, could say at the end that it had reported everything, and did not,
 * or some of that is missing. To be asked at the end. */
static inline bool device_is_unclosed(const struct device *device)
{
    return device->started_ever && !device->visits && device->closes && !device->closed;
}

/* True when the device was started by us, and answered nothing when the session ended. To be asked at the
 * end. */
static inline bool device_ends_mute(const struct device *device)
{
    return device->started_ever && !device->visits && device->ends_mute;
}

static inline bool device_has_stopped(const struct device *device)
{
    return device->phase == PHASE_STOPPED;
}

/* In which mode the device profiles because of us; MODE_AUTO when it does not, or it is unknown. */
static inline enum mode device_mode(const struct device *device)
{
    return device->started ? device->mode : MODE_AUTO;
}

/* True when what comes now may be of a run that somebody else began, and that START is going to end: the
 * device has not said yet what it does, or has said that it profiles. False where it does not answer. */
bool device_awaits_own_run(const struct device *device);

/* True when it is to be started, which it was not yet, or not so. */
static inline bool device_is_to_start(const struct device *device)
{
    return device->phase == PHASE_STARTING;
}

/* True when it is being asked to describe itself, which ends soon, one way or another. */
static inline bool device_is_describing(const struct device *device)
{
    return device->phase == PHASE_DESCRIBING;
}

/* True when the device is not started because it does not say whether it has the mode that was asked for. */
static inline bool device_awaits_description(const struct device *device)
{
    return device->phase == PHASE_DESCRIBING && device->describe_ms > 0;
}

/* True when the device is connected, should answer, and does not. */
static inline bool device_is_silent(const struct device *device)
{
    return device->silent;
}

#endif
