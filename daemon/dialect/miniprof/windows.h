/* windows.h - turns windows around slow calls, which are sent beside the tree (protocol/SPEC.md section 13),
 * into events. */
#ifndef DIALECT_MINIPROF_WINDOWS_H
#define DIALECT_MINIPROF_WINDOWS_H

#include "dialect/miniprof/compact.h"

/* All zero is the initial state. */
struct windows {
    struct compact compact; /* of the last window */
    bool has_one;           /* there was one in this run of the tree */
    bool is_open;           /* its end has not arrived yet */
    bool is_counted;        /* it is counted as incomplete */
    uint8_t run;            /* its number, modulo 16 */
    uint32_t time;          /* its start, by the target's time */
    uint64_t base;          /* of the tree's run that it belongs to */
};

/* Reads one payload of a window of that tree, and counts unreadable data in `health`. Before the tree's first
 * packet, windows cannot be placed in time, and are skipped. */
void windows_decode(struct windows *windows, const uint8_t *payload, size_t n, const struct tree *tree,
                    struct dialect_health *health, const struct event_out *out);

/* Call this after a packet of the tree: a new run ends the window of the last run, which counts as lost in
 * `health` if its end did not arrive. */
void windows_follow(struct windows *windows, const struct tree *tree, struct dialect_health *health,
                    const struct event_out *out);

/* The target restarted, or has sent another version since: a window without its end counts as lost in
 * `health`. This is not called when the input ends or is cut off. */
void windows_reset(struct windows *windows, struct dialect_health *health);

#endif
