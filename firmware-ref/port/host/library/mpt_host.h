/* mpt_host.h - profiles a program on Linux with miniprofd: libmpt_host.a.
 *
 * Compile the program with -finstrument-functions and link it with the library. mpt_host_start(), or the
 * environment variable MPT_HOST, sets the address for miniprofd. One thread is measured, the one that started
 * it: its calls of functions of the program itself. Calls in other threads, in shared libraries and in
 * processes that it forks are safely left out. Times are wall-clock times, which include waiting and
 * preemption.
 *
 * Signal handlers appear as called by what they interrupt. A handler that interrupts the library itself is
 * left out. */
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
 *   NULL         the environment variable MPT_HOST, with one of the above
 *
 * A thread of the library's own answers; it takes no signals. A line on standard error says how miniprofd
 * is to be called. Up to 64 of the calls that run now are known to the measurement as well.
 *
 * Returns true when it measures; a second call changes nothing. Returns false when it cannot, after an error
 * message on standard error; the program runs on without being profiled. */
bool mpt_host_start(const char *address);

/* Waits until a miniprofd profiles, for at most `limit_ms` milliseconds. Returns false when none does. */
bool mpt_host_wait(uint32_t limit_ms);

/* Ends measuring, and sends miniprofd all that has been measured, within two seconds or not at all. It is
 * called automatically when the program returns from main() or calls exit(), but not when it ends by _exit()
 * or a signal. */
void mpt_host_stop(void);

#ifdef __cplusplus
}
#endif

#endif
