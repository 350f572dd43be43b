/* mailbox.h - passes orders to the ingest thread, and its answers back. */
#ifndef HANDOFF_MAILBOX_H
#define HANDOFF_MAILBOX_H

#include "base/error.h"
#include "base/wake.h"
#include "handoff/device_commands.h"
#include "snapshot/snapshot.h"

enum order_kind {
    ORDER_COMMAND, /* send the device a command and wait for its answer */
    ORDER_MODE,    /* switch the device's mode, now and at each start */
    ORDER_TRIGGER, /* set the trigger for windows; or keep a window now; or remove the trigger */
    ORDER_LIMIT,   /* add a limit */
    ORDER_LIMIT_END,
    ORDER_CLEAR,  /* clear the profile */
    ORDER_RECORD, /* begin a recording */
    ORDER_RECORD_END,
    ORDER_SYMBOLS, /* from the thread that reads ELFs: a changed ELF is being read, or was read */
};

/* The commands to a device, with the codes of the wire (protocol/SPEC.md). */
#define ORDER_COMMAND_CODE(id, code, ...) COMMAND_##id = (code),
enum order_command { DEVICE_COMMAND_ROWS(ORDER_COMMAND_CODE, ORDER_COMMAND_CODE, ORDER_COMMAND_CODE) };
#undef ORDER_COMMAND_CODE

enum order_result {
    ORDER_DONE,      /* the device answered ACK, or the result is in the order */
    ORDER_REFUSED,   /* the device answered NACK, or the order is impossible now: see `why` */
    ORDER_FAILED,    /* a system call failed: see `why` */
    ORDER_SILENT,    /* the device did not answer, even after retries */
    ORDER_NO_DEVICE, /* nothing is connected, or nothing may be sent (listen only) */
    ORDER_BUSY,      /* too many orders wait already */
    ORDER_CLOSED,    /* the daemon is stopping */
};

/* An order is on the stack of the requesting thread: mailbox_ask() returns only when no other thread uses it. */
struct order {
    enum order_kind kind;
    uint8_t command; /* COMMAND: enum order_command */
    uint8_t payload[8];
    uint8_t payload_n;
    enum mode mode;        /* MODE */
    struct limit limit;    /* TRIGGER: the calls; "" removes the trigger */
    bool is_for_now;       /* TRIGGER: keep a window now, without changing the trigger */
    struct bound bound;    /* LIMIT */
    uint32_t bound_id;     /* LIMIT: filled in when DONE; LIMIT_END */
    struct symtab *symtab; /* SYMBOLS: the new table; its reference is taken over when DONE. NULL: it is being
                              read, or with `why` it could not be read */
    struct snapshot_recording recording; /* RECORD, RECORD_END: filled in when DONE */
    struct error why; /* filled in when FAILED, and when REFUSED unless the device did; SYMBOLS: see there */
    /* of the mailbox */
    enum order_result result;
    bool answered;
    struct order *next;
};

/* Makes the order to set a setting of the device to a value within its range. */
struct order order_to_set(const struct snapshot_setting *setting, uint32_t value);

/* Makes a mailbox, which rings `wake` (borrowed) for each order. NULL when memory is used up. */
struct mailbox *mailbox_new(const struct wake *wake);

/* Call this after mailbox_close(), when no thread is inside mailbox_ask(). */
void mailbox_free(struct mailbox *mailbox);

/* Posts the order and waits for the answer. Any thread may call it. */
enum order_result mailbox_ask(struct mailbox *mailbox, struct order *order);

/* Takes the oldest order that was not taken yet, NULL when there is none. Each order taken must be answered.
 * Both are for the ingest thread. */
struct order *mailbox_take(struct mailbox *mailbox);
void mailbox_answer(struct mailbox *mailbox, struct order *order, enum order_result result);

/* Answers all orders not yet taken, and all later ones, with ORDER_CLOSED. */
void mailbox_close(struct mailbox *mailbox);

#endif
