/* dialect.h - what bytes mean. Each dialect is a folder <id>/ whose <id>.c ends in `const struct dialect
 * dialect_<id>`, named once in this room's meson.build; command line, help, page and contract tests follow
 * from the registry. */
#ifndef DIALECT_DIALECT_H
#define DIALECT_DIALECT_H

#include "base/error.h"
#include "event.h"

/* What decode() is given. */
enum dialect_framing {
    DIALECT_FRAMED, /* decode() gets exactly one verified packet body of protocol/frame.h: type, length (LE),
                       payload */
    DIALECT_RAW,    /* decode() gets any run of bytes and keeps its own partial record */
};

/* An option of one dialect, `--dialect-opt KEY=VALUE`. */
struct dialect_option {
    const char *key;
    const char *fallback; /* the default, as the user would write it */
    const char *help;     /* one line */
};

/* One choice of the user; its key is known to be among the dialect's options, or, as "ID.KEY", among those of
 * one that its packets may carry. */
struct dialect_setting {
    const char *key;
    const char *value;
};

/* Addresses from `start` up to, not including, `end`. */
struct dialect_range {
    uint64_t start, end;
};

/* What the user chose, n settings of which later ones win, and what the session gives a dialect to read by.
 * What it points to outlives the dialect's state. All zero is fine. */
struct dialect_settings {
    const struct dialect_setting *settings;
    size_t n;
    const char *carried;   /* the dialect's id where another one's packets carry it: its keys are "ID.KEY" */
    const void *companion; /* what the dialect's load() made of the files that the options name */

    /* Copies the NUL-terminated printable text at `address` of the target's program, if there is such, into
     * `out` (n bytes, always terminated). NULL: no program is known. */
    bool (*read_text)(void *user, uint64_t address, char *out, size_t n);
    void *read_text_user;

    /* Where the function of that name is in the target's program. False when there is none, or no program is
     * known (NULL). */
    bool (*find_function)(void *user, const char *name, struct dialect_range *range);
    void *find_function_user;

    /* Where the target's program has code, in any order; none when no program is known. Dialects without
     * checksums judge by it whether a number can be an address. */
    const struct dialect_range *code;
    size_t code_n;
    unsigned word_bytes; /* of the target's addresses: 4 or 8; 0 when no program is known */
};

/* Finds the chosen value of `key`, or its fallback. The text lives as long as the settings. */
const char *dialect_settings_value(const struct dialect_settings *settings,
                                   const struct dialect_option *options, const char *key);

/* Tells whether setting i, below n, is of that key; for options that may be chosen several times. */
bool dialect_settings_is(const struct dialect_settings *settings, size_t i, const char *key);

/* Tells whether any of the settings is for the dialect `id` where it is carried. */
bool dialect_settings_has_carried(const struct dialect_settings *settings, const char *id);

/* Reads the chosen value of `key` as a number, decimal or 0x hexadecimal. False with a sentence when it is
 * none, or outside [least, most]. `key` must be among `options`. */
bool dialect_settings_u64(const struct dialect_settings *settings, const struct dialect_option *options,
                          const char *key, uint64_t least, uint64_t most, uint64_t *number,
                          struct error *err);

/* What a dialect could not read, since the start. Zero is the start state; the session adds these to the
 * link's health. */
struct dialect_health {
    uint64_t records;             /* good records of any kind */
    uint64_t summed;              /* of them, calls that the target reported as a sum */
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
                          nothing to tell (yet) */
    const char *doubt; /* what had to be assumed and may be wrong, a sentence that says what to do; static;
                          NULL: nothing */
    const char *empty; /* RAW: since finish(): all of the input is valid, and nothing was measured in it, a
                          sentence; static; NULL: something was, or it is not valid */
};

/* Ids in EXTENSION packets (protocol/SPEC.md) are below this. */
enum { DIALECT_EXTENSIONS = 16 };

/* Of which run of the target a packet is: one that shows nothing of it, or that of those decoded so far, or
 * another one. */
enum dialect_run { DIALECT_RUN_UNKNOWN, DIALECT_RUN_SAME, DIALECT_RUN_OTHER };

