/* throughput.h - measures bytes and records per second on the line. */
#ifndef SESSION_THROUGHPUT_H
#define SESSION_THROUGHPUT_H

#include <stdint.h>

/* Zero is the start state. */
struct throughput {
    uint64_t since_ms, bytes, records; /* when the present measurement began */
    double bytes_per_second, records_per_second;
};

/* Updates the totals. The rates change once a second. */
void throughput_update(struct throughput *throughput, uint64_t now_ms, uint64_t bytes, uint64_t records);

/* Bytes are about to arrive: after a silence the measurement begins now, with `bytes` and `records` so
 * far. */
void throughput_wake(struct throughput *throughput, uint64_t now_ms, uint64_t bytes, uint64_t records);

/* When the rates will change even if nothing comes; UINT64_MAX if they are 0 already. */
uint64_t throughput_deadline_ms(const struct throughput *throughput, uint64_t bytes);

#endif
