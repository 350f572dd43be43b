/* mpt_host.h - profiles a program on Linux with miniprofd: libmpt_host.a.
 *
 * The program is compiled with -finstrument-functions and linked with the library; mpt_host_start(), or the
 * environment variable MPT_HOST, says where miniprofd finds it. What is measured is the one thread that
 * started it: its calls of functions of the program itself. Calls in other threads, in shared libraries and
 * in processes that it forks are left out, safely and without a trace. Times are wall-clock times: a
 * thread that waits, or that is preempted, goes on counting.
 *
 * Signal handlers are called by what they interrupt. One that interrupts the library itself is left out. */
#ifndef MPT_HOST_H
#define MPT_HOST_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Measures the calling thread from here on, and serves one miniprofd at a time at `address`:
 *
 *   tcp:PORT     on 127.0.0.1; 0 picks a free port
 *   unix:PATH    a Unix socket, made there
 *   pty          a pseudo-terminal
 *   NULL         what the environment variable MPT_HOST says, one of the above
 *
 * A thread of the library's own answers; it takes no signals. A line on standard error tells how miniprofd
 * is to be called. Up to 64 of the calls that run now are known to the measurement as well.
 *
 * True: it is so; also when it was before, and then nothing changes. False: it cannot be, and why was said in
 * a sentence on standard error; the program goes on as if it were not profiled. */
bool mpt_host_start(const char *address);

/* Waits until a miniprofd profiles, for at most `ms` milliseconds. False: none does. */
bool mpt_host_wait(uint32_t limit_ms);

/* Ends measuring: miniprofd gets all that has been measured, within two seconds or not at all. Done by itself
 * where the program returns from main() or calls exit(); not where it ends by _exit() or a signal. */
void mpt_host_stop(void);

#ifdef __cplusplus
}
#endif

#endif