/* What probe() says of bytes that end within a packet of which nothing speaks against it. */
enum { PROBE_OPEN = -1 };

/* A dialect: a constant that describes itself and reads. */
struct dialect {
    const char *id;      /* [a-z0-9-]+, what --dialect takes */
    const char *title;   /* a proper name, a few words */
    const char *summary; /* one line: what it reads and what one gets */
    enum dialect_framing framing;
    uint32_t provides;         /* enum provides bits */
    uint64_t ticks_per_second; /* of what it emits, when neither the wire nor an option says; 0 unknown */
    uint32_t versions;         /* of PROFILE_DATA that it reads: bit v for version v; 0: it has none such */
    uint8_t extension;         /* RAW: its id in EXTENSION packets (protocol/SPEC.md); 0: none */
    const struct dialect_option *options; /* ends with a NULL key; NULL when there are none */

    /* The state is zeroed memory that the caller owns; zero *is* the start state, and nothing in it needs
     * freeing. A dialect never allocates, logs, or asks for the time. */
    size_t state_size;

    /* Reads the files that the options name, once, into a companion that never changes after; *companion is
     * NULL when they name none. Memory and files are its business, never the state's. NULL when no option
     * names a file. */
    bool (*load)(const struct dialect_settings *settings, void **companion, struct error *err);
    void (*unload)(void *companion); /* NULL is fine */

    /* Reads the options into a zeroed state. May be NULL when there are none. False: `err` says which value
     * cannot be. */
    bool (*start)(void *state, const struct dialect_settings *settings, struct error *err);

    /* FRAMED: the longest payload to believe in, bytes, of a state that was started. NULL when RAW. */
    size_t (*payload_max)(const void *state);

    /* Reads n bytes, which are borrowed for the call, and tells `out` what they say. */
    void (*decode)(void *state, const uint8_t *bytes, size_t n, const struct event_out *out);

    /* No more bytes will follow: tells what was held back. May be NULL. */
    void (*finish)(void *state, const struct event_out *out);

    /* RAW: live, nothing has come for a moment. Tells what was held back for what comes next, in the way that
     * finish() would; bytes may follow. NULL when nothing is. */
    void (*idle)(void *state, const struct event_out *out);

    /* FRAMED: of which run of the target a packet is, compared with those decoded so far. NULL where packets
     * do not show it. */
    enum dialect_run (*run_of)(const void *state, const uint8_t *bytes, size_t n);

    /* True when LOST events of its own tell all that is missing, so that damage on the way need not be taken
     * for a loss. NULL: no. */
    bool (*tells_losses)(const void *state);

    /* Tells what holds until it is reported otherwise: which calls run, and which context. NULL when there is
     * nothing of the kind. Needed after a clear, which forgets what was reported. */
    void (*retell)(void *state, const struct event_out *out);

    /* By the host's clock about `ticks` ticks, at most 2^62, have passed, up to what comes next, since the
     * newest tick received. A dialect whose times wrap takes from it how often they have wrapped in a
     * silence; one that has this keeps real time: its ticks go on while nothing is reported. It is called
     * where silence was long, and never where it is unknown when bytes came. NULL: the ticks have nothing to
     * do with that. */
    void (*pass)(void *state, uint64_t ticks);

    /* The target started again. Ticks go on after the newest ones so far. May be NULL. */
    void (*reset)(void *state);

    /* The counters inside the state. */
    const struct dialect_health *(*health)(const void *state);

    /* How sure one can be that `bytes`, from anywhere in a stream, are this dialect: 0 no, 100 yes; 60 and
     * more is what guess.h takes for an answer, so what chance or another dialect may make must stay below
     * that, of any n bytes; or PROBE_OPEN. Takes time in proportion to n, of which it may look at a part
     * only. */
    int (*probe)(const uint8_t *bytes, size_t n);
};

/* All dialects, in the order of the menu, ending with NULL; the first is the default. */
extern const struct dialect *const dialect_registry[];

/* Finds the dialect of that id; NULL when there is none. */
const struct dialect *dialect_find(const char *id);

/* Finds the dialect whose bytes an EXTENSION packet of that id carries; NULL when there is none. */
const struct dialect *dialect_find_extension(uint8_t extension);

#endif
