/* overload.h - notices that a line carries too little for what is reported over it, or a target's table holds
 * too little. */
#ifndef SESSION_OVERLOAD_H
#define SESSION_OVERLOAD_H

#include <stdbool.h>
#include <stdint.h>

/* Zero is the start state. */
struct overload {
    bool has_begun;
    uint64_t since_ms;
    uint64_t lost, came; /* by then */
    unsigned bad;        /* looks in a row that found too much lost */
};

/* Looks at how many calls were lost and how many came, both in all so far, about once a second however often
 * it is called. True: more than one in a hundred was lost twice in a row, by a single burst it is not. */
bool overload_look(struct overload *overload, uint64_t now_ms, uint64_t lost, uint64_t came);

#endif
