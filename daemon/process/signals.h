/* signals.h - the signals that end the program, read from a descriptor. */
#ifndef PROCESS_SIGNALS_H
#define PROCESS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* True when the process has a terminal that may hang up. To be asked before rights are given up. */
bool signals_have_terminal(void);

/* Answers with a descriptor that can be read when one of `set` came: a signalfd, and the signals are blocked
 * for this thread and those that start later; or a pipe that handlers write into, where there is none. To be
 * called once. -1 with errno. */
int signals_queue(const sigset_t *set);

/* Takes a signal off that descriptor: its number, 0 when none has come. */
int signals_take(int signals);

/* Answers with a descriptor that can be read when SIGINT, SIGTERM or SIGHUP came (signals_queue());
 * `ignores_hangup`: SIGHUP does nothing, as services have it, which nobody hangs up on. -1 with errno. */
int signals_open(bool ignores_hangup);

/* From here on a signal ends the program at once: writing an export may take for ever, into a pipe that
 * nobody reads. Those that are waiting were meant for the end that is under way, as when both a terminal and
 * a script send one. */
void signals_release(int signals);

#endif
