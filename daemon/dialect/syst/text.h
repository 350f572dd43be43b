/* text.h - words put together in a buffer of fixed size; what does not fit is left out. */
#ifndef DIALECT_SYST_TEXT_H
#define DIALECT_SYST_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The buffer, and how much of it is written. */
struct syst_text {
    char *out; /* of the caller; not terminated */
    size_t n, room;
};

/* These append a character, the same one n times, n bytes, a terminated word, and a decimal number. */
void syst_text_char(struct syst_text *text, char c);
void syst_text_fill(struct syst_text *text, char c, size_t n);
void syst_text_bytes(struct syst_text *text, const void *bytes, size_t n);
void syst_text_word(struct syst_text *text, const char *word);
void syst_text_decimal(struct syst_text *text, uint64_t value);

/* Appends "0x" and exactly `digits` upper-case digits, at most 16. */
void syst_text_hex(struct syst_text *text, uint64_t value, int digits);

/* Appends two lower-case hex digits a byte. */
void syst_text_dump(struct syst_text *text, const uint8_t *bytes, size_t n);

/* Tells whether there is no room for another character. */
bool syst_text_is_full(const struct syst_text *text);

/* Ends the text with a NUL that is not counted, in place of the last character when it is full; room is not
 * 0. */
const char *syst_text_end(struct syst_text *text);

#endif
