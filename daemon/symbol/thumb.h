/* thumb.h - recognizes call instructions of ARM's Thumb code before a return address. */
#ifndef SYMBOL_THUMB_H
#define SYMBOL_THUMB_H

#include <stdbool.h>
#include <stdint.h>

/* True when the half-words before `return_address` (even) are a call: BL or BLX to a label in both, or
 * BLX through a register in the second. `*destination` becomes the address called, without Thumb bit, or 0
 * for a register. Arm Architecture Reference Manual, encodings T1 and T2 of BL, BLX (immediate) and T1 of BLX
 * (register). */
bool thumb_call(uint16_t first, uint16_t second, uint32_t return_address, uint32_t *destination);

#endif
