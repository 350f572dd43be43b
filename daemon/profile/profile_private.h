/* profile_private.h - what a profile is made of; for profile.c, which lets events in, and freeze.c, which
 * hands snapshots out. */
#ifndef PROFILE_PROFILE_PRIVATE_H
#define PROFILE_PROFILE_PRIVATE_H

#include "profile/arcs.h"
#include "profile/bounds.h"
#include "profile/contexts.h"
#include "profile/counted.h"
#include "profile/window_log.h"
#include "profile/livestacks.h"
#include "profile/marks.h"
#include "profile/measured_settings.h"
#include "profile/messages.h"
#include "profile/moment_log.h"
#include "profile/placement.h"
#include "profile/profile.h"
#include "profile/samples.h"
#include "profile/witness.h"
#include "snapshot/link_history.h"

/* The profile. The ingest thread alone has it. */
struct profile {
    struct functions functions;
    struct calltree tree;
    struct timeline timeline;
    struct timeline turns; /* of contexts, as snapshot/turns.h says */
    struct placement placement;
    struct witness witness; /* of what `placement` gets */
    struct livestacks livestacks;
    struct counted counted;
    struct kept kept;
    struct other_cores { /* of the target, which are not measured */
        bool is_told;
        uint32_t heard; /* hooks there, as the newest STATUS says */
        uint64_t hooks; /* since the first STATUS that reported them, or since the profile was cleared */
    } other_cores;
    struct bounds bounds;
    struct arcs arcs;
    struct samples samples;
    struct messages messages;
    struct marks marks;
    struct moments moments;
    struct contexts contexts;
    struct measured_settings settings;
    struct link_history history; /* of the link; clearing leaves it */
    bool measured;       /* calls came, one by one: the tree is made of these, not of arcs and samples */
    bool estimate_due;   /* arcs or samples came that the tree does not show yet */
    uint64_t sequence;   /* of the last snapshot */
    uint64_t cleared_at; /* of the snapshot that first shows the rows of now */
    bool changed;
    bool was_cleared; /* since the last snapshot: what the link has counted by then is not this profile's */
    struct ledger before;                  /* what was missing then */
    struct ledger_cleared cleared[CAUSES]; /* since then, without the user's order */
    uint64_t calls_told; /* since the rows began again: begun, ended or counted by the target */
    struct {
        uint64_t told, unfinished, refused;
    } carried; /* calls of rows that were discarded since the user cleared, by where they went */
    uint64_t arc_calls_told;   /* likewise, by arcs between addresses */
    uint64_t ticks_per_second; /* 0: not known */
    bool waiting;              /* calls are pending since `waiting_since_ms`, the last came at `grew_ms` */
    uint64_t waiting_since_ms, grew_ms;
    uint32_t waited; /* calls that were pending when time passed last */
};

/* True when arcs tell calls that were reported otherwise, and without symbols the addresses of arcs, which
 * lie inside of functions, cannot be matched with those of entries: then they count as calls of
 * no function. */
static inline bool profile_arcs_are_doubles(const struct profile *profile)
{
    return profile->calls_told > 0 && !profile->functions.symtab;
}

#endif
