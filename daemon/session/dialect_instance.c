/* dialect_instance.c - an instance of a dialect, with its state and the data from its files. */
#include "session/dialect_instance.h"

#include <stdlib.h>

bool dialect_instance_open(struct dialect_instance *instance, const struct dialect *dialect,
                           const struct dialect_settings *settings, struct error *err)
{
    struct dialect_settings complete = *settings;
    *instance = (struct dialect_instance){.dialect = dialect, .state = calloc(1, dialect->state_size)};
    if (!instance->state) {
        error_set(err, "Out of memory while preparing dialect %s.", dialect->id);
        goto close;
    }
    if (dialect->load && !dialect->load(&complete, &instance->companion, err))
        goto close;
    complete.companion = instance->companion;
    if (dialect->start && !dialect->start(instance->state, &complete, err))
        goto close;
    return true;

close:
    dialect_instance_close(instance);
    return false;
}

void dialect_instance_close(struct dialect_instance *instance)
{
    free(instance->state);
    if (instance->dialect && instance->dialect->unload)
        instance->dialect->unload(instance->companion);
    *instance = (struct dialect_instance){0};
}

void dialect_instance_finish(struct dialect_instance *instance, const struct event_out *out)
{
    if (instance->dialect && instance->dialect->finish)
        instance->dialect->finish(instance->state, out);
}

void dialect_instance_idle(struct dialect_instance *instance, const struct event_out *out)
{
    if (instance->dialect && instance->dialect->idle)
        instance->dialect->idle(instance->state, out);
}

void dialect_instance_reset(struct dialect_instance *instance)
{
    if (instance->dialect && instance->dialect->reset)
        instance->dialect->reset(instance->state);
}

void dialect_instance_tell_gap(const struct dialect_instance *instance, bool line_was_away,
                               const struct event_out *out)
{
    bool told = instance->dialect->tells_losses && instance->dialect->tells_losses(instance->state);
    struct event lost = {.kind = EVENT_LOST, .lost = {.line_was_away = line_was_away, .stacks_told = told}};
    if (!told || line_was_away)
        out->batch(out->user, &lost, 1);
}

void dialect_instance_retell(struct dialect_instance *instance, const struct event_out *out)
{
    if (instance->dialect->retell)
        instance->dialect->retell(instance->state, out);
}

void dialect_instance_tell(const struct dialect_instance *instance, struct snapshot_link *link)
{
    const struct dialect_health *health = dialect_instance_health(instance);
    link->ticks_untold = health->ticks_untold;
    link->rows_untold = health->rows_untold;
    link->windows_lost = health->windows_lost;
    link->form = health->form;
}
