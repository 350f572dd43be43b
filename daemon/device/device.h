/* device.h - the conversation with the device: what to send next, and what its answers mean. It does not send
 * or read the clock itself, so that it can be tested without either. device.c has a diagram. */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "event.h"
#include "device/baud.h"
#include "device/found_settings.h"
#include "device/mode.h"
#include "device/restart_watch.h"
#include "device/transaction.h"

struct device_timing {
    uint32_t answer_ms;   /* limit for an answer; each command is sent up to three times */
    uint32_t describe_ms; /* limit for DESCRIBE: see describe_wait_ms */
    uint32_t status_ms;   /* between two STATUS commands */
    uint32_t slow_ms;     /* between two attempts while it does not answer */
};

enum device_answer {
    DEVICE_PENDING, /* not yet */
    DEVICE_ACK,     /* or the requested packet */
    DEVICE_NACK,
    DEVICE_SILENT, /* no answer to three attempts */
    DEVICE_AWAY,   /* not connected, or nothing may be sent */
};

/* The phase of the conversation; each has one command to send. */
enum device_phase {
    PHASE_AWAY,       /* not connected, or nothing may be sent */
    PHASE_MEETING,    /* METADATA, at meet_ms */
    PHASE_CHECKING,   /* STATUS, at once: has it restarted during the silence? */
    PHASE_DESCRIBING, /* DESCRIBE, at once */
    PHASE_TUNING,     /* commands for changing the line's rate, see baud.h */
    PHASE_PREPARING,  /* SET_CONFIG, at once: disarms a trigger of an earlier session */
    PHASE_STARTING,   /* START, at start_ms; meanwhile STATUS as in WATCHING */
    PHASE_WATCHING,   /* STATUS, at status_ms: it profiles, or should not; METADATA if it never arrived */
    PHASE_STOPPING,   /* STOP, at once: the session ends */
    PHASE_DRAINING,   /* nothing: remaining data is received until the device reports that it is complete */
    PHASE_RESTORING,  /* SET_CONFIG, at once: restores the settings that the session changed */
    PHASE_LEAVING,    /* SET_CONFIG, at once: restores the rate of the device's start for the next session */
    PHASE_STOPPED,    /* never anything more */
};

struct device {
    struct device_timing timing;
    bool control;    /* commands may be sent at all */
    bool visits;     /* it is not stopped at the end */
    bool begins_own; /* START ends a run of another session, instead of joining it */

    enum device_phase phase;
    uint64_t meet_ms, start_ms, status_ms; /* when the commands of the phases are due */

    struct transaction transaction; /* the outstanding command, of the phase or the user */
    bool tunes;                     /* our last command was for TUNING, not for an earlier phase */
    struct restart_watch watch;

    /* What is known about the device, and wanted from it. */
    bool started;      /* START was answered since it was connected, restarted or fell silent */
    bool resumes;      /* ... before it was silent: if it still profiles, it is not started again */
    bool started_ever; /* it may be profiling because of us */
    bool named;        /* METADATA arrived since it was connected or restarted, so DESCRIBE is worth a try */
    unsigned names_left;  /* how often METADATA is requested again, at meet_ms, while it sends other data */
    bool asks_behind;     /* DESCRIBE was not answered, and METADATA is next: a device that answers that has
                           * ignored DESCRIBE; one that does not is only slow */
    bool described;       /* ... and DESCRIBE was answered since, or is not to be sent */
    uint32_t versions;    /* in its DESCRIPTION, as bits; 0: none arrived */
    enum mode mode;       /* of the last START; MODE_AUTO: none */
    uint64_t describe_ms; /* when DESCRIBE is due */
    uint32_t describe_wait_ms; /* how long to wait for DESCRIBE, by the delay of METADATA */
    bool start_unanswered;     /* the last START was given up, and no STATUS showed that it profiles */
    bool silent;               /* a command of ours was not answered, and nothing since */
    bool profiling_wanted;
    bool has_trigger; /* the user wants a trigger: an armed one is not disarmed */
    struct found_settings settings;
    enum mode mode_wanted;
    uint32_t versions_read; /* versions that can be read, as bits */
    bool overloaded;        /* too much of the stream was lost since a mode was last requested */
    struct baud baud;
    struct device_run {
        bool is_told;    /* it reports the number of its start and run, and START can resume a run */
        bool is_known;   /* the number of our run is known */
        bool is_joined;  /* it was running when we connected, and was begun by another session */
        bool is_foreign; /* run `foreign` was begun by another session, and START has to end it */
        uint8_t number, foreign;
    } run;
    bool has_other_cores; /* on request, STATUS has the number of hooks on cores that are not measured */
    bool closes;          /* it sends a closing packet when everything was sent */
    bool closed;          /* at the end it sent that packet, and nothing was missing */
    bool ends_mute;       /* it answered neither the last command before the end, nor STOP */
    unsigned stops;       /* number of STOPs answered or given up at the end */
    bool crowded;         /* the tree had too little room since a mode was last requested */
    bool flat;            /* the last START requested the flat form */

    struct device_order {
        bool waits; /* the user's command is next, or outstanding */
        bool tunes; /* it sets the line's rate, which needs TUNING */
        struct mp_command command;
        enum device_answer answer;
    } order;
};

/* Prepares the conversation with a device that is not connected yet. If `control` is false, nothing is ever
 * sent to it. */
void device_init(struct device *device, const struct device_timing *timing, bool control);

/* Sets how the device should report calls if it has a choice, and which versions can be read (bit v for
 * version v). The default is MODE_CALLS. If the device now profiles in another way, it is started again. */
