/* text.h - appends text to a buffer of fixed size; what does not fit is dropped. */
#ifndef DIALECT_SYST_TEXT_H
#define DIALECT_SYST_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The buffer, and how much of it is used. */
struct syst_text {
    char *out; /* the caller's; not terminated */
    size_t n, room;
};

/* These append a character, n equal characters, n bytes, a terminated string, or a decimal number. */
void syst_text_char(struct syst_text *text, char c);
void syst_text_fill(struct syst_text *text, char c, size_t n);
void syst_text_bytes(struct syst_text *text, const void *bytes, size_t n);
void syst_text_word(struct syst_text *text, const char *word);
void syst_text_decimal(struct syst_text *text, uint64_t value);

/* Appends "0x" and exactly `digits` upper-case digits, at most 16. */
void syst_text_hex(struct syst_text *text, uint64_t value, int digits);

/* Appends two lower-case hex digits per byte. */
void syst_text_dump(struct syst_text *text, const uint8_t *bytes, size_t n);

/* True when there is no room for another character. */
bool syst_text_is_full(const struct syst_text *text);

/* Terminates the text with a NUL, which is not counted. It replaces the last character when the buffer is
 * full; the buffer must not have size 0. */
const char *syst_text_end(struct syst_text *text);

#endif
