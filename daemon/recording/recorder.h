/* recorder.h - writes bytes exactly as they arrived, and their arrival times (source/pace.h). */
#ifndef RECORDING_RECORDER_H
#define RECORDING_RECORDER_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct recorder_terms {
    uint64_t flush_ms;  /* how long data may wait before it is passed to the operating system */
    uint64_t most;      /* size limit on the disk in bytes, including times; 0: none */
    const char *prefix; /* of generated names; static; NULL: "miniprofd" */
};

/* With less, a part would be full after its head. */
enum { RECORDER_LEAST = 1 << 20 };

/* Makes `path` and its pace file. Returns NULL with an error if one cannot be written, or `path` has content
 * already, or, with a size limit, a name of a part (recording/parts.h) exists: a recording cannot be
 * repeated, so none is overwritten. */
struct recorder *recorder_new(const char *path, const struct recorder_terms *terms, struct error *err);

/* Does the same under a name of its own making in the folder `dir`: PREFIX-YYYYMMDD-HHMMSS.bin, the
 * wall-clock time in UTC, with -2, -3 and so on before the dot when there is such a file. It replaces nothing. */
struct recorder *recorder_new_in(const char *dir, uint64_t now_wall_ns, const struct recorder_terms *terms,
                                 struct error *err);

/* Writes the remaining data, waits until all of it is on the disk, then closes. Returns false with an error
 * if that failed. Accepts NULL. */
bool recorder_free(struct recorder *recorder, struct error *err);

/* Writes n bytes that arrived at `now_us` of the monotonic clock. Returns false with an error on failure;
 * further calls are useless then. Times are relative to the first call. */
bool recorder_keep(struct recorder *recorder, uint64_t now_us, const uint8_t *bytes, size_t n,
                   struct error *err);

/* Notes that n bytes are missing between those written so far and those that arrive at `now_us`. */
void recorder_skip(struct recorder *recorder, uint64_t now_us, uint64_t n);

/* True if n more bytes would exceed the size of a part. Never true without a limit, nor in a part that has
 * just begun. */
bool recorder_is_full(const struct recorder *recorder, size_t n);

/* Continues in a new part, whose times are relative to its own first bytes; the oldest is deleted if there
 * are too many. Returns false with an error on failure; further calls are useless then. */
bool recorder_turn(struct recorder *recorder, struct error *err);

/* From now on it waits until the reader of a pipe makes space. Before that, a full pipe is a failure. */
void recorder_wait_for_room(struct recorder *recorder);

/* The path of its file; the text lives as long as the recorder. */
const char *recorder_path(const struct recorder *recorder);
uint64_t recorder_bytes(const struct recorder *recorder); /* in all parts, including those not written yet */

/* When recorder_flush() is due, in milliseconds of the monotonic clock; UINT64_MAX while nothing waits. */
uint64_t recorder_deadline_ms(const struct recorder *recorder);

/* Passes waiting data to the operating system, so that it survives a crash of the daemon, and starts writing
 * it to disk. */
bool recorder_flush(struct recorder *recorder, struct error *err);

#endif
