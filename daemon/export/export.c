/* export.c - the table of exporters. */
#include "export/export.h"

#include <string.h>

#define EXPORTER(name) extern const struct exporter exporter_##name;
#include "exporter_list.h"
#undef EXPORTER

const struct exporter *const exporter_registry[] = {
#define EXPORTER(name) &exporter_##name,
#include "exporter_list.h"
#undef EXPORTER
    NULL,
};

const struct exporter *exporter_find(const char *id)
{
    for (size_t i = 0; exporter_registry[i]; i++)
        if (strcmp(exporter_registry[i]->id, id) == 0)
            return exporter_registry[i];
    return NULL;
}

/* Names for what a snapshot lacks, one per bit of enum provides. */
static const char *const lacking[] = {"a call tree", "call arcs", "program counter samples",
                                      "checkpoints", "messages",  "a timeline"};

bool exporter_can(const struct exporter *exporter, const struct snapshot *snapshot, struct error *err)
{
    if (exporter->needs == 0 || (exporter->needs & snapshot->source.provides))
        return true;
    const char *what = "data";
    for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++)
        if (exporter->needs & 1u << i)
            what = lacking[i];
    return error_set(err,
                     "The %s export needs %s, which the %s dialect does not provide; choose another format.",
                     exporter->id, what, snapshot->source.dialect);
}
