/* code.h - where the program's code lies. */
#ifndef PORT_HOST_LIBRARY_CODE_H
#define PORT_HOST_LIBRARY_CODE_H

#include <stdbool.h>
#include <stdint.h>

struct mpt_host_code {
    uintptr_t base;  /* the program was moved by so much from where its file says */
    uintptr_t first; /* address of its executable segments */
    uintptr_t bytes; /* of memory from there to their end */
};

/* False: no executable segment was found, or it ends where the wire's addresses do not reach; `code` is what
 * was found. */
bool mpt_host_find_code(struct mpt_host_code *code);

#endif
