/* labels.h - what functions are called where nothing but a name stands: functions of one name (static ones of
 * several files) are told apart. */
#ifndef EXPORT_LABELS_H
#define EXPORT_LABELS_H

#include "base/sink.h"
#include "snapshot/snapshot.h"

struct labels {
    const struct snapshot *snapshot;
    const char **of; /* by function: its name, or a text of `texts` */
    struct sink_buffer texts;
};

/* Makes the labels of a snapshot, which must outlive them: the name; "name [a.c]" where another function has
 * the same name; with the path where the file's name is the same, too, and the address where there is no
 * other file. When memory is used up all have their names, and scarcity_here() has counted it. The caller
 * ends with labels_fini(). */
void labels_init(struct labels *labels, const struct snapshot *snapshot);
void labels_fini(struct labels *labels);

/* What a function of the snapshot is called; lives as long as `labels`. */
const char *labels_of(const struct labels *labels, uint32_t function);

#endif
