/* throughput.c - measures bytes and records per second on the line. */
#include "session/throughput.h"

enum { MEASURE_MS = 1000 };

void throughput_update(struct throughput *throughput, uint64_t now_ms, uint64_t bytes, uint64_t records)
{
    uint64_t elapsed_ms = now_ms - throughput->since_ms;
    if (elapsed_ms < MEASURE_MS)
        return;
    throughput->bytes_per_second = 1000.0 * (double)(bytes - throughput->bytes) / (double)elapsed_ms;
    throughput->records_per_second = 1000.0 * (double)(records - throughput->records) / (double)elapsed_ms;
    throughput->since_ms = now_ms;
    throughput->bytes = bytes;
    throughput->records = records;
}

void throughput_wake(struct throughput *throughput, uint64_t now_ms, uint64_t bytes, uint64_t records)
{
    if (throughput_deadline_ms(throughput, bytes) != UINT64_MAX)
        return;
    throughput->since_ms = now_ms;
    throughput->records = records;
}

uint64_t throughput_deadline_ms(const struct throughput *throughput, uint64_t bytes)
{
    if (throughput->bytes_per_second == 0 && bytes == throughput->bytes)
        return UINT64_MAX;
    return throughput->since_ms + MEASURE_MS;
}
