/* description.h - what a target says of itself when it is asked: DESCRIPTION, the answer to DESCRIBE (SPEC.md
 * section 11). */
#ifndef PROTOCOL_DESCRIPTION_H
#define PROTOCOL_DESCRIPTION_H

#include "protocol/bytes.h"

enum {
    MP_DESCRIPTION_HEAD = 14,
    MP_DESCRIPTION_FORM = 1,
    MP_SETTING_HEAD = 14,
    MP_HOOK_TICKS = 2,
    MP_DESCRIPTION_RUN = 6,
    MP_SETTING_BAUD = 4,  /* the key of the one that is the rate of the line, "baud" (section 14) */
    MP_SETTING_WORD = 24, /* characters of a name or a unit, at the most */
};

/* Forms of the hooks, which cost more or less. */
enum mp_hooks {
    MP_HOOKS_RING,           /* versions 1 and 2 */
    MP_HOOKS_TREE,           /* version 3, a callee that its caller called last as well */
    MP_HOOKS_TREE_LOOKUP,    /* version 3, a callee that has to be looked up */
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
    uint8_t settings;      /* that follow */
};

/* One that SET_CONFIG sets. */
struct mp_setting {
    uint8_t key;
    uint32_t least, most, value;
    const char *name; /* encoding: ends with NUL; decoding: name_length bytes, any */
    const char *unit;
    uint8_t name_length; /* of decoding only */
    uint8_t unit_length;
};

void mp_description_encode(const struct mp_description *description, uint8_t out[static MP_DESCRIPTION_HEAD]);

/* Takes the head off `bytes`; false when it is too short or of another form. */
bool mp_description_decode(struct mp_description *description, struct mp_bytes *bytes);

/* At most MP_SETTING_HEAD + 1 + 2 * MP_SETTING_WORD bytes; returns how many. */
size_t mp_setting_encode(const struct mp_setting *setting, uint8_t *out);

/* Takes one setting off `bytes`; false when they are too short. */
bool mp_setting_decode(struct mp_setting *setting, struct mp_bytes *bytes);

/* What a pair of hooks takes, in sixteenths of a tick: MP_HOOKS_RING follows the settings, the others follow
 * the run (struct mp_description_run). Returns its size. */
size_t mp_hook_ticks_encode(uint16_t sixteenths, uint8_t out[static MP_HOOK_TICKS]);

/* Takes it off `bytes`; 0 where it is not sent. */
uint16_t mp_hook_ticks_decode(struct mp_bytes *bytes);

/* Which start of the target it is, and which run of profiling: it follows what a pair of hooks takes. A
 * target that tells it knows the closing packet (section 2) and MP_START_RESUMES. */
struct mp_description_run {
    uint32_t boot; /* differs from one start to the next; 0: not known */
    uint8_t run;   /* that is under way or was last, modulo 16; 0 in version 1, which has no number of it */
    bool is_on;    /* it is under way */
    bool is_flat;  /* version 3 */
    bool counter_stands;  /* the target's counter has not gone on since its start */
    bool has_other_cores; /* decoding: that are not measured, and the target knows MP_STATUS_OF_CORES;
                             encoding: mp_description_run_add_cores() */
    uint8_t version;      /* of PROFILE_DATA in that run; 0: there was none */
};

void mp_description_run_encode(const struct mp_description_run *run, uint8_t out[static MP_DESCRIPTION_RUN]);

/* Says has_other_cores in what was encoded: apart, so that it costs nothing on a target of one core. */
enum { MP_RUN_HAS_OTHER_CORES = 0x80 };
static inline void mp_description_run_add_cores(uint8_t out[static MP_DESCRIPTION_RUN])
{
    out[4] |= MP_RUN_HAS_OTHER_CORES;
}

/* Takes it off `bytes`; false where it is not reported. */
bool mp_description_run_decode(struct mp_description_run *run, struct mp_bytes *bytes);

#endif
