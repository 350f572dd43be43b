/* measured.h - what a profile that was written as JSON says of its functions, and of the limits that it was
 * held to while it was measured. */
#ifndef CHECK_MEASURED_H
#define CHECK_MEASURED_H

#include "base/bound.h"

#include <stddef.h>
#include <stdint.h>

/* Figures of a function. Means are per call, as a program's input may differ in length from run to run. The
 * first ones can be compared, and have a word on the command line. */
enum measured_figure {
    MEASURED_TOTAL_MEAN,
    MEASURED_SELF_MEAN,
    MEASURED_P50,
    MEASURED_P90,
    MEASURED_P99,
    MEASURED_MAX,
    MEASURED_CALLS,
    MEASURED_STACK,
    MEASURED_TIME, /* total and self together: as a number, the total */
    MEASURED_METRICS,
    MEASURED_CORRECTED_TOTAL = MEASURED_METRICS, /* the means without what measuring added */
    MEASURED_CORRECTED_SELF,
    MEASURED_SHORTEST, /* of all calls */
    MEASURED_FIGURES,
};

enum measured_unit { MEASURED_IN_NS, MEASURED_IN_CALLS, MEASURED_IN_BYTES };

/* True for a mean of all calls, which several functions have together. */
bool measured_is_mean(enum measured_figure figure);

/* The word of a figure that can be compared; static. */
const char *measured_word(enum measured_figure figure);

/* Finds the figure of that word; false when none can be compared that is called so. */
bool measured_named(const char *word, enum measured_figure *figure);
enum measured_unit measured_unit_of(enum measured_figure figure);

/* What a limit on a figure is judged by afterwards: as the file has it, which no conversion changes. */
struct measured_extremes {
    double least, most; /* in the unit of the bound */
    bool is_known;
};

/* One function that was called. Texts belong to the file that it is of. */
struct measured_function {
    const char *name, *file; /* file is "" where it is not known */
    const char *directory;   /* that a relative file is relative to; "" where it is not known */
    uint64_t line;           /* 0: not known */
    uint64_t calls;
    uint32_t id;            /* its row in the profile */
    double deviation;       /* ns, standard deviation of its calls' durations; -1: not known */
    double corrected_error; /* ns, by which a corrected mean may be off */
    bool is_rough;          /* more was taken off its corrected means than is left */
    double error;           /* ns, by which the means that are compared may be off: see check/convert.h */
    double figure[MEASURED_FIGURES]; /* what is compared: see check/convert.h */
    bool is_known[MEASURED_FIGURES]; /* a tree that the target counts tells means, and no percentiles */
    struct measured_extremes extremes[BOUND_FIGURES];
    bool is_ambiguous; /* another has the same name and file */
};

/* The name of its file without folders; "" where it is not known. Of the function's own text. */
const char *measured_file_name(const struct measured_function *function);

/* A limit that the daemon held the profile to. */
struct measured_limit {
    const char *text, *name; /* whole, and the function's */
    enum bound_figure figure;
    bool is_kept, is_broken; /* neither: nobody can tell */
    double worst;            /* of a broken one, in the figure's unit */
};

/* The setting that says whether a trigger is armed. */
#define MEASURED_TRIGGER "window"

/* A setting of the target that is not at its default, or whose default is not known. */
struct measured_setting {
    const char *name, *unit;
    uint64_t value;
    bool has_usual;     /* the default is known */
    uint64_t usual;     /* ... and is this */
    bool is_throughout; /* the value held all the time that the profile was measured */
};

/* What the call tree says of one chain of callers. A row's parent stands before it. */
struct measured_node {
    uint32_t parent;   /* row of this table; MEASURED_NO_NODE: none */
    uint32_t function; /* row in the profile */
    uint64_t calls;
    double self; /* ns, of all calls */
};

#define MEASURED_NO_NODE UINT32_MAX

/* A profile as read from a file. */
struct measured {
    struct jsonio *json; /* owns the texts */
    char *path;          /* what it was called that was read; owned */
    const char **names;  /* of the profile's rows, placeholders as well */
    size_t names_n;
    struct measured_node *nodes; /* none where the tree is estimated or not there */
    size_t nodes_n;
    const char *captured_at; /* ISO 8601; "" not known */
    struct measured_function *functions;
    size_t n; /* ordered by measured_order() */
    struct measured_limit *limits;
    size_t limits_n;
    bool tells_settings; /* those that are not listed are at their defaults; false: it is unknown */
    struct measured_setting *settings;
    size_t settings_n;
    double tick;        /* ns */
    uint64_t versions;  /* of calls that the agent has, a bit each; 0: not known */
    double hook_ticks;  /* that the agent says it takes for a call; 0: not known */
    const char *mode;   /* "calls", "stream", "tree"; NULL: not known */
    uint64_t clock_hz;  /* of the processor; 0: not known */
    double lost;        /* share of the records that did not come, 0 to 1 */
    bool loses_unknown; /* records were lost, and it is unknown how many */
    bool lacks_more;    /* it is incomplete for another reason than records that were counted as lost */
    bool elf_differs;   /* names may be those of another program */
    const char *work;   /* what --work waited for; NULL */
    uint64_t work_calls, work_counted;
    bool lacks_work; /* that was called less often than it was to be */
};

enum measured_outcome { MEASURED_OK, MEASURED_UNREADABLE, MEASURED_UNUSABLE };

/* Reads the snapshot JSON at `path`. UNREADABLE: there is no such file; UNUSABLE: it is there, and no profile
 * that can be compared (damaged, newer schema, tick rate unknown). Both with a sentence, and nothing to free.
 */
enum measured_outcome measured_read(struct measured *measured, const char *path, struct error *err);

/* Does the same with the n bytes of such a text, which a sentence calls `name`; false when they are unusable.
 */
bool measured_parse(struct measured *measured, const char *name, const char *text, size_t n,
                    struct error *err);
void measured_fini(struct measured *measured); /* one of zeros is fine */

/* Orders two functions by name and file, as the functions of struct measured are: those of one name and one
 * file name stand together, whatever folders the files are in. */
int measured_order(const void *a, const void *b);

/* How many functions from the one at `at` on share its name and its file's name without folders; 0 behind the
 * last one. */
size_t measured_namesakes(const struct measured *measured, size_t at);

/* Orders two functions by that alone. */
int measured_order_namesakes(const struct measured_function *one, const struct measured_function *other);

/* True when a trigger was armed while the profile was measured, which makes its calls take longer. */
bool measured_has_trigger(const struct measured *measured);

/* Finds the function of the same name and file; NULL when there is none. */
const struct measured_function *measured_find(const struct measured *measured,
                                              const struct measured_function *like);

#endif
