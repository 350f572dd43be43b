/* measured.h - a profile read from JSON: its functions, and the limits that the daemon judged while measuring. */
#ifndef CHECK_MEASURED_H
#define CHECK_MEASURED_H

#include "base/bound.h"

#include <stddef.h>
#include <stdint.h>

/* Figures of a function. Means are per call, since the length of a run may vary. Figures before MEASURED_METRICS can
 * be compared, and have a word on the command line. */
enum measured_figure {
    MEASURED_TOTAL_MEAN,
    MEASURED_SELF_MEAN,
    MEASURED_P50,
    MEASURED_P90,
    MEASURED_P99,
    MEASURED_MAX,
    MEASURED_CALLS,
    MEASURED_STACK,
    MEASURED_TIME, /* total and self together; its value is the total */
    MEASURED_METRICS,
    MEASURED_CORRECTED_TOTAL = MEASURED_METRICS, /* the corrected means */
    MEASURED_CORRECTED_SELF,
    MEASURED_SHORTEST, /* of all calls */
    MEASURED_FIGURES,
};

enum measured_unit { MEASURED_IN_NS, MEASURED_IN_CALLS, MEASURED_IN_BYTES };

/* True for a mean, which can also be computed for several functions together. */
bool measured_is_mean(enum measured_figure figure);

/* Returns the word of a figure that can be compared; static. */
const char *measured_word(enum measured_figure figure);

/* Finds the figure with that word. False when there is none to compare. */
bool measured_named(const char *word, enum measured_figure *figure);
enum measured_unit measured_unit_of(enum measured_figure figure);

/* The extremes by which a limit is judged afterwards: as in the file, never converted. */
struct measured_extremes {
    double least, most; /* in the unit of struct bound */
    bool is_known;
};

/* One function that was called. Its file's JSON owns the texts. */
struct measured_function {
    const char *name, *file; /* file: "" unknown */
    const char *directory;   /* base of a relative file; "" unknown */
    uint64_t line;           /* 0: unknown */
    uint64_t calls;
    uint32_t id;                     /* its row in the profile */
    double deviation;                /* ns, standard deviation of its calls' durations; -1: unknown */
    double corrected_error;          /* ns, error bound of a corrected mean */
    bool is_rough;                   /* the correction of its means exceeds the rest */
    double error;                    /* ns, error bound of the means to compare: see check/convert.h */
    double figure[MEASURED_FIGURES]; /* values to compare: see check/convert.h */
    bool is_known[MEASURED_FIGURES]; /* a tree that the target counts has means but no percentiles */
    struct measured_extremes extremes[BOUND_FIGURES];
    bool is_ambiguous; /* another function has the same name and file */
};

/* Returns the name of its file without folders, "" when unknown. Points into the function's text. */
const char *measured_file_name(const struct measured_function *function);

/* A limit that the daemon judged. */
struct measured_limit {
    const char *text, *name; /* the whole limit, and the function's name */
    enum bound_figure figure;
    bool is_kept, is_broken; /* neither: not judged */
    double worst;            /* if broken: in the figure's unit */
};

/* The setting that shows whether a trigger is armed. */
#define MEASURED_TRIGGER "window"

/* A setting of the target that differs from its default, or has an unknown default. */
struct measured_setting {
    const char *name, *unit;
    uint64_t value;
    bool has_usual;     /* the default is known */
    uint64_t usual;     /* the default, if known */
    bool is_throughout; /* the value did not change during the measurement */
};

/* A node of the call tree. A row's parent precedes it. */
struct measured_node {
    uint32_t parent;   /* index in this table; MEASURED_NO_NODE: none */
    uint32_t function; /* index in the profile */
    uint64_t calls;
    double self; /* ns, of all calls */
};

#define MEASURED_NO_NODE UINT32_MAX

/* A profile as read from a file. */
struct measured {
    struct jsonio *json; /* owns the texts */
    char *path;          /* name of the file read; owned */
    const char **names;  /* of the profile's rows, including placeholders */
    size_t names_n;
    struct measured_node *nodes; /* none if the tree is estimated or missing */
    size_t nodes_n;
    const char *captured_at; /* ISO 8601; "" unknown */
    struct measured_function *functions;
    size_t n; /* sorted by measured_order() */
    struct measured_limit *limits;
    size_t limits_n;
    bool tells_settings; /* settings not listed are at their defaults; false: unknown */
    struct measured_setting *settings;
    size_t settings_n;
    double tick;        /* ns */
    uint64_t versions;  /* versions of PROFILE_DATA that the agent supports, a bit each; 0: unknown */
    double hook_ticks;  /* cost of a call as reported by the agent; 0: unknown */
    const char *mode;   /* "calls", "stream", "tree"; NULL: unknown */
    uint64_t clock_hz;  /* of the processor; 0: unknown */
    double lost;        /* share of the records that were lost, 0 to 1 */
    bool loses_unknown; /* an unknown number of records was lost */
    bool lacks_more;    /* incomplete for another reason than counted losses */
    bool elf_differs;   /* names may be of another program */
    const char *work;   /* the function of --work; NULL: none */
    uint64_t work_calls, work_counted;
    bool lacks_work; /* the work function was called less often than requested */
};

enum measured_outcome { MEASURED_OK, MEASURED_UNREADABLE, MEASURED_UNUSABLE };

/* Reads the snapshot JSON at `path`. UNREADABLE: the file cannot be read. UNUSABLE: the profile cannot be compared
 * (damaged, newer schema, unknown tick rate). Both with an error, and nothing to free. */
enum measured_outcome measured_read(struct measured *measured, const char *path, struct error *err);

/* Does the same with n bytes of JSON, which an error calls `name`. False when they are unusable. */
bool measured_parse(struct measured *measured, const char *name, const char *text, size_t n,
                    struct error *err);
void measured_fini(struct measured *measured); /* all zero is allowed */

/* Compares two functions by name and file, the order of struct measured. Those with the same name and file name are
 * adjacent, regardless of folders. */
int measured_order(const void *a, const void *b);

/* Returns how many functions from index `at` on share its name and its file's name without folders. 0 after the
 * last function. */
size_t measured_namesakes(const struct measured *measured, size_t at);

/* Compares two functions by these two names only. */
int measured_order_namesakes(const struct measured_function *one, const struct measured_function *other);

/* True when a trigger was armed during the measurement, which makes calls longer. */
bool measured_has_trigger(const struct measured *measured);

/* Finds the function with the same name and file, NULL when there is none. */
const struct measured_function *measured_find(const struct measured *measured,
                                              const struct measured_function *like);

#endif
