/* link.c - how much comes over the wire, per second. */
#include "session/link.h"

enum { MEASURE_MS = 1000 };

void link_update(struct link *link, uint64_t now_ms, uint64_t bytes, uint64_t records)
{
    uint64_t elapsed_ms = now_ms - link->since_ms;
    if (elapsed_ms < MEASURE_MS)
        return;
    link->bytes_per_second = 1000.0 * (double)(bytes - link->bytes) / (double)elapsed_ms;
    link->records_per_second = 1000.0 * (double)(records - link->records) / (double)elapsed_ms;
    link->since_ms = now_ms;
    link->bytes = bytes;
    link->records = records;
}

void link_wake(struct link *link, uint64_t now_ms, uint64_t bytes, uint64_t records)
{
    if (link_deadline_ms(link, bytes) != UINT64_MAX)
        return;
    link->since_ms = now_ms;
    link->records = records;
}

uint64_t link_deadline_ms(const struct link *link, uint64_t bytes)
{
    if (link->bytes_per_second == 0 && bytes == link->bytes)
        return UINT64_MAX;
    return link->since_ms + MEASURE_MS;
}
