/* trigger.h - the user's trigger: which calls are slow, and the device's settings for it (protocol/SPEC.md
 * section 13). It does not send anything itself. */
#ifndef DEVICE_TRIGGER_H
#define DEVICE_TRIGGER_H

#include "protocol/packet.h"
#include "device/device.h"
#include "snapshot/snapshot.h"
#include "symbol/symtab.h"

enum { TRIGGER_SETTINGS_MAX = 3 };

/* All zero: no trigger. */
struct trigger {
    struct snapshot_trigger told;
    bool counts_tree; /* the device counts a tree since its last start */
    bool is_asked;    /* a setting was sent, and is not answered yet */
    bool is_past;     /* ... and it is none of those to be set now */
    struct error why; /* why the last setting could not be set; or "" */
    struct trigger_setting {
        const char *name;
        uint32_t value;
    } settings[TRIGGER_SETTINGS_MAX]; /* to be sent, in this order */
    unsigned n, next;
};

/* Sets the trigger, for the function of that name in `symtab` (NULL: no ELF), or at that address, in hex
 * digits after "0x". Returns false, with a sentence and without changes, when there is no such function.
 * `elf` is the ELF's name in the sentence. */
bool trigger_set(struct trigger *trigger, const struct limit *limit, const struct symtab *symtab,
                 const char *elf, struct error *err);

/* Removes the trigger. */
void trigger_clear(struct trigger *trigger);

/* Requests a window of the present. Returns false, with a sentence, when the device keeps none, or reports
 * every call anyway. */
bool trigger_ask(struct trigger *trigger, const struct snapshot_description *description, struct error *err);

/* Looks up the function in a new ELF: it may have moved, or be missing. */
void trigger_rename(struct trigger *trigger, const struct symtab *symtab, const char *elf);

/* Records whether the device counts its calls itself. Each time it begins to, the settings are sent again. */
void trigger_follow(struct trigger *trigger, bool counts_tree);

/* Returns the next command for the device; false when there is none, or none before trigger_hear(). If the
 * device cannot have the trigger, it fails. */
bool trigger_next(struct trigger *trigger, const struct snapshot_description *description,
                  struct mp_command *command);

/* Handles the answer to that command. */
void trigger_hear(struct trigger *trigger, enum device_answer answer);

/* True when everything was sent and answered. */
bool trigger_is_settled(const struct trigger *trigger);

/* Without a trigger, disarms that of an earlier session on a device in mode tree: windows make its short
 * calls several times longer. Returns true if there was one. */
bool trigger_take_back(struct trigger *trigger, const struct snapshot_description *description);

/* Returns the most ticks that a call may take. */
uint64_t trigger_ticks(const struct trigger *trigger, uint64_t hz);

#endif
