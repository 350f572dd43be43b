/* scarce.h - makes allocations and system calls of a test's threads fail.
 *
 * It applies to test programs with the dependency `scarce` of tests/meson.build, including the rooms' code, but
 * not to libraries. It works with any sanitizer. */
#ifndef SUPPORT_SCARCE_H
#define SUPPORT_SCARCE_H

#include <stdbool.h>

/* Refuses this thread's nth request from now on for memory, a descriptor or a thread, and no other. */
void scarce_begin(unsigned nth);

/* Ends it. True when a request was refused. */
bool scarce_end(void);

/* As scarce_begin(), for requests of all other threads. */
void scarce_begin_elsewhere(unsigned nth);
bool scarce_end_elsewhere(void);

/* Makes this thread's nth `call` from now on fail with the errno `code`. `call` is one of read, write, send,
 * poll, connect, bind, listen, getrandom, ioctl, fsync, renameat2, unlink; the string must stay valid. */
void scarce_fail(const char *call, unsigned nth, int code);

/* From now on each thread that opens a file below `folder` (the caller's for as long) waits, as for a disk that
 * stalls, until scarce_go_on(). One folder at a time. */
void scarce_stall(const char *folder);
void scarce_go_on(void);

/* Waits until a thread waits there. */
void scarce_await_stalled(void);

#endif
