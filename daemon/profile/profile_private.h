/* profile_private.h - the parts of a profile; for profile.c, which applies events, and freeze.c, which makes
 * snapshots. */
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

/* The profile. Only the ingest thread accesses it. */
struct profile {
    struct functions functions;
    struct calltree tree;
    struct timeline timeline;
    struct timeline turns; /* of contexts, see snapshot/turns.h */
    struct placement placement;
    struct witness witness; /* of records for `placement` */
    struct livestacks livestacks;
    struct counted counted;
    struct kept kept;
    struct other_cores { /* cores of the target that are not measured */
        bool is_told;
        uint32_t heard; /* number of their hooks in the newest STATUS */
        uint64_t hooks; /* since the first STATUS with them, or since the last clear */
    } other_cores;
    struct bounds bounds;
    struct arcs arcs;
    struct samples samples;
    struct messages messages;
    struct marks marks;
    struct moments moments;
    struct contexts contexts;
    struct measured_settings settings;
    struct link_history history; /* of the link; not cleared */
    bool measured;       /* calls were reported: the tree is made from these, not from arcs and samples */
    bool estimate_due;   /* new arcs or samples are not in the tree yet */
    uint64_t sequence;   /* of the last snapshot */
    uint64_t cleared_at; /* sequence of the first snapshot with the current rows */
    bool changed;
    bool was_cleared;     /* since the last snapshot: the link's counts by then are not this profile's */
    struct ledger before; /* losses at that time */
    struct ledger_cleared cleared[CAUSES]; /* since then, without the user's order */
    uint64_t calls_told; /* calls since the last clear or discard: begun, ended or counted by the target */
    struct {
        uint64_t told, unfinished, refused;
    } carried;                 /* of rows that were discarded since the user's last clear, by result */
    uint64_t arc_calls_told;   /* likewise, by arcs between addresses */
    uint64_t ticks_per_second; /* 0 when unknown */
    bool waiting;              /* calls are pending since `waiting_since_ms`; the last arrived at `grew_ms` */
    uint64_t waiting_since_ms, grew_ms;
    uint32_t waited; /* pending calls at the last profile_tick() */
};

/* True when arcs repeat calls that were also reported in another way, and cannot be matched with them: arcs
 * have addresses inside of functions, which need symbols. Then they do not count as calls. */
static inline bool profile_arcs_are_doubles(const struct profile *profile)
{
    return profile->calls_told > 0 && !profile->functions.symtab;
}

#endif
