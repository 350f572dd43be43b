/* process.h - sets up the process before anything else runs. */
#ifndef PROCESS_H
#define PROCESS_H

/* Opens missing standard descriptors, and sets how the allocator keeps freed memory. Call this first. */
void process_begin(void);

/* Sets the name in process lists, 15 bytes at most. Does nothing on systems other than Linux. */
void process_set_name(const char *name);

#endif
