/* example_work.h - what the example does and says in a round. */
#ifndef SYST_EXAMPLE_WORK_H
#define SYST_EXAMPLE_WORK_H

#include <stdint.h>

enum { ROUNDS = 40, BURST = 300, BUILD = 0x20261 };

void work_begin(void);
void work_round(unsigned round);

/* More than the ring holds. */
void work_burst(void);

/* As an interrupt, which comes whenever it wants. */
void work_interrupt(unsigned number);

/* How many of those there were. */
void work_end(unsigned interrupts);

#endif
