/* description.h - DESCRIPTION, a target's answer to DESCRIBE, in which it describes itself (SPEC.md section
 * 11). */
#ifndef PROTOCOL_DESCRIPTION_H
#define PROTOCOL_DESCRIPTION_H

#include "protocol/bytes.h"

enum {
    MP_DESCRIPTION_HEAD = 14,
    MP_DESCRIPTION_FORM = 1,
    MP_SETTING_HEAD = 14,
    MP_HOOK_TICKS = 2,
    MP_DESCRIPTION_RUN = 6,
    MP_SETTING_BAUD = 4,  /* the key of the setting "baud", the rate of the line (section 14) */
    MP_SETTING_WORD = 24, /* most characters of a name or a unit */
};

/* Forms of the hooks, which differ in cost. */
enum mp_hooks {
    MP_HOOKS_RING,           /* versions 1 and 2 */
    MP_HOOKS_TREE,           /* version 3, the callee that its caller called last */
    MP_HOOKS_TREE_LOOKUP,    /* version 3, a callee that is looked up */
    MP_HOOKS_TREE_INTERRUPT, /* version 3, the outermost call of an interrupt */
    MP_HOOK_FORMS,
};

struct mp_description {
    uint8_t versions; /* of PROFILE_DATA: bit v for version v */
    uint32_t tick_hz; /* of version 2 */
    uint16_t ring_calls;
    uint16_t stack_depth;
    uint8_t tasks;
    uint16_t packet_bytes; /* payload of a full packet of version 2 */
    uint8_t settings;      /* number of settings that follow */
};

/* A setting of SET_CONFIG. */
struct mp_setting {
    uint8_t key;
    uint32_t least, most, value;
    const char *name; /* encoding: ends with NUL; decoding: name_length bytes, any */
    const char *unit;
    uint8_t name_length; /* only for decoding */
    uint8_t unit_length;
};

void mp_description_encode(const struct mp_description *description, uint8_t out[static MP_DESCRIPTION_HEAD]);

/* Takes the head off `bytes`; returns false when it is too short or of another form. */
bool mp_description_decode(struct mp_description *description, struct mp_bytes *bytes);

/* Writes at most MP_SETTING_HEAD + 1 + 2 * MP_SETTING_WORD bytes; returns how many. */
size_t mp_setting_encode(const struct mp_setting *setting, uint8_t *out);

/* Takes one setting off `bytes`; returns false when they are too short. */
bool mp_setting_decode(struct mp_setting *setting, struct mp_bytes *bytes);

/* Writes the cost of a pair of hooks, in sixteenths of a tick: MP_HOOKS_RING follows the settings, the others
 * follow the run (struct mp_description_run). Returns its size. */
size_t mp_hook_ticks_encode(uint16_t sixteenths, uint8_t out[static MP_HOOK_TICKS]);

/* Takes it off `bytes`; returns 0 where it was not sent. */
uint16_t mp_hook_ticks_decode(struct mp_bytes *bytes);

/* The number of the target's start, and the run of profiling: it follows the cost of a pair of hooks. A
 * target that sends it supports the closing packet (section 2) and MP_START_RESUMES. */
struct mp_description_run {
    uint32_t boot; /* differs from one start to the next; 0: unknown */
    uint8_t run;   /* the one under way or the last, modulo 16; 0 in version 1, which does not number runs */
    bool is_on;    /* it is under way */
    bool is_flat;  /* version 3 */
    bool counter_stands;  /* the target's counter has not moved since its start */
    bool has_other_cores; /* decoding: there are cores that are not measured, and the target supports
                             MP_STATUS_OF_CORES; encoding: mp_description_run_add_cores() */
    uint8_t version;      /* of PROFILE_DATA in that run; 0: there was none */
};

void mp_description_run_encode(const struct mp_description_run *run, uint8_t out[static MP_DESCRIPTION_RUN]);

/* Sets has_other_cores in an encoded description: separate, so that it costs a target of one core nothing. */
enum { MP_RUN_HAS_OTHER_CORES = 0x80 };
static inline void mp_description_run_add_cores(uint8_t out[static MP_DESCRIPTION_RUN])
{
    out[4] |= MP_RUN_HAS_OTHER_CORES;
}

/* Takes it off `bytes`; returns false where it was not sent. */
bool mp_description_run_decode(struct mp_description_run *run, struct mp_bytes *bytes);

#endif
