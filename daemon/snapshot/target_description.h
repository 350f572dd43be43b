/* target_description.h - what a target says of itself when it is asked: a part of a snapshot. */
#ifndef SNAPSHOT_TARGET_DESCRIPTION_H
#define SNAPSHOT_TARGET_DESCRIPTION_H

#include "base/error.h"
#include "event.h"
#include "snapshot/tree_room.h"

/* Something that can be set on the target. */
struct snapshot_setting {
    uint8_t key;             /* of SET_CONFIG */
    char name[76], unit[76]; /* 24 bytes of the wire, cleaned */
    uint32_t least, most, value;
};

/* What the target offers. All zero while it has not described itself. */
struct snapshot_description {
    bool is_known;
    uint32_t versions; /* of PROFILE_DATA: bit v for version v, which is the mode of that number */
    uint32_t tick_hz;  /* ticks per second in MODE_STREAM */
    uint32_t ring_calls, stack_depth, tasks;
    uint32_t packet_bytes;
    uint32_t hook_sixteenths;        /* of a tick, that the hooks of a call take; 0: not known */
    uint32_t hook_tree_sixteenths;   /* in MODE_TREE, for the callee that was called last; 0: not known */
    uint32_t hook_lookup_sixteenths; /* in MODE_TREE, for one that is looked up; 0: not known */
    uint32_t
        hook_interrupt_sixteenths; /* in MODE_TREE, for the outermost call of an interrupt; 0: not known */
    uint32_t setting_count;
    struct snapshot_setting settings[EVENT_SETTINGS_MAX];
};

/* The name of a mode as JSON and --mode have it: "auto", "calls", "stream", "tree"; static. */
const char *snapshot_mode_name(enum mode mode);

/* Finds the mode of that name; false when there is none. */
bool snapshot_mode_find(const char *name, enum mode *mode);

/* Finds the setting of that name; NULL when there is none. */
const struct snapshot_setting *snapshot_setting_find(const struct snapshot_description *description,
                                                     const char *name);

/* Finds the setting of that name for a new value. NULL with a sentence when there is none (it lists those
 * there are), or when the value is out of its range (it tells the range). */
const struct snapshot_setting *snapshot_setting_choose(const struct snapshot_description *description,
                                                       const char *name, uint64_t value, struct error *err);

#endif
