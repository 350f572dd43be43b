/* recorder.h - keeps the bytes exactly as they came, and when they came (source/pace.h). */
#ifndef RECORDING_RECORDER_H
#define RECORDING_RECORDER_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct recorder_terms {
    uint64_t flush_ms;  /* how long something may wait until it is handed to the operating system */
    uint64_t most;      /* bytes that it may take on the disk, times included; 0: any number */
    const char *prefix; /* of names of its own making, for ever; NULL: "miniprofd" */
};

/* At least that, or a part would be full with what it begins with. */
enum { RECORDER_LEAST = 1 << 20 };

/* Makes `path` and its pace file. NULL with a sentence when one cannot be written, or `path` holds something
 * already, or one of the parts' names (recording/parts.h) does where the terms tell a limit: a recording
 * cannot be made again, so none is overwritten. */
struct recorder *recorder_new(const char *path, const struct recorder_terms *terms, struct error *err);

/* Does the same under a name of its own making in the folder `dir`: PREFIX-YYYYMMDD-HHMMSS.bin, of the
 * wall time in UTC, with -2, -3 and so on before the dot when there is such a file. It replaces nothing. */
struct recorder *recorder_new_in(const char *dir, uint64_t now_wall_ns, const struct recorder_terms *terms,
                                 struct error *err);

/* Writes what is left, waits until all of it is on the disk, then closes. False with a sentence when that
 * failed. NULL is fine. */
bool recorder_free(struct recorder *recorder, struct error *err);

/* Keeps n bytes that came at `now_us` of the monotonic clock. False with a sentence when they cannot be kept;
 * there is no use in going on then. Time counts from the first call on. */
bool recorder_keep(struct recorder *recorder, uint64_t now_us, const uint8_t *bytes, size_t n,
                   struct error *err);

/* Notes that n bytes are missing behind what was kept, and before what comes at `now_us`. */
void recorder_skip(struct recorder *recorder, uint64_t now_us, uint64_t n);

/* True when n bytes more would take more room than a part has. Never so without a limit, nor in a part that
 * has only just begun. */
bool recorder_is_full(const struct recorder *recorder, size_t n);

/* Goes on in a new part, whose time counts from its own first bytes on; the oldest is deleted when there are
 * too many. False with a sentence when it cannot; there is no use in going on then. */
bool recorder_turn(struct recorder *recorder, struct error *err);

/* Has it wait, from now on, until who reads a pipe that it writes to makes room. Until then a full pipe is a
 * failure. */
void recorder_wait_for_room(struct recorder *recorder);

/* Where it writes; the text lives as long as the recorder. */
const char *recorder_path(const struct recorder *recorder);
uint64_t recorder_bytes(const struct recorder *recorder); /* in all parts that there are, those that wait
                                                             included */

/* When recorder_flush() is due, in milliseconds of the monotonic clock; UINT64_MAX while nothing waits. */
uint64_t recorder_deadline_ms(const struct recorder *recorder);

/* Hands what waits to the operating system, so that it survives our crash, and has it begin to write. */
bool recorder_flush(struct recorder *recorder, struct error *err);

#endif
