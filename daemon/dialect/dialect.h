/* dialect.h - turns bytes into events. Each dialect is a folder <id>/ whose <id>.c ends in `const struct
 * dialect dialect_<id>`. It is named once in this room's meson.build; command line, help, page and contract
 * tests use the registry. */
#ifndef DIALECT_DIALECT_H
#define DIALECT_DIALECT_H

#include "base/error.h"
#include "event.h"

/* The input of decode(). */
enum dialect_framing {
    DIALECT_FRAMED, /* exactly one verified packet body of protocol/frame.h: type, length (LE), payload */
    DIALECT_RAW,    /* any run of bytes; the dialect keeps incomplete records */
};

/* An option of one dialect, `--dialect-opt KEY=VALUE`. */
struct dialect_option {
    const char *key;
    const char *fallback; /* the default, as the user would write it */
    const char *help;     /* one line */
};

/* A setting chosen by the user. Its key is an option of the dialect, or, as "ID.KEY", of a dialect that its
 * packets may carry. */
struct dialect_setting {
    const char *key;
    const char *value;
};

/* Addresses from `start` up to, but without, `end`. */
struct dialect_range {
    uint64_t start, end;
};

/* The user's n settings, of which later ones override, and other input from the session. What it points to
 * outlives the dialect's state. All zero is valid. */
struct dialect_settings {
    const struct dialect_setting *settings;
    size_t n;
    const char *carried;   /* the dialect's id when another one's packets carry it: its keys are "ID.KEY" */
    const void *companion; /* the result of the dialect's load() for the files in the options */

    /* Copies the NUL-terminated printable text at `address` of the target's program, if there is one, to
     * `out` (n bytes, always terminated). NULL when no program is known. */
    bool (*read_text)(void *user, uint64_t address, char *out, size_t n);
    void *read_text_user;

    /* Finds the function of that name in the target's program. Returns false when there is none. NULL when no
     * program is known. */
    bool (*find_function)(void *user, const char *name, struct dialect_range *range);
    void *find_function_user;

    /* Where the target's program has code, in any order; none when no program is known. Dialects without
     * checksums use it to check whether a number can be an address. */
    const struct dialect_range *code;
    size_t code_n;
    unsigned word_bytes; /* of the target's addresses: 4 or 8; 0 when no program is known */
};

/* Returns the chosen value of `key`, or its default. The text lives as long as the settings. */
const char *dialect_settings_value(const struct dialect_settings *settings,
                                   const struct dialect_option *options, const char *key);

/* True when setting i, below n, has that key; for options that may be given several times. */
bool dialect_settings_is(const struct dialect_settings *settings, size_t i, const char *key);

/* True when any setting is for the dialect `id` when it is carried. */
bool dialect_settings_has_carried(const struct dialect_settings *settings, const char *id);

/* Reads the chosen value of `key` as a number, decimal or 0x hexadecimal. Returns false, with a sentence,
 * when it is not a number or outside [least, most]. `key` must be among `options`. */
bool dialect_settings_u64(const struct dialect_settings *settings, const struct dialect_option *options,
                          const char *key, uint64_t least, uint64_t most, uint64_t *number,
                          struct error *err);

/* Counts of a dialect since the start. All zero is the initial state. The session adds them to the link's
 * health. */
struct dialect_health {
    uint64_t records;             /* good records of any kind */
    uint64_t summed;              /* of these, calls that the target reported as a sum */
    uint64_t malformed;           /* well-framed but impossible */
    uint64_t unsupported_version; /* of a version we do not know */
    uint64_t duplicates;          /* packets received twice, counted once */
    uint64_t ticks_untold;        /* of runs that are over and counted sums, this many of them missing */
    uint64_t rows_untold;         /* of such runs, rows that never came */
    uint64_t windows_lost;        /* windows around a slow call that did not come, or not whole */
    uint64_t bytes_skipped;       /* RAW: bytes that belonged to no record */
    uint64_t framing_errors;      /* RAW: times the record boundary was lost */
    uint64_t crc_errors;          /* RAW: records with a checksum of their own that was wrong */
    const char *form;  /* what the input turned out to be where a dialect knows several, a few words; NULL:
                          nothing to report (yet) */
    const char *doubt; /* what had to be assumed and may be wrong, a sentence that says what to do; static;
                          NULL: nothing */
    const char *empty; /* RAW: since finish(): all of the input is valid, and nothing was measured in it, a
                          sentence; static; NULL: something was, or it is not valid */
};

