/* scarce.h - what a thread of a test asks the system for, and does not get.
 *
 * A test program with the dependency `scarce` of tests/meson.build asks through here, the rooms' code in it
 * as well; libraries do not. That holds whatever the sanitizer. */
#ifndef SUPPORT_SCARCE_H
#define SUPPORT_SCARCE_H

#include <stdbool.h>

/* Of what this thread asks for from now on, memory, a descriptor or a thread, the nth is refused, and nothing
 * else. */
void scarce_begin(unsigned nth);

/* True when it came to that. From now on all memory is given again. */
bool scarce_end(void);

/* The same of what threads other than this one ask for. */
void scarce_begin_elsewhere(unsigned nth);
bool scarce_end_elsewhere(void);

/* Of the calls of this thread to `call`, the nth from now on fails with `code`, which is an errno; one of
 * read, write, send, poll, connect, bind, listen, getrandom, ioctl, fsync, renameat2, unlink. The name is the
 * caller's for as long. */
void scarce_fail(const char *call, unsigned nth, int code);

/* From now on each thread that opens a file below `folder` (the caller's for as long) waits, as for a disk that
 * stalls, until scarce_go_on(). One folder at a time. */
void scarce_stall(const char *folder);
void scarce_go_on(void);

/* Waits until somebody waits there. */
void scarce_await_stalled(void);

#endif
