/* kind.c - names of the kinds of rows. */
#include "snapshot/snapshot.h"

#include <assert.h>

static const struct kind {
    const char *name;
    bool is_numbered;
} kinds[] = {
    [KIND_FUNCTION] = {"function", false}, [KIND_RUNNING] = {"running", true},
    [KIND_NOT_SEEN] = {"not_seen", true},  [KIND_CYCLE] = {"cycle", true},
    [KIND_OTHER] = {"other", false},       [KIND_PAIR] = {"pair", true},
    [KIND_OUTSIDE] = {"outside", false},   [KIND_UNKNOWN] = {"unknown", false},
    [KIND_BELOW] = {"below", false},       [KIND_INTERRUPT] = {"interrupt", false},
};
static_assert(sizeof kinds / sizeof *kinds == SNAPSHOT_KINDS, "each kind has a name");

const char *snapshot_kind_name(enum snapshot_kind kind)
{
    return kinds[kind].name;
}

bool snapshot_kind_is_numbered(enum snapshot_kind kind)
{
    return kinds[kind].is_numbered;
}