/* Ids in EXTENSION packets (protocol/SPEC.md) are below this. */
enum { DIALECT_EXTENSIONS = 16 };

/* The run of the target that a packet belongs to: not shown by the packet, the same as the packets decoded so
 * far, or another. */
enum dialect_run { DIALECT_RUN_UNKNOWN, DIALECT_RUN_SAME, DIALECT_RUN_OTHER };

/* Result of probe() when the bytes end inside a packet without errors so far. */
enum { PROBE_OPEN = -1 };

/* A dialect: a constant that describes it, with functions that read it. */
struct dialect {
    const char *id;      /* [a-z0-9-]+, the argument of --dialect */
    const char *title;   /* a proper name, a few words */
    const char *summary; /* one line: what it reads, and what it shows */
    enum dialect_framing framing;
    uint32_t provides;         /* enum provides bits */
    uint64_t ticks_per_second; /* default, without one on the wire or in an option; 0 when unknown */
    uint32_t versions;         /* of PROFILE_DATA that it reads: bit v for version v; 0: none */
    uint8_t extension;         /* RAW: its id in EXTENSION packets (protocol/SPEC.md); 0: none */
    const struct dialect_option *options; /* ends with a NULL key; NULL when there are none */

    /* The state is zeroed memory that the caller owns. All zero is the initial state, and nothing in it needs
     * to be freed. A dialect never allocates memory, logs, or reads the clock. */
    size_t state_size;

    /* Reads the files that the options name, once, into an immutable companion; *companion is NULL when the
     * options name none. Only this may allocate memory and open files. NULL when no option names a file. */
    bool (*load)(const struct dialect_settings *settings, void **companion, struct error *err);
    void (*unload)(void *companion); /* NULL is fine */

    /* Reads the options into a zeroed state. May be NULL when there are none. Returns false with a sentence
     * when a value is wrong. */
    bool (*start)(void *state, const struct dialect_settings *settings, struct error *err);

    /* FRAMED: the longest valid payload, in bytes; the state must be started. NULL when RAW. */
    size_t (*payload_max)(const void *state);

    /* Reads n bytes, which are borrowed for the call, and sends their events to `out`. */
    void (*decode)(void *state, const uint8_t *bytes, size_t n, const struct event_out *out);

    /* No more bytes will follow: sends what is still buffered. May be NULL. */
    void (*finish)(void *state, const struct event_out *out);

    /* RAW: on a live source, nothing has arrived for a moment. Sends what is still buffered, as finish()
     * does, although bytes may follow. NULL when nothing is buffered. */
    void (*idle)(void *state, const struct event_out *out);

    /* FRAMED: returns the run of the target that a packet belongs to. NULL when packets do not show it. */
    enum dialect_run (*run_of)(const void *state, const uint8_t *bytes, size_t n);

    /* True when its own LOST events report everything that is missing, so damage on the way does not need to
     * count as a loss. NULL: false. */
    bool (*tells_losses)(const void *state);

    /* Sends the current state again: which calls run, and which context. Needed after a clear, which forgets
     * it. NULL when there is no such state. */
    void (*retell)(void *state, const struct event_out *out);

    /* By the host's clock, about `ticks` ticks (at most 2^62) have passed from the newest tick received up to
     * what arrives next. A dialect whose times wrap computes from it how often they wrapped in a silence. A
     * dialect that has this function keeps real time: its ticks advance while nothing is reported. It is
     * called after long silences, and never when the time of arrival is unknown. NULL: ticks are independent
     * of it. */
    void (*pass)(void *state, uint64_t ticks);

    /* The target restarted. Ticks continue after the newest ones. May be NULL. */
    void (*reset)(void *state);

    /* Returns the counters inside the state. */
    const struct dialect_health *(*health)(const void *state);

    /* Returns how certain it is that `bytes`, from anywhere in a stream, are this dialect: from 0 (no) to 100
     * (yes), or PROBE_OPEN. 60 and more is an answer for guess.h, so any bytes that are random or of another
     * dialect must stay below. Takes time proportional to n; it may read only a part. */
    int (*probe)(const uint8_t *bytes, size_t n);
};

/* All dialects, in the order of the menu, terminated by NULL; the first is the default. */
extern const struct dialect *const dialect_registry[];

/* Returns the dialect with that id; NULL when there is none. */
const struct dialect *dialect_find(const char *id);

/* Returns the dialect whose bytes an EXTENSION packet of that id carries; NULL when there is none. */
const struct dialect *dialect_find_extension(uint8_t extension);

#endif
