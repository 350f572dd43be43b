/* names.h - stores texts for rows of the profile and of its snapshots. */
#ifndef SNAPSHOT_NAMES_H
#define SNAPSHOT_NAMES_H

/* A store that only grows: a name keeps its address until the last reference is released. One thread adds
 * names. Other threads may hold references and read names that they have a pointer to. */

/* Makes a store with one reference, the caller's; NULL when memory is used up. The last names_unref() frees
 * all names. It accepts NULL. */
struct names *names_new(void);
struct names *names_ref(struct names *names);
void names_unref(struct names *names);

/* Adds a copy of `text`, which must be valid UTF-8, and returns the copy; "" when memory is used up. */
const char *names_add(struct names *names, const char *text);

#endif
