/* code.h - finds the program's code. */
#ifndef PORT_HOST_LIBRARY_CODE_H
#define PORT_HOST_LIBRARY_CODE_H

#include <stdbool.h>
#include <stdint.h>

struct mpt_host_code {
    uintptr_t base;  /* relocation: difference to the addresses in the program's file */
    uintptr_t first; /* address of its executable segments */
    uintptr_t bytes; /* of memory from there to their end */
};

/* Returns false when there is no executable segment, or it ends beyond the addresses of the wire; `code` has
 * what was found. */
bool mpt_host_find_code(struct mpt_host_code *code);

#endif
