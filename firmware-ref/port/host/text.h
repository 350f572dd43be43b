/* text.h - the .text section of the running program, for the build id. */
#ifndef PORT_HOST_TEXT_H
#define PORT_HOST_TEXT_H

#include <stdint.h>

/* Where it lies, as the program's file says it: to be moved by as much as the program was. Its size to
 * `bytes`; 0 when the file cannot be read. */
uintptr_t mpt_text_find(uint32_t *bytes);

#endif
