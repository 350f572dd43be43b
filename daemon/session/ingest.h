/* ingest.h - the ingest thread: the only writer of the profile. For the files of this room only. */
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

/* Bytes of one read: at least what is welcome after the longest wait, see stream.h. */
enum { INGEST_BUFFER_SIZE = 160 * 1024 };

/* What ties the thread to others; all of it is borrowed, and outlives the thread. */
struct ingest_ties {
    struct board *board;
    struct mailbox *mailbox;
    const struct wake *wake;  /* rung by the mailbox and by whoever sets `stop` */
    const struct wake *ended; /* to be rung at the end of a finite source */
    atomic_bool *stop;
    bool publishes; /* as things change; else only the last snapshot is made */
};

/* What ends the session: that number of calls of a function. */
struct ingest_work {
    const char *function;
    uint64_t calls, counted; /* calls 0: nothing does */
    uint32_t row;            /* of the function, as profile_calls_of() found it */
    atomic_bool is_done;     /* for any thread */
    atomic_int stopped_by;   /* enum snapshot_end: why whoever sets `stop` does */
    bool ends_when_gone;     /* a live source that went away for good ends it, too, and one that never came */
    uint64_t begun_ms;       /* when the thread began */
};

/* All of it is the thread's own while that runs. */
struct ingest {
    struct ingest_ties ties;
    struct pulse pulse;               /* of this thread; any may read it */
    atomic_uint_least64_t bytes_read; /* from the source; likewise */
    struct session_timing timing;     /* no zeros */

    /* The parts. */
    struct source *source;
    struct decoder *decoder;
    struct profile *profile;
    struct writer *writer; /* of the two that follow; NULL: a finite source, or it was not started */
    struct recording recording;
    struct keeper keeper;
    struct connection connection;
    struct device device;
    uint64_t drain_ms; /* since when the device tells what it had still to tell; 0: it does not */
    struct symbols symbols;
    struct program program; /* what the decoder's dialect may look up */
    struct target target;
    uint32_t baud_home, baud_line; /* at which the line is opened, and was set to last; 0: it is not open */
    struct error baud_trouble;     /* as reported last */
    struct error remark;           /* of the source, as reported last */
    struct trigger trigger;
    struct ingest_work work;
    struct throughput throughput;
    struct loss loss;
    struct overload overload;   /* of the line in the stream, of the target's room in the tree */
    enum mode overload_mode;    /* of which that is */
    bool await_told, boot_told; /* that it awaits a description; that the number of its start is no number */
    uint64_t crowded;           /* calls for which the target had no room of their own */
    struct snapshot_source shown; /* what does not change about the source */
    uint8_t *buffer;              /* INGEST_BUFFER_SIZE */

    /* What was read and received. */
    uint64_t heard_ms, gather_until_ms;
    uint64_t recorded_us; /* what is recorded next came no earlier */
    bool idle_told;
    uint64_t dropped; /* source_dropped(), as reported last */
    struct snapshot_damage damage;
    uint64_t damage_skipped,
        damage_ticks; /* bytes skipped, and the newest tick, when it was looked at last */
    struct log_gate dropped_gate;
    uint64_t records_rejected; /* in packets that cannot be */
    bool choice_told;          /* which dialect was found out */
    struct log_gate restart_gate, dialect_gate, disguise_gate, limits_gate, settings_gate, memory_gate;
    bool restart_suspected;
    struct answers answers;     /* how long they take */
    struct examiner examiner;   /* of what makes no sense */
    struct clockline clockline; /* the target's clock against this machine's */
    uint64_t clock_arrived_us;  /* when bytes came last */
    uint64_t clock_looked_us;   /* when its rate was worked out last */
    struct log_gate clock_gate;
    uint64_t stood_at;      /* the newest tick when the device said that its counter stands still */
    bool has_stood_at;      /* there was one; else what counts is the first that came since */
    const char *doubt_told; /* decoder_doubt(), as logged last */
    struct error failure;   /* of a finite source; "" none */

    /* What others wait for. */
    struct order *order;         /* a command that waits for the device's answer */
    struct order *trigger_order; /* likewise, until the device knows about the trigger */
    struct order *record_order;  /* likewise, until the recording that it began has a file, or the one that it
                                    ended is on the disk */

