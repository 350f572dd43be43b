/* outline_jobs.h - the annex's jobs for an ELF file, and the format of their answers. All numbers are
 * little-endian (parcel.h). */
#ifndef SYMBOL_OUTLINE_JOBS_H
#define SYMBOL_OUTLINE_JOBS_H

#include "annex/annex.h"

/* Request: a file. Answer (sizes in bytes): OUTLINE_REFUSED (1) and an error with OUTLINE_NAME in place of the
 * file's name; or
 * - OUTLINE_TAKEN (1), machine (2), word size (1), flags (1), load address of a position-independent program (8,
 *   OUTLINE_NOWHERE for others), number of sections (4);
 * - sections of OUTLINE_SECTION bytes each: offset of the name, address, size, offset of the bytes (8 each),
 *   flags (1);
 * - three debug sections: form (1), then offset (8) and size (8), or length (4) and bytes;
 * - up to the end, symbols: section (4), kind, binding and Thumb bit (1), address, size and offset of the name (8
 *   each), length of the name (4). */
extern const struct annex_job outline_job;

/* Request: a file. Answer: units (OUTLINE_UNIT, 1; table, 8; directory and NUL) and functions
 * (OUTLINE_FUNCTION, 1; table, 8; address, 8; file number, 8; line, 4). */
extern const struct annex_job outline_declarations_job;

/* Request: a file. Answer: frames (address, 8; bytes, 4; at_least, 1). */
extern const struct annex_job outline_frames_job;

/* Debug sections that the daemon reads itself. */
enum outline_debug { OUTLINE_LINE, OUTLINE_STR, OUTLINE_LINE_STR, OUTLINE_DEBUG_COUNT };

enum { OUTLINE_REFUSED, OUTLINE_TAKEN };
enum { OUTLINE_BIG_ENDIAN = 1, OUTLINE_CODE_BIG_ENDIAN = 2 };
enum { OUTLINE_IS_LOADED = 1, OUTLINE_IS_CODE = 2, OUTLINE_SECTION = 33 };
enum { OUTLINE_ABSENT, OUTLINE_IN_FILE, OUTLINE_UNPACKED };
enum { OUTLINE_UNIT = 1, OUTLINE_FUNCTION };
enum { OUTLINE_FRAME = 13 };
enum { OUTLINE_NAME = '\x01' };

#define OUTLINE_NOWHERE UINT64_MAX

#endif
