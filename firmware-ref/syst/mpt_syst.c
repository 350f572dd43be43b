/* mpt_syst.c - the messages of mpt_syst.h, except printf and catalog. */
#include "mpt_syst_ring.h"

#include "mpt_port.h"

static size_t length(const char *text)
{
    size_t n = 0;

    while (text[n])
        n++;
    return n;
}

static void say(const struct mpt_syst_origin *origin, uint32_t kind, enum mpt_syst_severity severity,
                const void *bytes, size_t n, const void *caller)
{
    struct mpt_syst_writer writer;

    if (!bytes) {
        bytes = "(null)";
        kind = MPT_SYST_STRING_INVALID;
        n = 7;
    }
    if (!mpt_syst_begin(&writer, origin, kind, severity, n, caller))
        return;
    mpt_syst_put(&writer, bytes, n);
    mpt_syst_end(&writer);
}

/* The return address of the function that contains it. */
#define CALLER __builtin_return_address(0)

void mpt_syst_text(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, const char *text,
                   size_t n)
{
    say(origin, MPT_SYST_STRING_GENERIC, severity, text, n, CALLER);
}

void mpt_syst_string(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, const char *text)
{
    say(origin, MPT_SYST_STRING_GENERIC, severity, text, text ? length(text) + 1 : 0, CALLER);
}

void mpt_syst_enter(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, const char *name)
{
    say(origin, MPT_SYST_STRING_ENTER, severity, name, name ? length(name) + 1 : 0, CALLER);
}

void mpt_syst_exit(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, const char *name)
{
    say(origin, MPT_SYST_STRING_EXIT, severity, name, name ? length(name) + 1 : 0, CALLER);
}

void mpt_syst_assert(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, const char *text)
{
    say(origin, MPT_SYST_STRING_ASSERT, severity, text, text ? length(text) + 1 : 0, CALLER);
}

void mpt_syst_raw(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, uint8_t protocol,
                  const void *bytes, size_t n)
{
    say(origin, MPT_SYST_RAW_DATA | (protocol & 0x3Fu) << 24, severity, n ? bytes : "", n, CALLER);
}

void mpt_syst_sbd(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, uint64_t id,
                  const volatile void *address, const char *name, const void *bytes, size_t n)
{
    struct mpt_syst_writer writer;
    size_t id_n = id >> 32 ? 8 : 4, address_n = address ? sizeof address : 0,
           name_n = name ? length(name) + 1 : 0;
    uint32_t kind = (id_n == 8 ? 1u : 0u) | (name ? 2u : 0u) |
                    (!address              ? 0u
                     : sizeof address == 8 ? 12u
                                           : 8u);

    if (!mpt_syst_begin(&writer, origin, MPT_SYST_STRUCTURED | kind << 24, severity,
                        id_n + address_n + name_n + n, CALLER))
        return;
    mpt_syst_put_u32(&writer, (uint32_t)id);
    if (id_n == 8)
        mpt_syst_put_u32(&writer, (uint32_t)(id >> 32));
    if (address_n == 8)
        mpt_syst_put_u64(&writer, (uint64_t)(uintptr_t)address);
    else if (address_n)
        mpt_syst_put_u32(&writer, (uint32_t)(uintptr_t)address);
    mpt_syst_put(&writer, name, name_n);
    mpt_syst_put(&writer, bytes, n);
    mpt_syst_end(&writer);
}

void mpt_syst_short32(uint32_t value)
{
    mpt_syst_number(value << 4 | 1, 4);
}

void mpt_syst_short64(uint64_t value)
{
    mpt_syst_number(value << 4 | 7, 8);
}

/* Splits the number around the subtype, which is in bits 24 to 29. */
static uint64_t compact(uint64_t number)
{
    return (number & 0xFFFFF) << 4 | number >> 20 << 30;
}

void mpt_syst_build32(uint32_t number)
{
    mpt_syst_number(compact(number), 4);
}

void mpt_syst_build64(uint64_t number)
{
    mpt_syst_number(compact(number) | 1u << 24, 8);
}

void mpt_syst_build(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, uint64_t number,
                    const char *words)
{
    struct mpt_syst_writer writer;
    size_t n = words ? length(words) + 1 : 0;

    if (!mpt_syst_begin(&writer, origin, MPT_SYST_BUILD_LONG, severity, 8 + n, CALLER))
        return;
    mpt_syst_put_u64(&writer, number);
    mpt_syst_put(&writer, words, n);
    mpt_syst_end(&writer);
}

#if MPT_SYST_TIME
void mpt_syst_clock(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity)
{
    struct mpt_syst_writer writer;

    if (!mpt_syst_begin(&writer, origin, MPT_SYST_CLOCK_SYNC, severity, 16, CALLER))
        return;
    mpt_syst_put_u64(&writer, writer.time);
    mpt_syst_put_u64(&writer, MPT_TICK_HZ);
    mpt_syst_end(&writer);
}
#endif
