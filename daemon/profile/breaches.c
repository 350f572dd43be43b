/* breaches.c - the times that a limit was not kept.
 *
 * There may be one a millisecond for an hour, and what is new as well as what was worst is looked for: so
 * the newest are kept, of those before the worst, and the others are only counted. */
#include "profile/breaches.h"

#include <stdlib.h>
#include <string.h>

/* The oldest one leaves the ring; it stays when it is worse than the least bad that stayed before. */
static void retire(struct breaches *breaches)
{
    const struct snapshot_breach *oldest = &breaches->newest[breaches->first];
    struct snapshot_breach *least = &breaches->worst[0];
    for (uint32_t i = 1; i < breaches->worst_count; i++)
        if (breaches->worst[i].excess < least->excess)
            least = &breaches->worst[i];
    if (breaches->worst_count < BREACHES_WORST_MAX)
        breaches->worst[breaches->worst_count++] = *oldest;
    else if (oldest->excess > least->excess)
        *least = *oldest;
    breaches->first = (breaches->first + 1) % BREACHES_NEWEST_MAX;
    breaches->count--;
}

void breaches_add(struct breaches *breaches, struct snapshot_breach *breach)
{
    breach->number = breaches->told++;
    if (breaches->count == BREACHES_NEWEST_MAX)
        retire(breaches);
    breaches->newest[(breaches->first + breaches->count++) % BREACHES_NEWEST_MAX] = *breach;
    if (!breaches->has_news || breach->excess > breaches->news.excess)
        breaches->news = *breach;
    breaches->has_news = true;
}

bool breaches_news(struct breaches *breaches, struct snapshot_breach *worst)
{
    bool has_news = breaches->has_news;
    if (has_news)
        *worst = breaches->news;
    breaches->has_news = false;
    return has_news;
}

static int by_number(const void *left, const void *right)
{
    const struct snapshot_breach *a = left, *b = right;
    return a->number < b->number ? -1 : a->number > b->number;
}

struct snapshot_breach *breaches_freeze(const struct breaches *breaches, uint32_t *n)
{
    *n = breaches->worst_count + breaches->count;
    struct snapshot_breach *rows = malloc(*n * sizeof *rows + 1);
    if (!rows)
        return NULL;
    if (breaches->worst_count > 0)
        memcpy(rows, breaches->worst, breaches->worst_count * sizeof *rows);
    for (uint32_t i = 0; i < breaches->count; i++)
        rows[breaches->worst_count + i] = breaches->newest[(breaches->first + i) % BREACHES_NEWEST_MAX];
    qsort(rows, *n, sizeof *rows, by_number);
    return rows;
}
