/* recorder.h - keeps the bytes exactly as they came, and when they came (source/pace.h). */
#ifndef SESSION_RECORDER_H
#define SESSION_RECORDER_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Makes `path` and its pace file. NULL with a sentence when one cannot be written, or `path` holds something
 * already: a recording cannot be made again, so none is overwritten. */
struct recorder *recorder_new(const char *path, uint64_t flush_ms, struct error *err);

/* Does the same under a name of its own making in the folder `dir`: miniprofd-YYYYMMDD-HHMMSS.bin, of the
 * wall time in UTC, with -2, -3 and so on before the dot when there is such a file. It replaces nothing. */
struct recorder *recorder_new_in(const char *dir, uint64_t now_wall_ns, uint64_t flush_ms, struct error *err);

/* Writes what is left, then closes. False with a sentence when that failed. NULL is fine. */
bool recorder_free(struct recorder *recorder, struct error *err);

/* Keeps n bytes that came at `now_us` of the monotonic clock. False with a sentence when they cannot be kept;
 * there is no use in going on then. Time counts from the first call on. */
bool recorder_keep(struct recorder *recorder, uint64_t now_us, const uint8_t *bytes, size_t n,
                   struct error *err);

/* Where it writes; the text lives as long as the recorder. */
const char *recorder_path(const struct recorder *recorder);
uint64_t recorder_bytes(const struct recorder *recorder); /* kept so far, those that wait included */

/* When recorder_flush() is due, in milliseconds of the monotonic clock; UINT64_MAX while nothing waits. */
uint64_t recorder_deadline_ms(const struct recorder *recorder);

/* Hands what waits to the operating system, so that it survives our crash. */
bool recorder_flush(struct recorder *recorder, struct error *err);

#endif
