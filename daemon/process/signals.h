/* signals.h - the signals that end the program, read from a descriptor. */
#ifndef PROCESS_SIGNALS_H
#define PROCESS_SIGNALS_H

#include <stdbool.h>

/* True when the process has a terminal that may hang up. To be asked before rights are given up. */
bool signals_have_terminal(void);

/* Answers with a descriptor that can be read when SIGINT, SIGTERM or SIGHUP came; every thread that starts
 * later inherits the mask. `ignores_hangup`: SIGHUP does nothing, as services have it, which nobody hangs up
 * on. -1 with errno. */
int signals_open(bool ignores_hangup);

/* From here on a signal ends the program at once: writing an export may take for ever, into a pipe that
 * nobody reads. Those that are waiting were meant for the end that is under way, as when both a terminal and
 * a script send one. */
void signals_release(int signals);

#endif
