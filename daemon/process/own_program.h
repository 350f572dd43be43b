/* own_program.h - which file starts this program once more. */
#ifndef PROCESS_OWN_PROGRAM_H
#define PROCESS_OWN_PROGRAM_H

/* The path for execv(): /proc/self/exe, or where that is the loader of the release archive
 * (scripts/packaging/launcher.c), the launcher, which starts the loader once more. Never to be freed. */
const char *own_program_path(void);

#endif
