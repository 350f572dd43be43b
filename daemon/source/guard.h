/* guard.h - watches an open port: another program may change its settings, or read its bytes. Only for files
 * of this room.
 *
 * Changed settings are restored, but not repeatedly: two programs that fight make the line useless. The port
 * is checked when the watching process has news (rivals.h), twice a second while bytes arrive or a problem
 * exists, and otherwise never. */
#ifndef SOURCE_GUARD_H
#define SOURCE_GUARD_H

#include "source/rivals.h"
#include "source/source.h"

#include <asm/termbits.h>

struct guard {
    int fd; /* -1: no port is guarded */
    const char *path;
    const struct source_settings *settings; /* for the modem lines */
    struct termios2 wanted;
    struct rival rival;                       /* the newest one seen; process 0: none */
    struct rival setter;                      /* program whose settings are reported; process 0: unknown */
    bool is_alone;                            /* at the last news, only `rival` had it open */
    uint32_t rivals;                          /* programs that keep it open */
    bool is_foreign;                          /* the settings are another program's */
    bool was_put_back;                        /* the report is on settings that were restored */
    uint64_t looked_ms, put_back_ms, told_ms; /* 0: never */
};

/* Begins with a port that is open and configured. `path` and `settings` are borrowed. */
void guard_begin(struct guard *guard, int fd, const char *path, const struct source_settings *settings);
void guard_end(struct guard *guard);

/* The daemon itself has changed the port's rate. */
void guard_adopt_baud(struct guard *guard);

/* Checks the port and news if that is due; `has_bytes`: some arrived just now. Returns true if the text for
 * the user has changed; `remark` becomes that text, "" for none. */
bool guard_look(struct guard *guard, bool has_bytes, struct error *remark);

/* The time until guard_look() is due, in ms; -1: when there are bytes or news. */
int guard_timeout_ms(const struct guard *guard);

#endif
