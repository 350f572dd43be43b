/* identity.h - recognizes names of the same function in two builds.
 *
 * A compiler makes copies of a function and names them after it: work.constprop.0, work.isra.0, work.part.1,
 * work.cold, work.lto_priv.2, work.llvm.8123, "work() [clone .constprop.0]", "work() (.cold)". Rust adds a hash of
 * the build: work::h0123456789abcdef. Compilers number the lambdas of a function in the order of the source:
 * "{lambda(int)#2}", "$_1". */
#ifndef CHECK_IDENTITY_H
#define CHECK_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>

/* Compares two names like strcmp(), but without such suffixes and numbers. */
int identity_compare(const char *a, const char *b);

/* Returns the length of the name without such suffixes. Numbers count. */
size_t identity_length(const char *name);

/* True when the name has such a number, which may differ in another build. */
bool identity_is_numbered(const char *name);

#endif
