/* names.h - reads the names file for a TF-M profile: names of topics and checkpoints, and the pairs to
 * measure. */
#ifndef DIALECT_TFM_NAMES_H
#define DIALECT_TFM_NAMES_H

#include "base/error.h"
#include "event.h"

/* The content of the file. */
struct tfm_names {
    struct event_plan plan; /* points into the following members */
    uint64_t clock_hz;      /* 0 when not given */
    struct event_pair *pairs;
    struct event_mark_name *names;
    struct jsonio *text; /* owns the texts */
};

/* Reads n bytes of JSON; `what` is the file's name in error messages. Returns NULL, with a sentence that
 * names the entry, when something is invalid. */
struct tfm_names *tfm_names_read(const char *what, const char *text, size_t n, struct error *err);

/* Does the same with the file at `path`, of at most 16 MiB. */
struct tfm_names *tfm_names_load(const char *path, struct error *err);
void tfm_names_free(struct tfm_names *names); /* NULL is allowed */

#endif
