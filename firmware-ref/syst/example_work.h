/* example_work.h - the work and the messages of the example's rounds. */
#ifndef SYST_EXAMPLE_WORK_H
#define SYST_EXAMPLE_WORK_H

#include <stdint.h>

enum { ROUNDS = 40, BURST = 300, BUILD = 0x20261 };

void work_begin(void);
void work_round(unsigned round);

/* Sends more messages than the ring has room for. */
void work_burst(void);

/* Runs in an interrupt, which may occur at any time. */
void work_interrupt(unsigned number);

/* Sends the number of those interrupts. */
void work_end(unsigned interrupts);

#endif
