/* baud.h - the rate of the line: which one the device is asked for, and what becomes of it (protocol/SPEC.md
 * section 14). Sends nothing itself and touches no port: device.c says what it says, and whoever has the
 * source sets `line` there. */
#ifndef DEVICE_BAUD_H
#define DEVICE_BAUD_H

#include "base/error.h"
#include "event.h"
#include "device/transaction.h"

enum baud_step {
    BAUD_RESTS,
    BAUD_ASKS,    /* the device is asked for `next`, at the old rate */
    BAUD_PROVES,  /* the line is at `next`: STATUS is asked for there */
    BAUD_RETURNS, /* the line is back home: STATUS is asked for until the device is there, too */
};

enum baud_answer { BAUD_YES, BAUD_NO, BAUD_SILENCE };

/* How a step ended. */
enum baud_outcome {
    BAUD_GOES_ON, /* there is another step */
    BAUD_CHANGED, /* the device answers at the rate that was asked for */
    BAUD_KEPT,    /* the rate is another one, and the device answers there; `trouble` says why */
    BAUD_LOST,    /* the device does not answer at home either */
};

/* Zero is a line without a rate. */
struct baud {
    uint32_t home; /* at which the line was opened, and where each failure leads; 0: it has no rate */
    uint32_t line; /* at which it is to be now */
    uint32_t most; /* up to which it is to be raised; 0: it is left as it is */
    uint32_t wish; /* of the user's, by an order; 0: none */
    bool is_tried; /* it was raised, or cannot be, since the line was opened or the device began again */
    bool is_offered;
    uint32_t greatest; /* that the device offers */
    enum baud_step step;
    uint32_t next;
    uint64_t due_ms;      /* the step's command */
    struct error trouble; /* why the rate is not the one that was wanted; "" none */
};

/* The line was opened at the rate `home`; 0: it has none, or was closed. What did not work before is
 * tried again. */
void baud_open(struct baud *baud, uint32_t home);

/* The device said what can be set there, or that it is unknown (NULL). */
void baud_offer(struct baud *baud, const struct event_description *description);

/* The device has started again, and is at the rate of its last packet. */
void baud_restart(struct baud *baud);

/* True when the command sets the rate of a device that offers that. */
bool baud_is_set_by(const struct baud *baud, const struct mp_command *command);

/* Takes the rate that such a command asks for. False with `trouble` when there is nothing to do it with. */
bool baud_take_wish(struct baud *baud, const struct mp_command *command);

/* True when there is a step to do; begins one if so. */
bool baud_has_to_do(struct baud *baud, uint64_t now_ms);

/* What the step says, and how often and how long it may go unanswered. */
struct mp_command baud_command(const struct baud *baud);
void baud_pace(const struct baud *baud, struct transaction *transaction);

/* What brings the device home. */
struct mp_command baud_home_command(const struct baud *baud);

/* The step's command was answered or given up. */
enum baud_outcome baud_conclude(struct baud *baud, enum baud_answer answer, uint64_t now_ms);

/* The device has ceased to answer. True: the line was away from home, and goes back there. */
bool baud_give_up(struct baud *baud, uint64_t now_ms);

/* The port cannot have the rate `line`: it stays as it was, and the device comes home by itself. */
void baud_impossible(struct baud *baud, const struct error *why, uint64_t now_ms);

bool baud_is_away(const struct baud *baud);

#endif
