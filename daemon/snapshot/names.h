/* names.h - text that rows of the profile and of its snapshots point to. */
#ifndef SNAPSHOT_NAMES_H
#define SNAPSHOT_NAMES_H

/* A store that only grows: a name, once added, stays at its place until the last reference is gone. One
 * thread adds; others may read what they were given a pointer to and hold references. */

/* One reference, the caller's; the last names_unref() (NULL is fine) frees all names. NULL when memory is
 * used up. */
struct names *names_new(void);
struct names *names_ref(struct names *names);
void names_unref(struct names *names);

/* Adds a copy of `text`, which must be valid UTF-8, and returns it; "" when memory is used up. */
const char *names_add(struct names *names, const char *text);

#endif
