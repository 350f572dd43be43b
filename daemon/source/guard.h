/* guard.h - keeps an eye on an open port, for the files of this room only: another program may change its
 * settings, or read its bytes away.
 *
 * Settings that were changed are put back, but not time after time: two programs that fight make the line
 * useless. It looks when the watching process has news (rivals.h), twice a second while bytes come or
 * something is wrong, and else never. */
#ifndef SOURCE_GUARD_H
#define SOURCE_GUARD_H

#include "source/rivals.h"
#include "source/source.h"

#include <asm/termbits.h>

struct guard {
    int fd; /* -1: nothing is guarded */
    const char *path;
    const struct source_settings *settings; /* of which the modem lines count */
    struct termios2 wanted;
    struct rival rival;                       /* the newest that was seen; the process is 0: none was */
    struct rival setter;                      /* whose settings are reported; the process is 0: unknown */
    bool is_alone;                            /* nobody but `rival` had it open when news came last */
    uint32_t rivals;                          /* that have it open for longer than a moment */
    bool is_foreign;                          /* the settings are those of another program */
    bool was_put_back;                        /* what is reported is of settings that were put back */
    uint64_t looked_ms, put_back_ms, told_ms; /* the latter 0: never, nothing */
};

/* Begins with a port that is open and set. `path` and `settings` are borrowed. */
void guard_begin(struct guard *guard, int fd, const char *path, const struct source_settings *settings);
void guard_end(struct guard *guard);

/* The port runs at another rate, by our will. */
void guard_adopt_baud(struct guard *guard);

/* Looks when it is time to, at the port and for news; `has_bytes`: some came just now. True when what there
 * is to say has changed; `remark` is that, "" for nothing. */
bool guard_look(struct guard *guard, bool has_bytes, struct error *remark);

/* How long guard_look() may wait, in ms; -1: until there are bytes or news. */
int guard_timeout_ms(const struct guard *guard);

#endif
