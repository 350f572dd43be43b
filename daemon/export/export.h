/* export.h - how others read a profile. Each format is one file, export_<word>.c, that ends in `const struct
 * exporter exporter_<id>`, named once in this room's meson.build; command line, HTTP, page and contract tests
 * follow from the registry. */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include "base/error.h"
#include "base/sink.h"
#include "snapshot/snapshot.h"

/* A format: a constant that describes itself and writes. */
struct exporter {
    const char *id;         /* [a-z0-9-]+, what --export takes */
    const char *title;      /* for menus */
    const char *summary;    /* one line: what it is and which tool reads it */
    const char *media_type; /* of the HTTP answer */
    const char *extension;  /* of a file, without the dot */
    uint32_t needs;         /* enum provides bits, any one of which is enough; 0: always something to write */

    /* Writes straight on and checks nothing; whoever made the sink asks it at the end. */
    void (*write)(const struct snapshot *snapshot, struct sink *sink);
};

/* All exporters, in the order of the menu, ending with NULL. */
extern const struct exporter *const exporter_registry[];

/* Finds the exporter of that id; NULL when there is none. */
const struct exporter *exporter_find(const char *id);

/* Tells whether this snapshot holds something that the exporter could write. False with the reason in a
 * sentence when not. */
bool exporter_can(const struct exporter *exporter, const struct snapshot *snapshot, struct error *err);

/* Writes the file at `path` whole or not at all; "-" is standard output. False with a sentence when it
 * cannot. */
bool export_to_path(const struct exporter *exporter, const struct snapshot *snapshot, const char *path,
                    struct error *err);

/* Tells whether export_to_path() has a place to write to, as far as can be reported without writing. False
 * with a sentence when not. */
bool export_check_path(const struct exporter *exporter, const char *path, struct error *err);

/* Writes what the exporter "json" does, without the line break at its end: a text without any, as a
 * server-sent event must be. */
void export_snapshot(const struct snapshot *snapshot, struct sink *sink);

/* Writes the JSON of a server-sent delta, likewise: what of `snapshot` changed since sequence `since` (>=
 * snapshot->cleared_at). Applied to the whole snapshot of that sequence it gives the whole snapshot of this
 * one. */
void export_delta(const struct snapshot *snapshot, uint64_t since, struct sink *sink);

/* These write parts of the snapshot JSON: export_health() the members "source", "target", "link", "ledger"
 * and "slowdown" of an object that the caller has opened, export_recording() those of "recording", and
 * export_function() one row of "functions"; export_complete() writes "complete", true or false, and
 * "incomplete_because", a sentence for each reason. export_windows() writes "trigger" and "windows",
 * export_limits() "limits" and "breaches", export_broken() of "limits" those that were broken since that
 * number breaches had been reported. */
struct json;
void export_complete(const struct snapshot *snapshot, struct json *json);
void export_health(const struct snapshot *snapshot, struct json *json);
void export_recording(const struct snapshot_recording *recording, struct json *json);
void export_windows(const struct snapshot *snapshot, struct json *json);
void export_limits(const struct snapshot *snapshot, struct json *json);
void export_broken(const struct snapshot *snapshot, uint64_t told, struct json *json);
void export_function(const struct snapshot *snapshot, uint32_t id, struct json *json);

/* Members for an object that the caller has opened: "link" and "functions", what there is to know about each
 * figure of snapshot/figures.h that stands in the JSON, so that a page shows also those it does not know
 * of. */
void export_figures(struct json *json);

#endif
