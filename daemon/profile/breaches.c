/* breaches.c - lists breaches of limits.
 *
 * There may be one each millisecond for an hour, and users look for new ones as well as for the worst. So the
 * newest are kept, and the worst of the older ones; the others are only counted. A limit that is always
 * exceeded must not push out the only breach of another limit, however large its own excess is. */
#include "profile/breaches.h"

#include <stdlib.h>
#include <string.h>

/* Returns the breach to drop so that `next` can be kept; it may be `next` itself. It is the smallest excess
 * of the limit with the most breaches; of equal ones, the newer. */
static struct snapshot_breach *least_missed(struct breaches *breaches, struct snapshot_breach *next)
{
    struct share {
        uint32_t n;
        struct snapshot_breach *least;
    } shares[BREACHES_WORST_MAX + 1], *most = shares;
    uint32_t limits = 0;
    for (uint32_t i = 0; i <= breaches->worst_count; i++) {
        struct snapshot_breach *one = i < breaches->worst_count ? &breaches->worst[i] : next;
        struct share *of = shares;
        while (of < shares + limits && of->least->bound != one->bound)
            of++;
        if (of == shares + limits)
            shares[limits++] = (struct share){0, one};
        of->n++;
        if (one->excess <= of->least->excess)
            of->least = one;
    }
    for (struct share *of = shares + 1; of < shares + limits; of++)
        if (of->n > most->n || (of->n == most->n && of->least->excess < most->least->excess))
            most = of;
    return most->least;
}

/* Removes the oldest breach from the ring. It is kept if there is room, or in place of a less important
 * one. */
static void retire_breach(struct breaches *breaches)
{
    struct snapshot_breach *oldest = &breaches->newest[breaches->first];
    if (breaches->worst_count < BREACHES_WORST_MAX)
        breaches->worst[breaches->worst_count++] = *oldest;
    else
        *least_missed(breaches, oldest) = *oldest;
    breaches->first = (breaches->first + 1) % BREACHES_NEWEST_MAX;
    breaches->count--;
}

static void note_news(struct breaches *breaches, const struct snapshot_breach *breach)
{
    uint32_t i = 0;
    while (i < breaches->news_count && breaches->news[i].bound != breach->bound)
        i++;
    if (i == breaches->news_count) {
        if (i == BOUNDS_MAX)
            return; /* only possible with breaches of removed limits */
        breaches->news_count++;
    } else if (breach->excess <= breaches->news[i].excess) {
        return;
    }
    breaches->news[i] = *breach;
}

void breaches_add(struct breaches *breaches, struct snapshot_breach *breach)
{
    breach->number = breaches->told++;
    if (breaches->count == BREACHES_NEWEST_MAX)
        retire_breach(breaches);
    breaches->newest[(breaches->first + breaches->count++) % BREACHES_NEWEST_MAX] = *breach;
    note_news(breaches, breach);
}

bool breaches_news(struct breaches *breaches, struct snapshot_breach *worst)
{
    if (breaches->news_count == 0)
        return false;
    *worst = breaches->news[--breaches->news_count];
    return true;
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
