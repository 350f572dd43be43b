/* printf.h - a printf whose format and arguments come from a target, with that target's widths. */
#ifndef DIALECT_SYST_PRINTF_H
#define DIALECT_SYST_PRINTF_H

#include "dialect/syst/text.h"
#include "protocol/bytes.h"

/* The widest field and the most digits that are written. */
enum { SYST_FIELD_MAX = 4096 };

/* Writes `format` (n bytes, ends early at a NUL) with arguments read from `arguments`, little-endian and
 * without padding: int is 32 bits, long and pointers are 64 bits when `wide` and else 32, text is inline and
 * NUL-terminated, floating point is 64 bits. False when arguments are missing; the text then says where.
 * Bounded in time and space, whatever the format says. */
bool syst_printf(struct syst_text *text, const char *format, size_t n, struct mp_bytes *arguments, bool wide);

#endif
