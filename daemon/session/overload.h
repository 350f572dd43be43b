/* overload.h - detects that a line carries too little for the records sent over it, or that a target's table
 * is too small. */
#ifndef SESSION_OVERLOAD_H
#define SESSION_OVERLOAD_H

#include <stdbool.h>
#include <stdint.h>

/* Zero is the start state. */
struct overload {
    bool has_begun;
    uint64_t since_ms;
    uint64_t lost, came; /* totals at that time */
    unsigned bad;        /* checks in a row that found too much lost */
};

/* Checks the totals of lost and received calls, about once a second however often it is called. Returns true
 * if more than one in a hundred was lost twice in a row, which a single burst does not cause. */
bool overload_look(struct overload *overload, uint64_t now_ms, uint64_t lost, uint64_t came);

#endif
