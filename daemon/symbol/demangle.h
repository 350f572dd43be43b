/* demangle.h - demangles C++ and Rust names. */
#ifndef SYMBOL_DEMANGLE_H
#define SYMBOL_DEMANGLE_H

#include "annex/annex.h"

#include <stdbool.h>
#include <stddef.h>

/* Longer names are not demangled; libiberty with its recursion limit refuses them for C++, too. */
#define DEMANGLE_MAX_INPUT 1024

/* Longer results are unreadable, and a kilobyte of substitutions can expand to gigabytes. */
#define DEMANGLE_MAX_OUTPUT 8192

/* Writes the C++ (Itanium ABI) or Rust (legacy, v0) name of `raw` into `out`, NUL-terminated, and returns its
 * length. Returns 0 when `raw` is not such a name or exceeds the limits above. Frees all that it allocates.
 * Needs up to about 2 MiB of stack for hostile names. */
size_t demangle(const char *raw, char out[static DEMANGLE_MAX_OUTPUT]);

/* True when `raw` may be such a name, by its prefix. */
static inline bool demangle_may(const char *raw)
{
    return raw[0] == '_' && (raw[1] == 'Z' || raw[1] == 'R');
}

/* Request: the most bytes of all names in the answer (8), and names with a NUL each. Answer: for each name its
 * demangled form, length (4) and bytes; empty if it has none or the limit is reached. */
extern const struct annex_job demangle_job;

#endif
