/* target_description.h - how a target describes itself when asked (DESCRIBE): a part of a snapshot. */
#ifndef SNAPSHOT_TARGET_DESCRIPTION_H
#define SNAPSHOT_TARGET_DESCRIPTION_H

#include "base/error.h"
#include "event.h"
#include "snapshot/tree_room.h"

/* A setting of the target. */
struct snapshot_setting {
    uint8_t key;             /* as in SET_CONFIG */
    char name[76], unit[76]; /* 24 bytes on the wire, cleaned */
    uint32_t least, most, value;
};

/* What the target supports. All zero until it has described itself. */
struct snapshot_description {
    bool is_known;
    uint32_t versions; /* of PROFILE_DATA: bit v stands for version v, which is the mode with that number */
    uint32_t tick_hz;  /* ticks per second in MODE_STREAM */
    uint32_t ring_calls, stack_depth, tasks;
    uint32_t packet_bytes;
    uint32_t hook_sixteenths;           /* cost of the two hooks of a call, in 1/16 tick; 0 when unknown */
    uint32_t hook_tree_sixteenths;      /* the same in MODE_TREE, for the callee that was called last */
    uint32_t hook_lookup_sixteenths;    /* the same in MODE_TREE, for a callee that is looked up */
    uint32_t hook_interrupt_sixteenths; /* the same in MODE_TREE, for the outermost call of an interrupt */
    uint32_t setting_count;
    struct snapshot_setting settings[EVENT_SETTINGS_MAX];
};

/* Returns the name of a mode, as in JSON and --mode: "auto", "calls", "stream", "tree"; static. */
const char *snapshot_mode_name(enum mode mode);

/* Finds the mode of that name; false when there is none. */
bool snapshot_mode_find(const char *name, enum mode *mode);

/* Finds the setting of that name; NULL when there is none. */
const struct snapshot_setting *snapshot_setting_find(const struct snapshot_description *description,
                                                     const char *name);

/* Finds the setting of that name for a new value. Returns NULL, with a sentence, when there is none (the
 * sentence lists the settings), or when the value is out of range (it has the range). */
const struct snapshot_setting *snapshot_setting_choose(const struct snapshot_description *description,
                                                       const char *name, uint64_t value, struct error *err);

#endif
