/* rows.h - the rows of the snapshot JSON, for the whole snapshot and for deltas. */
#ifndef EXPORT_ROWS_H
#define EXPORT_ROWS_H

#include "base/json.h"
#include "snapshot/snapshot.h"

/* Which rows: those changed after sequence `since`; ROWS_ALL: every one. */
#define ROWS_ALL UINT64_MAX

/* "sequence", "cleared_at", "captured_at", "complete", "incomplete_because", "measured_with", and "range"
 * when it is not of all time, with the ticks of it that are "known" where the target counts its
 * calls itself. */
void rows_head(const struct snapshot *snapshot, struct json *json);

/* "functions": rows with their id. */
void rows_functions(const struct snapshot *snapshot, uint64_t since, struct json *json);

/* "call_tree": parallel columns. "index" is the number that a node keeps until the profile is cleared. A
 * delta tells parents by index. A whole tree leaves nodes that hold nothing out and tells parents by their
 * row; nodes without a row, of which a delta tells later, are to be added. */
void rows_call_tree(const struct snapshot *snapshot, uint64_t since, struct json *json);

/* "call_tree_estimated", "arcs", "samples", "checkpoints", "messages", "messages_dropped", "contexts",
 * "windows", "limits". A delta has the messages that are new; of the older ones only as many are kept as
 * are new in all, dropped ones included. It has all windows if there is anything new about
 * them, else none of "windows"; likewise of limits. */
void rows_rest(const struct snapshot *snapshot, uint64_t since, struct json *json);

#endif
