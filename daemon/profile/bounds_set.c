/* bounds_set.c - what others do with the limits of a profile. */
#include "profile/parts.h"

#include <string.h>

bool profile_add_bound(struct profile *profile, const struct bound *bound, uint32_t *id, struct error *err)
{
    if (!bounds_add(&profile->bounds, bound, &profile->functions, id, err))
        return false;
    profile->changed = true;
    return true;
}

void profile_keep_bound(struct profile *profile, uint32_t id)
{
    bounds_keep(&profile->bounds, id);
}

bool profile_remove_bound(struct profile *profile, uint32_t id)
{
    bool was_there = bounds_remove(&profile->bounds, id, &profile->functions);
    profile->changed |= was_there;
    return was_there;
}

void profile_set_clock(struct profile *profile, uint64_t hz)
{
    bounds_set_clock(&profile->bounds, hz);
}

static const struct snapshot_bound *bound_of(const struct profile *profile, uint32_t id)
{
    for (uint32_t i = 0; i < profile->bounds.count; i++)
        if (profile->bounds.rows[i].told.id == id)
            return &profile->bounds.rows[i].told;
    return NULL;
}

bool profile_breached(struct profile *profile, struct snapshot_breach *worst, char *limit, size_t size)
{
    if (!breaches_news(&profile->bounds.breaches, worst))
        return false;
    const struct snapshot_bound *told = bound_of(profile, worst->bound);
    *limit = '\0';
    if (told)
        bound_write(&told->bound, limit, size);
    return true;
}

uint64_t profile_calls_of(const struct profile *profile, const char *name, uint32_t *row)
{
    const struct functions *functions = &profile->functions;
    if (*row < functions->count && bounds_name_means(name, &functions->rows[*row]))
        return functions->rows[*row].calls;
    for (uint32_t id = 0; id < functions->count; id++)
        if (bounds_name_means(name, &functions->rows[id])) {
            *row = id;
            return functions->rows[id].calls;
        }
    return 0;
}

const char *profile_bound_doubt(const struct profile *profile, uint32_t id)
{
    const struct snapshot_bound *told = bound_of(profile, id);
    return told && told->is_missing ? told->detail : "";
}