    /* What the next snapshot is made for, and when. */
    bool changed;         /* since the last snapshot */
    bool urgent;          /* ... in a way that people should see at once */
    bool begins_own_run;  /* the profile was cleared for it: losses count from the next snapshot on */
    bool silent_shown;    /* device_is_silent(), in the last snapshot */
    uint64_t bytes_shown; /* of the link, in the last snapshot */
    struct beat beat;
};

/* Makes the parts. A live source is read from here on by a thread of its own, and opened before the ELF is
 * read if there is one. False with a sentence when one cannot be made: the source, the ELF, the recording. Of
 * the settings only the strings, the dialect's and the source's are borrowed. The ingest must not be moved
 * afterwards, since its parts point to one another. */
bool ingest_init(struct ingest *ingest, const struct session_settings *settings,
                 const struct ingest_ties *ties, struct error *err);
void ingest_fini(struct ingest *ingest);

/* Starts the thread that writes recordings of a live source. False with a sentence. */
bool ingest_start(struct ingest *ingest, struct error *err);

/* The thread's body: works until *stop, then sees everything to its end. */
void ingest_run(struct ingest *ingest);

/* ---- ingest_events.c: what the target says, and the snapshot ---- */

/* Takes in the decoder's events; `user` is the ingest. */
void ingest_events(void *user, const struct event *events, size_t n);

/* Tells, once each, which dialect was found out and which one the bytes look like instead. */
void ingest_tell_dialect(struct ingest *ingest);

/* Empties the profile of all that is over. */
void ingest_clear(struct ingest *ingest);

/* Notes, and says where that is not what was wanted, in which mode the device was started. */
void ingest_follow_mode(struct ingest *ingest);

/* Has the device leave the stream when that loses too much. */
void ingest_judge_mode(struct ingest *ingest, uint64_t now_ms);

/* The rate at which the source was opened just now; 0: it has none. */
uint32_t ingest_open_baud(struct ingest *ingest);

/* Has the port run at the rate that the conversation needs, and tells what there is to tell of that. */
void ingest_follow_baud(struct ingest *ingest, uint64_t now_ms);

/* Has the profile named by the symbols in use, if they changed. */
void ingest_follow_symbols(struct ingest *ingest, enum symbols_change change);

/* Publishes a snapshot; calls that wait for a caller are placed first if `last`. */
void ingest_publish(struct ingest *ingest, uint64_t now_ms, bool last);

/* ---- ingest_orders.c: the trigger, limits, orders ---- */

/* Takes orders until one has to wait for the device; those behind it wait with it. */
void ingest_follow_orders(struct ingest *ingest);

/* Answers whoever ordered the command that waits, if the device has answered. */
void ingest_answer_command(struct ingest *ingest);

/* Answers whoever began a recording, if its file was made, or ended one, if all of it is on the disk. */
void ingest_answer_recording(struct ingest *ingest);

/* Sets the trigger that the user began with (NULL: none). False with a sentence. */
bool ingest_begin_trigger(struct ingest *ingest, const char *text, struct error *err);

/* Tells the device what it is to know about the trigger, when it can be reached. */
void ingest_follow_trigger(struct ingest *ingest);

/* Answers whoever waits for that, since nothing more is sent. */
void ingest_end_trigger(struct ingest *ingest);

/* Has the profile watch for the trigger, and judge limits, by the target's present clock. */
void ingest_watch(struct ingest *ingest);

/* Sets the limits that the user began with. False with a sentence. */
bool ingest_begin_limits(struct ingest *ingest, const struct bound *bounds, size_t n, struct error *err);

/* Tells of limits that were broken since it was called last. */
void ingest_follow_limits(struct ingest *ingest);

/* ---- ingest_clock.c: the target's clock against this machine's ---- */

/* Tells the decoder how much time passed up to what it is fed next, which came at `arrival_us`
 * (source_arrival_us()). */
void ingest_pass_time(struct ingest *ingest, uint64_t arrival_us);

/* Holds the newest tick of what was fed against the time at which that came, and tells what follows. */
void ingest_follow_clock(struct ingest *ingest, uint64_t arrival_us);

/* Takes in what the device says of its counter. */
void ingest_hear_counter(struct ingest *ingest, const struct event_run *run);

#endif
