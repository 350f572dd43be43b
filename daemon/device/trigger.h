/* trigger.h - which call is worth a window, and how the device learns that (protocol/SPEC.md section 13).
 * Sends nothing itself. */
#ifndef DEVICE_TRIGGER_H
#define DEVICE_TRIGGER_H

#include "protocol/packet.h"
#include "device/device.h"
#include "snapshot/snapshot.h"
#include "symbol/symtab.h"

enum { TRIGGER_SETTINGS_MAX = 3 };

/* Zero is none. */
struct trigger {
    struct snapshot_trigger told;
    bool counts_tree; /* the device does, since it was started */
    bool is_asked;    /* a setting was sent, and is not answered yet */
    bool is_past;     /* ... which is none of those that are to be set now */
    struct error why; /* the last that was to be set was not; "" */
    struct trigger_setting {
        const char *name;
        uint32_t value;
    } settings[TRIGGER_SETTINGS_MAX]; /* to be set, in this order */
    unsigned n, next;
};

/* Sets it, for the function of that name in `symtab` (NULL: there is no ELF), or at that address in hex
 * digits behind "0x". False with a sentence, and nothing changed, when there is no such function. `name`
 * stands for the ELF there. */
bool trigger_set(struct trigger *trigger, const struct limit *limit, const struct symtab *symtab,
                 const char *elf, struct error *err);

/* Takes it back. */
void trigger_clear(struct trigger *trigger);

/* Asks for a window of now. False with a sentence when the device keeps none, or tells every call anyway. */
bool trigger_ask(struct trigger *trigger, const struct snapshot_description *description, struct error *err);

/* Looks the function up in another ELF: it may have moved, or be gone. */
void trigger_rename(struct trigger *trigger, const struct symtab *symtab, const char *elf);

/* Takes in whether the device counts its calls itself: each time that it begins to, it is reported again. */
void trigger_follow(struct trigger *trigger, bool counts_tree);

/* What to tell the device next; false: nothing, or not before trigger_hear(). A device that cannot be
 * reported fails the trigger. */
bool trigger_next(struct trigger *trigger, const struct snapshot_description *description,
                  struct mp_command *command);

/* Takes in what became of that. */
void trigger_hear(struct trigger *trigger, enum device_answer answer);

/* True when everything has been sent. */
bool trigger_is_settled(const struct trigger *trigger);

/* Where no trigger is set, a device in mode tree that keeps windows for one of an earlier session is ordered
 * to cease: they make its short calls take several times as long. True when it is. */
bool trigger_take_back(struct trigger *trigger, const struct snapshot_description *description);

/* The most ticks that a call may take. */
uint64_t trigger_ticks(const struct trigger *trigger, uint64_t hz);

#endif
