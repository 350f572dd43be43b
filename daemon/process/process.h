/* process.h - what the process is given before anything of the program runs. */
#ifndef PROCESS_H
#define PROCESS_H

/* Sees that the three standard descriptors are there, and how memory that was freed is kept. To be called
 * first. */
void process_begin(void);

/* What process lists call it, 15 bytes at most. Systems other than Linux keep the program's name. */
void process_set_name(const char *name);

#endif
