/* session_settings.h - the settings of a session. */
#ifndef SESSION_SESSION_SETTINGS_H
#define SESSION_SESSION_SETTINGS_H

#include "base/elf_list.h"
#include "dialect/dialect.h"
#include "session/timing.h"
#include "source/source.h"

struct session_settings {
    struct source_settings source;
    const struct dialect *dialect; /* NULL: detected from the first bytes; then without options */
    struct dialect_settings dialect_settings;
    const struct elf_list *elfs; /* NULL or empty: addresses stay addresses; must outlive the session */
    const char *record_path;     /* NULL: nothing is recorded until ordered */
    const char *record_dir;      /* folder for recordings started by an order; NULL: the working directory */
    /* size limit of a recording in bytes, at least RECORDER_LEAST, kept in parts; 0: none */
    uint64_t record_most;
    uint32_t baud_most;   /* highest rate to raise the line to, if device and port can; 0: do not raise it */
    const char *trigger;  /* "FUNCTION>500us", calls to keep a window of; NULL: none */
    const char *keep_dir; /* folder for recordings around broken limits; NULL: none */
    uint32_t keep_ms, keep_files; /* time before and after each; maximum number; 0: the default */
    uint64_t keep_most;           /* size limit of all of them in bytes; 0: the default */
    const struct bound *limits;   /* limits on figures of functions; copied */
    size_t limits_n;
    const char *work; /* with the call of this number of this function the session has done its work; ... */
    uint64_t work_calls; /* ... 0: nothing of the kind */
    bool ends_when_gone; /* a live source that was there and went away ends the session */
    enum mode mode;      /* how a device that has a choice is to report its calls */
    bool measures; /* the device begins a run of its own; else one that is under way is joined, with what it
                      counted */
    bool visits;   /* the device is asked, and does what it is ordered, but is neither started nor stopped */
    size_t ring;   /* bytes of a live source that may wait for being decoded; 0: the default, 16 MiB */
    bool is_quiet; /* its threads log nothing: what it reads was reported when it came */
    bool control;  /* send the device commands, where the source and the dialect have such */
    struct session_timing timing;
};

#endif
