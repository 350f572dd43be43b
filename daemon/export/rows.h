/* rows.h - writes the rows of the snapshot JSON, for the whole snapshot and for deltas. */
#ifndef EXPORT_ROWS_H
#define EXPORT_ROWS_H

#include "base/json.h"
#include "snapshot/snapshot.h"

/* `since` selects rows that changed after that sequence. ROWS_ALL selects all. */
#define ROWS_ALL UINT64_MAX

/* Writes "sequence", "cleared_at", "captured_at", "complete", "incomplete_because", "measured_with", and
 * "range" if the snapshot is of one. "known" are the ticks of the range inside windows, where the target counts
 * its calls itself. */
void rows_head(const struct snapshot *snapshot, struct json *json);

/* Writes "functions": rows with their id. */
void rows_functions(const struct snapshot *snapshot, uint64_t since, struct json *json);

/* Writes "call_tree" as parallel columns. "index" is the number that a node keeps until the profile is cleared.
 * A delta gives parents by index. A whole tree omits empty nodes and gives parents by row; the reader adds nodes
 * that first appear in a later delta. */
void rows_call_tree(const struct snapshot *snapshot, uint64_t since, struct json *json);

/* Writes "call_tree_estimated", "arcs", "samples", "checkpoints", "messages", "messages_dropped", "contexts",
 * "windows" and "limits". A delta has only new messages; the reader drops as many old ones as new ones push out.
 * A delta has all windows if any changed, else no "windows"; likewise for limits. */
void rows_rest(const struct snapshot *snapshot, uint64_t since, struct json *json);

#endif
