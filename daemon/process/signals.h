/* signals.h - reads the signals that end the program from a descriptor. */
#ifndef PROCESS_SIGNALS_H
#define PROCESS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* True when the process has a terminal that may hang up. Call this before privileges are dropped. */
bool signals_have_terminal(void);

/* Returns a descriptor that is readable when a signal of `set` has arrived, or -1 with errno. It is a signalfd, with
 * the signals blocked in this thread and later ones, or else a pipe that handlers write to. Call this once. */
int signals_queue(const sigset_t *set);

/* Reads a signal from that descriptor. Returns its number, 0 when none has arrived. */
int signals_take(int signals);

/* Returns a descriptor that is readable when SIGINT, SIGTERM or SIGHUP has arrived (signals_queue()), or -1 with
 * errno. With `ignores_hangup`, SIGHUP is ignored, as usual for services without a terminal. */
int signals_open(bool ignores_hangup);

/* From here on a signal ends the program at once, since writing an export to a pipe without reader may take forever.
 * Signals already queued are ignored: both a terminal and a script may have sent one for the current shutdown. */
void signals_release(int signals);

#endif
