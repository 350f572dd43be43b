/* guid.c - GUIDs in the notation of SyS-T, and made-up ones for clients that send none. */
#include "dialect/syst/guid.h"

#include "base/digits.h"

#include <string.h>

enum { TEXT_N = 36 };

static bool is_dash(int at)
{
    return at == 8 || at == 13 || at == 18 || at == 23;
}

bool syst_guid_parse(struct syst_guid *out, const char *text)
{
    bool braces = *text == '{';
    text += braces;
    memset(out, 0, sizeof *out);
    int n = 0;
    for (int at = 0; at < TEXT_N; at++, text++) {
        if (is_dash(at)) {
            if (*text != '-')
                return false;
            continue;
        }
        int value = digits_hex_value(*text);
        if (value < 0)
            return false;
        out->bytes[n / 2] = (uint8_t)(out->bytes[n / 2] << 4 | value);
        n++;
    }
    return !strcmp(text, braces ? "}" : "");
}

void syst_guid_write(const struct syst_guid *guid, struct syst_text *text)
{
    int n = 0;
    syst_text_char(text, '{');
    for (int at = 0; at < TEXT_N; at++) {
        if (is_dash(at)) {
            syst_text_char(text, '-');
            continue;
        }
        syst_text_char(text, "0123456789ABCDEF"[guid->bytes[n / 2] >> (n % 2 ? 0 : 4) & 0xF]);
        n++;
    }
    syst_text_char(text, '}');
}

bool syst_guid_matches(const struct syst_guid *guid, const struct syst_guid *value,
                       const struct syst_guid *mask)
{
    for (int i = 0; i < 16; i++)
        if ((guid->bytes[i] ^ value->bytes[i]) & mask->bytes[i])
            return false;
    return true;
}

struct syst_guid syst_guid_of_origin(uint16_t master, uint16_t channel, uint8_t origin)
{
    return (struct syst_guid){
        {[4] = (uint8_t)(master >> 8), (uint8_t)master, (uint8_t)(channel >> 8), (uint8_t)channel, origin}};
}

struct syst_guid syst_guid_of_printer(uint8_t origin)
{
    return (struct syst_guid){{[7] = origin}};
}
