/* export.h - the formats in which a profile is written. Each is one file, export_<word>.c, that ends in `const
 * struct exporter exporter_<id>`, and one word in this room's meson.build. Command line, HTTP, page and contract
 * tests use the registry. */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include "base/error.h"
#include "base/sink.h"
#include "snapshot/snapshot.h"

/* A format: a constant that describes itself and writes. */
struct exporter {
    const char *id;         /* [a-z0-9-]+, what --export takes */
    const char *title;      /* for menus */
    const char *summary;    /* one line: the format and the tool that reads it */
    const char *media_type; /* of the HTTP answer */
    const char *extension;  /* of a file, without the dot */
    uint32_t needs;         /* enum provides bits, one of which is enough; 0: nothing needed */

    /* Writes without checking for errors; the owner of the sink checks it at the end. */
    void (*write)(const struct snapshot *snapshot, struct sink *sink);
};

/* All exporters, in the order of the menu, ending with NULL. */
extern const struct exporter *const exporter_registry[];

/* Returns the exporter with that id, NULL when there is none. */
const struct exporter *exporter_find(const char *id);

/* True when the snapshot has data for the exporter. False with the reason in `err` otherwise. */
bool exporter_can(const struct exporter *exporter, const struct snapshot *snapshot, struct error *err);

/* Writes the file at `path` completely or not at all; "-" is standard output. False with an error otherwise. */
bool export_to_path(const struct exporter *exporter, const struct snapshot *snapshot, const char *path,
                    struct error *err);

/* True when export_to_path() can probably write to `path`, as far as that can be checked without writing. False
 * with an error otherwise. */
bool export_check_path(const struct exporter *exporter, const char *path, struct error *err);

/* Writes the output of the exporter "json" without the final line break. So there is none in it, as a
 * server-sent event requires. */
void export_snapshot(const struct snapshot *snapshot, struct sink *sink);

/* Writes the JSON of a server-sent delta, also without line breaks: the changes of `snapshot` since sequence
 * `since` (>= snapshot->cleared_at). Applied to the whole snapshot of that sequence, they give this one. */
void export_delta(const struct snapshot *snapshot, uint64_t since, struct sink *sink);

/* These write parts of the snapshot JSON into an object that the caller has opened:
 * export_complete(): "complete", true or false, and "incomplete_because", a sentence for each reason;
 * export_health(): "source", "target", "link", "ledger" and "slowdown";
 * export_recording(): the members of "recording";
 * export_function(): one row of "functions";
 * export_windows(): "trigger" and "windows";
 * export_limits(): "limits" and "breaches";
 * export_broken(): those "limits" that have a breach with number `told` or later. */
struct json;
void export_complete(const struct snapshot *snapshot, struct json *json);
void export_health(const struct snapshot *snapshot, struct json *json);
void export_recording(const struct snapshot_recording *recording, struct json *json);
void export_windows(const struct snapshot *snapshot, struct json *json);
void export_limits(const struct snapshot *snapshot, struct json *json);
void export_broken(const struct snapshot *snapshot, uint64_t told, struct json *json);
void export_function(const struct snapshot *snapshot, uint32_t id, struct json *json);

/* Writes "link" and "functions" into an object that the caller has opened: the description of each figure of
 * snapshot/figures.h that is in the JSON. With it a page can show figures that it does not know. */
void export_figures(struct json *json);

#endif
