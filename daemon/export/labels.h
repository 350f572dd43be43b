/* labels.h - makes unique labels for functions, also for those with the same name (static functions of several
 * files). */
#ifndef EXPORT_LABELS_H
#define EXPORT_LABELS_H

#include "base/sink.h"
#include "snapshot/snapshot.h"

struct labels {
    const struct snapshot *snapshot;
    const char **of; /* by function: its name, or a text in `texts` */
    struct sink_buffer texts;
};

/* Makes the labels of a snapshot, which must outlive them. A label is the name, or "name [a.c]" if another
 * function has that name. It has the path if the file names are equal, too, and the address if the files are.
 * When memory is used up, labels are plain names, and scarcity_here() has counted that. The caller ends with
 * labels_fini(). */
void labels_init(struct labels *labels, const struct snapshot *snapshot);
void labels_fini(struct labels *labels);

/* Returns the label of a function of the snapshot; it lives as long as `labels`. */
const char *labels_of(const struct labels *labels, uint32_t function);

#endif
