/* text.c - appends text to a buffer of fixed size; what does not fit is dropped. */
#include "dialect/syst/text.h"

#include <string.h>

bool syst_text_is_full(const struct syst_text *text)
{
    return text->n == text->room;
}

void syst_text_char(struct syst_text *text, char c)
{
    if (text->n < text->room)
        text->out[text->n++] = c;
}

void syst_text_fill(struct syst_text *text, char c, size_t n)
{
    if (n > text->room - text->n)
        n = text->room - text->n;
    memset(text->out + text->n, c, n);
    text->n += n;
}

void syst_text_bytes(struct syst_text *text, const void *bytes, size_t n)
{
    if (n > text->room - text->n)
        n = text->room - text->n;
    if (n)
        memcpy(text->out + text->n, bytes, n);
    text->n += n;
}

void syst_text_word(struct syst_text *text, const char *word)
{
    syst_text_bytes(text, word, strlen(word));
}

void syst_text_decimal(struct syst_text *text, uint64_t value)
{
    char digits[20];
    size_t n = 0;
    do
        digits[sizeof digits - ++n] = (char)('0' + value % 10);
    while (value /= 10);
    syst_text_bytes(text, digits + sizeof digits - n, n);
}

void syst_text_hex(struct syst_text *text, uint64_t value, int digits)
{
    syst_text_word(text, "0x");
    while (digits-- > 0)
        syst_text_char(text, "0123456789ABCDEF"[value >> 4 * digits & 0xF]);
}

void syst_text_dump(struct syst_text *text, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n && !syst_text_is_full(text); i++) {
        syst_text_char(text, "0123456789abcdef"[bytes[i] >> 4]);
        syst_text_char(text, "0123456789abcdef"[bytes[i] & 0xF]);
    }
}

const char *syst_text_end(struct syst_text *text)
{
    if (text->n == text->room)
        text->n--;
    text->out[text->n] = 0;
    return text->out;
}
