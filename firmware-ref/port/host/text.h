/* text.h - finds the .text section of the running program, for the build id. */
#ifndef PORT_HOST_TEXT_H
#define PORT_HOST_TEXT_H

#include <stdint.h>

/* Returns its address in the program's file, before relocation, and its size in `bytes`; 0 when the file
 * cannot be read. */
uintptr_t mpt_text_find(uint32_t *bytes);

#endif
