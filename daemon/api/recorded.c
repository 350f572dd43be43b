/* recorded.c - lists the recordings that viewers have ended in this run. */
#include "api/recorded.h"

#include <stdio.h>
#include <string.h>

void recorded_init(struct recorded *recorded)
{
    *recorded = (struct recorded){.n = 0};
    pthread_mutex_init(&recorded->lock, NULL);
}

void recorded_fini(struct recorded *recorded)
{
    pthread_mutex_destroy(&recorded->lock);
}

void recorded_add(struct recorded *recorded, const struct snapshot_recording *recording)
{
    pthread_mutex_lock(&recorded->lock);
    if (recorded->n == RECORDED_MOST)
        memmove(&recorded->rows[0], &recorded->rows[1], --recorded->n * sizeof recorded->rows[0]);
    struct recorded_row *row = &recorded->rows[recorded->n++];
    snprintf(row->path, sizeof row->path, "%s", recording->path);
    row->bytes = recording->bytes;
    row->wall_ns = recording->since_wall_ns;
    pthread_mutex_unlock(&recorded->lock);
}

size_t recorded_list(struct recorded *recorded, struct recorded_row rows[static RECORDED_MOST])
{
    pthread_mutex_lock(&recorded->lock);
    size_t n = recorded->n;
    for (size_t i = 0; i < n; i++)
        rows[i] = recorded->rows[n - 1 - i];
    pthread_mutex_unlock(&recorded->lock);
    return n;
}
