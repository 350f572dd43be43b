/* identity.h - which names of two builds mean one function.
 *
 * A compiler makes copies of a function and names them after it: work.constprop.0, work.isra.0, work.part.1,
 * work.cold, work.lto_priv.2, work.llvm.8123, "work() [clone .constprop.0]", "work() (.cold)". Rust's adds a
 * hash of the build: work::h0123456789abcdef. It numbers the lambdas of a function ("{lambda(int)#2}", "$_1") in the order in which they stand there. */
#ifndef CHECK_IDENTITY_H
#define CHECK_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>

/* Compares as strcmp() what two names are without such endings and numbers. */
int identity_compare(const char *a, const char *b);

/* How many bytes of the name are left without such endings; numbers count. */
size_t identity_length(const char *name);

/* True when a number in the name depends on what else its function has: another build's may be another. */
bool identity_is_numbered(const char *name);

#endif
