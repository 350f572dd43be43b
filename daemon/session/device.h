/* device.h - the conversation with the device: what to tell it next, and what its answers mean. Sends nothing
 * itself and asks for no time, so that it can be tested without either.
 *
 * One command is outstanding at a time, since ACK and NACK do not say for what (protocol/SPEC.md section 1).
 */
#ifndef SESSION_DEVICE_H
#define SESSION_DEVICE_H

#include "event.h"
#include "protocol/packet.h"

struct device_timing {
    uint32_t answer_ms; /* how long it may take to answer; each command is sent up to three times */
    uint32_t status_ms; /* between two STATUS commands */
    uint32_t slow_ms;   /* between two attempts while it does not answer */
};

enum device_asker { DEVICE_NOBODY, DEVICE_ITSELF, DEVICE_USER, DEVICE_STOPPING };

enum device_answer {
    DEVICE_PENDING, /* not yet */
    DEVICE_ACK,     /* or the packet that was asked for */
    DEVICE_NACK,
    DEVICE_SILENT, /* three times asked, no answer */
    DEVICE_AWAY,   /* not connected, or nothing may be sent */
};

struct device {
    struct device_timing timing;
    bool control;   /* commands may be sent at all */
    bool connected; /* to something that takes bytes */
    bool profiling_wanted;

    struct mp_command command; /* the outstanding one */
    enum device_asker asker;   /* whose it is; NOBODY: none is outstanding */
    unsigned tries;            /* how often it has been sent */
    uint64_t deadline_ms;      /* when the last try is given up */

    bool knows_target;   /* METADATA came since it was connected, restarted or fell silent */
    bool started;        /* START was answered since then */
    bool started_ever;   /* it may be profiling because of us */
    bool silent;         /* it does not answer */
    bool heard;          /* something came since the last METADATA */
    bool has_captured;   /* `captured` is the count of the last STATUS */
    bool captured_drops; /* ... and may fall without a restart, since we asked for that */
    uint32_t captured;
    bool check_restart;         /* STATUS will tell whether it restarted unheard */
    unsigned metadata_expected; /* METADATA packets that answer us and are not a restart's */
    uint64_t metadata_expected_until_ms;
    uint64_t hold_until_ms; /* a late ACK may still come; nothing that needs one is sent before */
    uint64_t next_metadata_ms, next_start_ms, next_status_ms;

    bool user_waits; /* the user's command is next, or outstanding */
    struct mp_command user_command;
    enum device_answer user_answer;
    bool stopping, stopped;
};

/* `control` false: it is never sent anything. */
void device_init(struct device *device, const struct device_timing *timing, bool control);

/* The line to it is there, or went away. */
void device_connect(struct device *device, uint64_t now_ms);
void device_disconnect(struct device *device);

/* Whether to send *command now. Call it again until false, whenever something was heard, and at the deadline.
 */
bool device_next(struct device *device, uint64_t now_ms, struct mp_command *command);

/* When device_next() may have something though nothing is heard; UINT64_MAX: never. */
uint64_t device_deadline_ms(const struct device *device);

/* Takes in what the target said. True: it has started anew, and what it said is the first of that. */
bool device_hear(struct device *device, const struct event *event, uint64_t now_ms);

/* A command of the user's, at most one at a time: sent as soon as no other is outstanding. A START or STOP
 * also says what is wanted after a restart. */
void device_ask(struct device *device, const struct mp_command *command);
enum device_answer device_user_answer(const struct device *device);

/* Has it stop profiling, if that was our doing. device_has_stopped() once that is answered or given up. */
void device_stop(struct device *device, uint64_t now_ms);
bool device_has_stopped(const struct device *device);

/* Whether it is connected, should answer, and does not. */
bool device_is_silent(const struct device *device);

#endif
