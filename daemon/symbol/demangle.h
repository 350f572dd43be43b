/* demangle.h - compiler-made names in the words of the source. */
#ifndef SYMBOL_DEMANGLE_H
#define SYMBOL_DEMANGLE_H

#include <stddef.h>

/* Longer names stay as they are; libiberty itself refuses longer C++ names with its recursion limit on. */
#define DEMANGLE_MAX_INPUT 1024

/* Longer results are of no use to a reader, and a kilobyte of substitutions can ask for gigabytes. */
#define DEMANGLE_MAX_OUTPUT 8192

/* Writes the C++ (Itanium ABI) or Rust (legacy, v0) name behind `raw` into `out`, NUL-terminated, and returns
 * its length; 0 when `raw` is not such a name, or is beyond the bounds above. Allocates nothing that outlives
 * the call; needs up to about 2 MiB of stack for hostile names. */
size_t demangle(const char *raw, char out[static DEMANGLE_MAX_OUTPUT]);

#endif
