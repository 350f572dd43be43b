/* baud.h - chooses which rate of the line to request from the device, and follows the change
 * (protocol/SPEC.md section 14). It neither sends anything nor accesses the port: device.c sends the
 * commands, and the owner of the source sets the port to `line`. */
#ifndef DEVICE_BAUD_H
#define DEVICE_BAUD_H

#include "base/error.h"
#include "event.h"
#include "device/transaction.h"

enum baud_step {
    BAUD_RESTS,
    BAUD_ASKS,    /* requests `next` from the device, at the old rate */
    BAUD_PROVES,  /* the line is at `next`, and STATUS is requested there */
    BAUD_RETURNS, /* the line is home again, and STATUS is requested until the device is, too */
};

enum baud_answer { BAUD_YES, BAUD_NO, BAUD_SILENCE };

/* The result of a step. */
enum baud_outcome {
    BAUD_GOES_ON, /* another step follows */
    BAUD_CHANGED, /* the device answers at the requested rate */
    BAUD_KEPT,    /* the device answers at another rate; `trouble` has the reason */
    BAUD_LOST,    /* the device does not answer at home either */
};

/* All zero is a line without a rate. */
struct baud {
    uint32_t home; /* at which the line was opened, and to which failures return; 0: it has no rate */
    uint32_t line; /* which it should have now */
    uint32_t most; /* to which it should be raised; 0: it is not changed */
    uint32_t wish; /* the user's order; 0: none */
    bool is_tried; /* it was raised, or cannot be, since the line was opened or the device restarted */
    bool is_offered;
    uint32_t greatest; /* the largest that the device offers */
    enum baud_step step;
    uint32_t next;
    uint64_t due_ms;      /* when the step's command is due */
    struct error trouble; /* why the rate is not the requested one; or "" */
};

/* The line was opened at the rate `home`; 0: it has none, or was closed. Rates that failed before are tried
 * again. */
void baud_open(struct baud *baud, uint32_t home);

/* The device has described its settings, or cannot (NULL). */
void baud_offer(struct baud *baud, const struct event_description *description);

/* The device has restarted, and has the rate of its last packet. */
void baud_restart(struct baud *baud);

/* True when the command sets the rate, and the device offers that. */
bool baud_is_set_by(const struct baud *baud, const struct mp_command *command);

/* Reads the requested rate from such a command. Returns false, with `trouble`, when it cannot be changed from
 * here. */
bool baud_take_wish(struct baud *baud, const struct mp_command *command);

/* True when a step is in progress or was begun by this call. */
bool baud_has_to_do(struct baud *baud, uint64_t now_ms);

/* Return the step's command, and how often and how long it is tried. */
struct mp_command baud_command(const struct baud *baud);
void baud_pace(const struct baud *baud, struct transaction *transaction);

/* Returns the command that sets the device to its home rate. */
struct mp_command baud_home_command(const struct baud *baud);

/* The step's command was answered, or given up. */
enum baud_outcome baud_conclude(struct baud *baud, enum baud_answer answer, uint64_t now_ms);

/* The device has stopped answering. Returns true if the line was not at home, and returns there. */
bool baud_give_up(struct baud *baud, uint64_t now_ms);

/* The port cannot be set to the rate `line`: it keeps its rate, and the device returns home by itself. */
void baud_impossible(struct baud *baud, const struct error *why, uint64_t now_ms);

bool baud_is_away(const struct baud *baud);

#endif
