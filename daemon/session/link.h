/* link.h - how much comes over the wire, per second. */
#ifndef SESSION_LINK_H
#define SESSION_LINK_H

#include <stdint.h>

/* Zero is the start state. */
struct link {
    uint64_t since_ms, bytes, records; /* where the current measurement began */
    double bytes_per_second, records_per_second;
};

/* Takes in the totals of now. The rates change once a second. */
void link_update(struct link *link, uint64_t now_ms, uint64_t bytes, uint64_t records);

/* Says that bytes are about to come: after a silence the measurement begins now, with `bytes` and `records`
 * so far. */
void link_wake(struct link *link, uint64_t now_ms, uint64_t bytes, uint64_t records);

/* When the rates will change though nothing more comes: UINT64_MAX when they are 0 already. */
uint64_t link_deadline_ms(const struct link *link, uint64_t bytes);

#endif
