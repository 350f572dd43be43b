/* demangle.h - compiler-made names in the words of the source. */
#ifndef SYMBOL_DEMANGLE_H
#define SYMBOL_DEMANGLE_H

#include "annex/annex.h"

#include <stdbool.h>
#include <stddef.h>

/* Longer names stay as they are; libiberty itself refuses longer C++ names with its recursion limit on. */
#define DEMANGLE_MAX_INPUT 1024

/* Longer results are of no use to a reader, and a kilobyte of substitutions can ask for gigabytes. */
#define DEMANGLE_MAX_OUTPUT 8192

/* Writes the C++ (Itanium ABI) or Rust (legacy, v0) name behind `raw` into `out`, NUL-terminated, and returns
 * its length; 0 when `raw` is not such a name, or is beyond the bounds above. Allocates nothing that outlives
 * the call; needs up to about 2 MiB of stack for hostile names. */
size_t demangle(const char *raw, char out[static DEMANGLE_MAX_OUTPUT]);

/* Tells whether `raw` may be such a name, by how it begins. */
static inline bool demangle_may(const char *raw)
{
    return raw[0] == '_' && (raw[1] == 'Z' || raw[1] == 'R');
}

/* Request: how many bytes the names that are answered may have (8), and names with a NUL each. Answer: for
 * each its other name, length (4) and bytes; none where it has none, or no room is left. */
extern const struct annex_job demangle_job;

#endif
