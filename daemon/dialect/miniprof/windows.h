/* windows.h - what happened around a slow call, sent beside the tree (protocol/SPEC.md section 13), as
 * events.
 */
#ifndef DIALECT_MINIPROF_WINDOWS_H
#define DIALECT_MINIPROF_WINDOWS_H

#include "dialect/miniprof/compact.h"

/* Zero is the start state. */
struct windows {
    struct compact compact; /* of the window that came last */
    bool has_one;           /* in this run of the tree */
    bool is_open;           /* its end did not come yet */
    bool is_counted;        /* it is among those of which something is missing */
    uint8_t run;            /* its number, modulo 16 */
    uint32_t time;          /* at which it begins, by the target */
    uint64_t base;          /* of the tree's run of which it is */
};

/* Reads one payload of a window of that tree, and adds what could not be read to `health`. What comes before
 * the tree's first packet has no place in time and is passed over. */
void windows_decode(struct windows *windows, const uint8_t *payload, size_t n, const struct tree *tree,
                    struct dialect_health *health, const struct event_out *out);

/* Takes in that a packet of the tree came: one of a new run ends the window of the run before, which
 * counts as lost in `health` where its end did not come. */
void windows_follow(struct windows *windows, const struct tree *tree, struct dialect_health *health,
                    const struct event_out *out);

/* The target started again, or speaks another version meanwhile: the window whose end did not come counts as
 * lost in `health`. Where the input ends or is cut, nothing is called, and nothing counted. */
void windows_reset(struct windows *windows, struct dialect_health *health);

#endif
