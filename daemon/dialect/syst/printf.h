/* printf.h - a printf with formats, arguments and sizes of a target. */
#ifndef DIALECT_SYST_PRINTF_H
#define DIALECT_SYST_PRINTF_H

#include "dialect/syst/text.h"
#include "protocol/bytes.h"

/* Limit of the field width and of the precision. */
enum { SYST_FIELD_MAX = 4096 };

/* Writes `format` (n bytes, or up to a NUL) with arguments read from `arguments`. These are little-endian and
 * without padding: int has 32 bits, long and pointers have 64 bits if `wide` and otherwise 32. Text is inline
 * and NUL-terminated; floating point has 64 bits. Returns false when arguments are missing; the text then
 * shows where. Time and space are limited, whatever the format is. */
bool syst_printf(struct syst_text *text, const char *format, size_t n, struct mp_bytes *arguments, bool wide);

#endif
