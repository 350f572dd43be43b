/* description.c - encodes and decodes DESCRIPTION. */
#include "protocol/description.h"

void mp_description_encode(const struct mp_description *description, uint8_t out[static MP_DESCRIPTION_HEAD])
{
    out[0] = MP_DESCRIPTION_FORM;
    out[1] = description->versions;
    mp_store_u32(out + 2, description->tick_hz);
    mp_store_u16(out + 6, description->ring_calls);
    mp_store_u16(out + 8, description->stack_depth);
    out[10] = description->tasks;
    mp_store_u16(out + 11, description->packet_bytes);
    out[13] = description->settings;
}

bool mp_description_decode(struct mp_description *description, struct mp_bytes *bytes)
{
    uint8_t form = mp_bytes_u8(bytes);

    description->versions = mp_bytes_u8(bytes);
    description->tick_hz = mp_bytes_u32(bytes);
    description->ring_calls = mp_bytes_u16(bytes);
    description->stack_depth = mp_bytes_u16(bytes);
    description->tasks = mp_bytes_u8(bytes);
    description->packet_bytes = mp_bytes_u16(bytes);
    description->settings = mp_bytes_u8(bytes);
    return !bytes->ran_short && form == MP_DESCRIPTION_FORM;
}

static size_t word_encode(const char *word, uint8_t *out)
{
    uint8_t n = 0;

    for (; n < MP_SETTING_WORD && word[n]; n++)
        out[1 + n] = (uint8_t)word[n];
    out[0] = n;
    return n + 1u;
}

static const char *word_decode(struct mp_bytes *bytes, uint8_t *length)
{
    *length = mp_bytes_u8(bytes);
    return (const char *)mp_bytes_take(bytes, *length);
}

size_t mp_setting_encode(const struct mp_setting *setting, uint8_t *out)
{
    size_t at = MP_SETTING_HEAD - 1;

    out[0] = setting->key;
    mp_store_u32(out + 1, setting->least);
    mp_store_u32(out + 5, setting->most);
    mp_store_u32(out + 9, setting->value);
    at += word_encode(setting->name, out + at);
    return at + word_encode(setting->unit, out + at);
}

bool mp_setting_decode(struct mp_setting *setting, struct mp_bytes *bytes)
{
    setting->key = mp_bytes_u8(bytes);
    setting->least = mp_bytes_u32(bytes);
    setting->most = mp_bytes_u32(bytes);
    setting->value = mp_bytes_u32(bytes);
    setting->name = word_decode(bytes, &setting->name_length);
    setting->unit = word_decode(bytes, &setting->unit_length);
    return !bytes->ran_short;
}

size_t mp_hook_ticks_encode(uint16_t sixteenths, uint8_t out[static MP_HOOK_TICKS])
{
    mp_store_u16(out, sixteenths);
    return MP_HOOK_TICKS;
}

uint16_t mp_hook_ticks_decode(struct mp_bytes *bytes)
{
    return bytes->left < MP_HOOK_TICKS ? 0 : mp_bytes_u16(bytes);
}

enum { RUN_NUMBER = 0x0F, RUN_IS_ON = 0x10, RUN_IS_FLAT = 0x20, RUN_COUNTER_STANDS = 0x40 };

void mp_description_run_encode(const struct mp_description_run *run, uint8_t out[static MP_DESCRIPTION_RUN])
{
    mp_store_u32(out, run->boot);
    out[4] = (uint8_t)((run->run & RUN_NUMBER) | (run->is_on ? RUN_IS_ON : 0) |
                       (run->is_flat ? RUN_IS_FLAT : 0) | (run->counter_stands ? RUN_COUNTER_STANDS : 0));
    out[5] = run->version;
}

bool mp_description_run_decode(struct mp_description_run *run, struct mp_bytes *bytes)
{
    if (bytes->left < MP_DESCRIPTION_RUN)
        return false;
    run->boot = mp_bytes_u32(bytes);
    uint8_t form = mp_bytes_u8(bytes);

    run->run = form & RUN_NUMBER;
    run->is_on = form & RUN_IS_ON;
    run->is_flat = form & RUN_IS_FLAT;
    run->counter_stands = form & RUN_COUNTER_STANDS;
    run->has_other_cores = form & MP_RUN_HAS_OTHER_CORES;
    run->version = mp_bytes_u8(bytes);
    return true;
}
