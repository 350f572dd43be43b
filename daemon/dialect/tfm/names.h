/* names.h - the file that names a TF-M profile's topics and checkpoints, and says what to measure between
 * them. */
#ifndef DIALECT_TFM_NAMES_H
#define DIALECT_TFM_NAMES_H

#include "base/error.h"
#include "event.h"

/* What the file says. */
struct tfm_names {
    struct event_plan plan; /* points into what follows */
    uint64_t clock_hz;      /* 0: the file does not say */
    struct event_pair *pairs;
    struct event_mark_name *names;
    struct jsonio *text; /* owns the words */
};

/* Reads n bytes of JSON; `what` names the file in sentences. NULL with a sentence that names the entry when
 * something in it cannot be. */
struct tfm_names *tfm_names_read(const char *what, const char *text, size_t n, struct error *err);

/* Does the same with the file at `path`, of 16 MiB at most. */
struct tfm_names *tfm_names_load(const char *path, struct error *err);
void tfm_names_free(struct tfm_names *names); /* NULL is fine */

#endif
