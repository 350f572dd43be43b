/* ingest_work.c - what ends a session besides its user: a function that was called so often, or a device that
 * went away. */
#include "session/ingest.h"

#include "symbol/nearest.h"

#include <string.h>

enum { GONE_MS = 3000 };

/* A name that the ELF lacks would be waited for in vain. */
static bool may_come(const struct ingest *ingest, const char *name, struct error *err)
{
    const struct symtab *symtab = ingest->symbols.current;
    if (!symtab || !strncmp(name, "0x", 2) || symtab_find_name(symtab, name) != SYMTAB_NONE)
        return true;
    uint32_t nearest = symtab_nearest(symtab, name);
    if (nearest == SYMTAB_NONE)
        return error_set(err, "--work names the function '%.80s', and %.120s has no functions.", name,
                         ingest->symbols.name);
    return error_set(err, "--work names the function '%.80s', which %.120s lacks; the nearest is '%.120s'.",
                     name, ingest->symbols.name, symtab_at(symtab, nearest)->name);
}

bool ingest_begin_work(struct ingest *ingest, const struct session_settings *settings, struct error *err)
{
    ingest->work.function = settings->work;
    ingest->work.calls = settings->work_calls;
    ingest->work.ends_when_gone = settings->ends_when_gone;
    return settings->work_calls == 0 || may_come(ingest, settings->work, err);
}

bool ingest_has_worked(struct ingest *ingest)
{
    struct ingest_work *work = &ingest->work;
    if (work->calls == 0 || atomic_load(&work->is_done) || device_awaits_own_run(&ingest->device))
        return false;
    work->counted = profile_calls_of(ingest->profile, work->function, &work->row);
    if (work->counted < work->calls)
        return false;
    atomic_store(&work->is_done, true);
    return true;
}

uint64_t ingest_gone_ms(const struct ingest *ingest)
{
    bool is_gone = ingest->connection.state == STATE_LOST && !source_is_finite(ingest->source);
    return is_gone && ingest->work.ends_when_gone ? ingest->connection.lost_ms + GONE_MS : UINT64_MAX;
}
