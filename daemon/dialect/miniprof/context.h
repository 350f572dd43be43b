/* context.h - kind and default name of a context number (protocol/SPEC.md section 10.2). */
#ifndef DIALECT_MINIPROF_CONTEXT_H
#define DIALECT_MINIPROF_CONTEXT_H

#include "event.h"
#include "protocol/compact.h"

#include <stdio.h>

enum { CONTEXT_NAME = 32 };

/* Makes the CONTEXT event of context `id`, named by its number; the name is written to `name`, CONTEXT_NAME
 * bytes. The only task of a program without tasks has no name. */
static inline struct event context_numbered(uint32_t id, bool is_idle, char *name)
{
    bool is_interrupt = MP_CONTEXT_IS_INTERRUPT(id);
    int n = snprintf(name, CONTEXT_NAME, is_interrupt ? "interrupt %u" : "task %u", id / 2);
    return (struct event){.kind = EVENT_CONTEXT,
                          .flags = EVENT_NUMBERED,
                          .context = id,
                          .context_is = {.name = id == MP_CONTEXT_TASK(0) ? NULL : name,
                                         .n = (uint32_t)n,
                                         .kind = is_interrupt ? CONTEXT_INTERRUPT
                                                 : is_idle    ? CONTEXT_IDLE
                                                              : CONTEXT_THREAD}};
}

#endif
