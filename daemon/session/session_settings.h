/* session_settings.h - what a session is to do. */
#ifndef SESSION_SESSION_SETTINGS_H
#define SESSION_SESSION_SETTINGS_H

#include "base/elf_list.h"
#include "dialect/dialect.h"
#include "session/timing.h"
#include "source/source.h"

struct session_settings {
    struct source_settings source;
    const struct dialect *dialect; /* NULL: to be found out from the first bytes; then without options */
    struct dialect_settings dialect_settings;
    const struct elf_list *elfs; /* NULL or empty: addresses stay addresses; must live on */
    const char *record_path;     /* NULL: nothing is recorded until an order starts it */
    const char *record_dir;      /* where recordings go that an order begins; NULL: the working directory */
    uint64_t
        record_most;    /* bytes a recording may take, RECORDER_LEAST or more, then in parts; 0: any number */
    uint32_t baud_most; /* to which the line is raised where device and port can; 0: it is left as it is */
    const char *trigger;          /* "FUNCTION>500us", which calls are worth a window; NULL: none */
    const char *keep_dir;         /* where the time around broken limits is kept; NULL: it is not */
    uint32_t keep_ms, keep_files; /* before and after each; the most of them; 0: the default */
    uint64_t keep_most;           /* bytes of all of them; 0: the default */
    const struct bound *limits;   /* what figures of functions are to keep to; copied */
    size_t limits_n;
    const char *work; /* with the call of this number of this function the session has done its work; ... */
    uint64_t work_calls; /* ... 0: nothing of the kind */
    bool ends_when_gone; /* a live source that was there and went away ends the session */
    enum mode mode;      /* how a device that has a choice is to tell its calls */
    bool measures; /* the device begins a run of its own; else one that is under way is joined, with what it
                      counted */
    bool visits;   /* the device is asked, and does what it is ordered, but is neither started nor stopped */
    size_t ring;   /* bytes of a live source that may wait for being decoded; 0: the default, 16 MiB */
    bool is_quiet; /* its threads log nothing: what it reads was reported when it came */
    bool control;  /* send the device commands, where the source and the dialect have such */
    struct session_timing timing;
};

#endif