void device_want_mode(struct device *device, enum mode wanted, uint32_t versions_read, uint64_t now_ms);

/* The stream loses too much: if the mode is automatic, the device is started in another mode, if it has
 * one. */
void device_overloaded(struct device *device, uint64_t now_ms);

/* The tree has more nodes than fit on the target. A device that counts a tree is started again in the flat
 * form, with a row for each function and its caller. */
void device_crowded(struct device *device, uint64_t now_ms);

/* Sets the limit to which the line's rate may be raised; 0: it is not changed. */
static inline void device_raise_baud(struct device *device, uint32_t most)
{
    device->baud.most = most;
}

/* Sets whether the user wants a trigger, so that an armed one at START is his. */
static inline void device_want_trigger(struct device *device, bool wanted)
{
    device->has_trigger = wanted;
}

/* From now on the device is only started and stopped by the user's orders. */
void device_visit(struct device *device);

/* The device has to begin a run for this session; a present run is not joined. Call this before it is
 * connected. */
static inline void device_begin_own(struct device *device)
{
    device->begins_own = true;
}

/* The line to the device was connected, at that rate (0: it has none), or disconnected. */
void device_connect(struct device *device, uint32_t baud, uint64_t now_ms);
void device_disconnect(struct device *device);

/* Returns the rate that the line must have before something is sent; 0: it has none. */
static inline uint32_t device_baud(const struct device *device)
{
    return device->baud.line;
}

/* The port cannot be set to that rate, for the reason `why`. */
static inline void device_baud_impossible(struct device *device, const struct error *why, uint64_t now_ms)
{
    baud_impossible(&device->baud, why, now_ms);
}

/* Returns why the line does not have the requested rate, as a sentence; "" when it does. */
static inline const char *device_baud_trouble(const struct device *device)
{
    return device->baud.trouble.text;
}

/* Returns true if *command must be sent now. The caller repeats this until it is false, whenever something
 * was received, and at the deadline. */
bool device_next(struct device *device, uint64_t now_ms, struct mp_command *command);

/* Returns when device_next() may have a command although nothing arrives; UINT64_MAX: never. */
uint64_t device_deadline_ms(const struct device *device);

/* Reads an event of the device. Returns true if the device has restarted, and the event is its first
 * since. */
bool device_hear(struct device *device, const struct event *event, uint64_t now_ms);

/* The same as device_hear() for any number of calls; made for millions of them. */
static inline void device_hear_calls(struct device *device)
{
    restart_watch_hear(&device->watch);
}

/* Takes a command of the user, at most one at a time. It is sent when no other is outstanding. START and STOP
 * also apply after a restart. A command that sets the line's rate is answered once the device has answered at
 * that rate; or by NACK, with the reason in device_baud_trouble(). */
void device_ask(struct device *device, const struct mp_command *command, uint64_t now_ms);

/* Returns the result of the user's last command. */
static inline enum device_answer device_user_answer(const struct device *device)
{
    return device->order.answer;
}

/* Ends the session: stops profiling if we started it, restores the settings that the session changed (except
 * on a visit, which is for changing them), and the rate of the device's start. device_has_stopped() is true
 * once that was answered or given up. In between, device_is_draining() is true from the answer to STOP until
 * the device reports that everything was sent, or the caller reports that the line is quiet or time is up.
 * Nothing else is sent from then on. */
void device_stop(struct device *device, uint64_t now_ms);

static inline bool device_is_draining(const struct device *device)
{
    return device->phase == PHASE_DRAINING;
}

/* The line is quiet, so the device has probably sent its remaining data. If it should have confirmed that, it
 * is asked again. */
void device_line_is_quiet(struct device *device);

/* There is no more time to receive the device's remaining data. */
void device_heard_out(struct device *device);

/* True when we started the device and it could confirm at the end that everything was sent, but did not, or
 * some of it is missing. Call this at the end. */
static inline bool device_is_unclosed(const struct device *device)
{
    return device->started_ever && !device->visits && device->closes && !device->closed;
}

/* True when we started the device, and it did not answer at the end of the session. Call this at the end. */
static inline bool device_ends_mute(const struct device *device)
{
    return device->started_ever && !device->visits && device->ends_mute;
}

static inline bool device_has_stopped(const struct device *device)
{
    return device->phase == PHASE_STOPPED;
}

/* Returns the mode in which the device profiles because of us; MODE_AUTO when it does not, or this is
 * unknown. */
static inline enum mode device_mode(const struct device *device)
{
    return device->started ? device->mode : MODE_AUTO;
}

/* True when data may belong to a run of another session that START will end: the device has not reported its
 * state yet, or has reported that it profiles. False when it does not answer. */
bool device_awaits_own_run(const struct device *device);

/* True when it has to be started, or started in another mode. */
static inline bool device_is_to_start(const struct device *device)
{
    return device->phase == PHASE_STARTING;
}

/* True while it is asked to describe itself; this ends soon in any case. */
static inline bool device_is_describing(const struct device *device)
{
    return device->phase == PHASE_DESCRIBING;
}

/* True when the device is not started because it does not report whether it has the requested mode. */
static inline bool device_awaits_description(const struct device *device)
{
    return device->phase == PHASE_DESCRIBING && device->describe_ms > 0;
}

/* True while a command was sent whose answer has not come, for a limited time. */
static inline bool device_awaits_answer(const struct device *device)
{
    return transaction_is_open(&device->transaction);
}

/* True when the device is connected and should answer, but does not. */
static inline bool device_is_silent(const struct device *device)
{
    return device->silent;
}

#endif
