/* ingest.h - the ingest thread, the only writer of the profile. Only for files of this room. */
#ifndef SESSION_INGEST_H
#define SESSION_INGEST_H

#include "base/log.h"
#include "handoff/board.h"
#include "handoff/mailbox.h"
#include "process/pulse.h"
#include "profile/profile.h"
#include "device/answers.h"
#include "session/beat.h"
#include "session/clockline.h"
#include "session/examiner.h"
#include "session/connection.h"
#include "session/decoder.h"
#include "device/device.h"
#include "recording/keeper.h"
#include "session/throughput.h"
#include "session/loss.h"
#include "session/overload.h"
#include "session/program.h"
#include "recording/recording.h"
#include "session/session_settings.h"
#include "session/symbols.h"
#include "device/target.h"
#include "device/trigger.h"

#include <stdatomic.h>

/* Bytes per read: at least what can arrive in the longest wait, see stream.h. */
enum { INGEST_BUFFER_SIZE = 160 * 1024 };

/* Connections to other threads; borrowed, must outlive the thread. */
struct ingest_ties {
    struct board *board;
    struct mailbox *mailbox;
    const struct wake *wake;  /* rung by the mailbox, and after `stop` is set */
    const struct wake *ended; /* to be rung at the end of a finite source */
    atomic_bool *stop;
    bool publishes; /* snapshots are published as things change; else only the last one is made */
};

/* The end of the session: after this number of calls of a function. */
struct ingest_work {
    const char *function;
    uint64_t calls, counted; /* calls 0: nothing does */
    uint32_t row;            /* of the function, for profile_calls_of() */
    atomic_bool is_done;     /* for any thread */
    atomic_int stopped_by;   /* enum snapshot_end: why `stop` was set */
    bool ends_when_gone;     /* a live source that is gone for good, or never came, ends it, too */
    uint64_t begun_ms;       /* when the thread began */
};

/* Used only by the thread while that runs. */
struct ingest {
    struct ingest_ties ties;
    struct pulse pulse;               /* of this thread; any thread may read it */
    atomic_uint_least64_t bytes_read; /* from the source; likewise */
    struct session_timing timing;     /* no zeros */

    /* The parts. */
    struct source *source;
    struct decoder *decoder;
    struct profile *profile;
    struct writer *writer; /* of the next two; NULL: a finite source, or not started */
    struct recording recording;
    struct keeper keeper;
    struct connection connection;
    struct device device;
    uint64_t drain_ms; /* since when the device sends the rest after STOP; 0: it does not */
    struct symbols symbols;
    struct program program; /* for look-ups of the decoder's dialect */
    struct target target;
    uint32_t baud_home, baud_line; /* rates of the line: at opening, and set last; 0: not open */
    struct error baud_trouble;     /* as last reported */
    struct error remark;           /* of the source, as last reported */
    struct trigger trigger;
    struct ingest_work work;
    struct throughput throughput;
    struct loss loss;
    struct overload overload;     /* of the line in the stream, of the target's memory in the tree */
    enum mode overload_mode;      /* the mode it is for */
    bool await_told, boot_told;   /* logged: a description is awaited; start counts are unsteady */
    uint64_t crowded;             /* calls for which the target had no node */
    struct snapshot_source shown; /* the constant facts of the source */
    uint8_t *buffer;              /* INGEST_BUFFER_SIZE */

    /* Input so far. */
    uint64_t heard_ms, gather_until_ms;
    uint64_t recorded_us; /* bytes recorded next arrived no earlier */
    bool idle_told;
    uint64_t dropped; /* source_dropped(), as last reported */
    struct snapshot_damage damage;
    uint64_t damage_skipped, damage_ticks; /* bytes skipped, and the newest tick, at the last check */
    struct log_gate dropped_gate;
    uint64_t records_rejected; /* in packets that cannot be */
    bool choice_told;          /* which dialect was found out */
    struct log_gate restart_gate, dialect_gate, disguise_gate, limits_gate, settings_gate, memory_gate;
    bool restart_suspected;
    struct answers answers;     /* response times */
    struct examiner examiner;   /* of bytes that make no sense */
    struct clockline clockline; /* the target's clock against this machine's */
    uint64_t clock_arrived_us;  /* when bytes came last */
    uint64_t clock_looked_us;   /* when its rate was last computed */
    struct log_gate clock_gate;
    uint64_t stood_at;      /* the newest tick when the device reported that its counter stands still */
    bool has_stood_at;      /* there was one; else the first tick since then is compared */
    const char *doubt_told; /* decoder_doubt(), as last logged */
    struct error failure;   /* of a finite source; "" if none */

    /* Open requests. */
    struct order *order;         /* a command that waits for the device's answer */
    struct order *trigger_order; /* likewise, until the device knows the trigger */
    struct order *record_order;  /* likewise, until the recording it started has a file, or the one it
                                    stopped is on the disk */

    /* When the next snapshot is needed. */
    bool changed;         /* since the last snapshot */
    bool urgent;          /* ... so that users should see it at once */
    bool begins_own_run;  /* the profile was cleared for a new run: losses count from the next snapshot on */
    bool silent_shown;    /* device_is_silent(), in the last snapshot */
    uint64_t bytes_shown; /* of the link, in the last snapshot */
    struct beat beat;
};

/* Makes the parts. A thread reads a live source from then on; it is opened before an ELF is read. Returns
 * false with an error if a part cannot be made: the source, the ELF, the recording. Of the settings, only
 * strings and those of dialect and source are borrowed. The ingest must not be moved afterwards, since its
 * parts point to one another. */
bool ingest_init(struct ingest *ingest, const struct session_settings *settings,
                 const struct ingest_ties *ties, struct error *err);
void ingest_fini(struct ingest *ingest);

/* Starts the thread that writes recordings of a live source. Returns false with an error on failure. */
bool ingest_start(struct ingest *ingest, struct error *err);

/* The thread's body: runs until *stop, then completes all work. */
void ingest_run(struct ingest *ingest);

/* ---- ingest_events.c: the target's events, and the snapshot ---- */

/* Processes the decoder's events; `user` is the ingest. */
void ingest_events(void *user, const struct event *events, size_t n);

/* Logs, once each, which dialect was detected, and which one the bytes look like instead. */
void ingest_tell_dialect(struct ingest *ingest);

/* Clears all calls that have ended from the profile. */
void ingest_clear(struct ingest *ingest);

/* Records the mode in which the device was started; warns if it is not the one wanted. */
void ingest_follow_mode(struct ingest *ingest);

/* Makes the device leave the stream if that loses too much. */
void ingest_judge_mode(struct ingest *ingest, uint64_t now_ms);

/* The rate at which the source was just opened; 0: it has none. */
uint32_t ingest_open_baud(struct ingest *ingest);

/* Sets the port to the rate that the conversation with the device needs, and reports problems with it. */
void ingest_follow_baud(struct ingest *ingest, uint64_t now_ms);

/* Renames the profile's functions if the symbols in use changed. */
void ingest_follow_symbols(struct ingest *ingest, enum symbols_change change);

/* Publishes a snapshot; if `last`, calls that wait for a caller are placed first. */
void ingest_publish(struct ingest *ingest, uint64_t now_ms, bool last);

/* ---- ingest_orders.c: the trigger, limits, orders ---- */

/* Executes orders until one has to wait for the device; later ones wait, too. */
void ingest_follow_orders(struct ingest *ingest);

/* Answers the order of the pending command, if the device has answered. */
void ingest_answer_command(struct ingest *ingest);

/* Answers the pending order for a recording, if its file was made, or all of it is on the disk. */
void ingest_answer_recording(struct ingest *ingest);

/* Sets the user's initial trigger (NULL: none). Returns false with an error on failure. */
bool ingest_begin_trigger(struct ingest *ingest, const char *text, struct error *err);

/* Sends the trigger to the device, when it can be reached. */
void ingest_follow_trigger(struct ingest *ingest);

/* Answers the pending order for a trigger, since nothing more is sent. */
void ingest_end_trigger(struct ingest *ingest);

/* Sets the trigger and the clock for limits in the profile, by the target's present clock. */
void ingest_watch(struct ingest *ingest);

/* Sets the user's initial limits. Returns false with an error on failure. */
bool ingest_begin_limits(struct ingest *ingest, const struct bound *bounds, size_t n, struct error *err);

/* Reports limits that were broken since it was called last. */
void ingest_follow_limits(struct ingest *ingest);

/* ---- ingest_clock.c: the target's clock against this machine's ---- */

/* Gives the decoder how much time passed up to what it is fed next, which came at `arrival_us`
 * (source_arrival_us()). */
void ingest_pass_time(struct ingest *ingest, uint64_t arrival_us);

/* Compares the newest tick of the bytes fed with their arrival time, and reports findings. */
void ingest_follow_clock(struct ingest *ingest, uint64_t arrival_us);

/* Processes what the device reports on its counter. */
void ingest_hear_counter(struct ingest *ingest, const struct event_run *run);

#endif
