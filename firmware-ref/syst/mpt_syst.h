/* mpt_syst.h - sends MIPI SyS-T messages: what an application calls.
 *
 * A message is written into a ring as a whole, from any context: an interrupt that occurs while one is being
 * written writes its own behind it. If the ring has no room, the message is dropped as a whole and counted;
 * where messages are missing, a message of its own reports how many ("%u messages lost"). Interrupts are
 * locked out while room is reserved, not while a message is written. mpt_syst_take() delivers the messages,
 * framed, in the order in which they were begun.
 *
 * Time and lock come from the port (mpt_port.h). */
#ifndef MPT_SYST_H
#define MPT_SYST_H

#include "mpt_syst_config.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum mpt_syst_severity {
    MPT_SYST_MAX,
    MPT_SYST_FATAL,
    MPT_SYST_ERROR,
    MPT_SYST_WARNING,
    MPT_SYST_INFO,
    MPT_SYST_USER1,
    MPT_SYST_USER2,
    MPT_SYST_DEBUG,
};

/* What an origin's messages carry. Raw framing needs their length, which is included by default. */
enum mpt_syst_with {
    MPT_SYST_STAMPED = 1,    /* time stamp: ticks of the port's counter, widened to 64 bits */
    MPT_SYST_CHECKED = 2,    /* CRC-32C */
    MPT_SYST_CALLER = 4,     /* location: the address that the emitter was called from */
    MPT_SYST_PLACED = 8,     /* location: file and line, as MPT_SYST_HERE() sets them */
    MPT_SYST_NO_LENGTH = 16, /* no length: for framings that have it */
};

/* The sender of a message: a module 0 to 127 with units 0 to 15, or a GUID with units 0 to 2047. */
struct mpt_syst_origin {
    uint8_t guid[16]; /* in the order in which it is printed */
    bool has_guid;
    uint8_t module;
    uint16_t unit;
    uint8_t with;        /* enum mpt_syst_with bits */
    uint32_t file, line; /* with MPT_SYST_PLACED */
};

/* Text of n bytes, or up to its NUL, which is sent with it, since MIPI's printer needs one. Any bytes are
 * possible; readers expect UTF-8. NULL is sent as an invalid parameter ("(null)"). */
void mpt_syst_text(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, const char *text,
                   size_t n);
void mpt_syst_string(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, const char *text);

/* The function of that name begins; it ends; a condition that must hold does not. */
void mpt_syst_enter(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, const char *name);
void mpt_syst_exit(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, const char *name);
void mpt_syst_assert(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, const char *text);

/* Like printf, but the host formats: the format is sent unchanged, and the arguments behind it. Strings are
 * copied, NULL as "(null)". A format with a conversion that SyS-T lacks (%ls, %m) is sent as an invalid
 * parameter. */
void mpt_syst_printf(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity,
                     const char *format, ...) __attribute__((format(printf, 3, 4)));
void mpt_syst_vprintf(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity,
                      const char *format, va_list arguments) __attribute__((format(printf, 3, 0)));

/* n bytes of another protocol, whose number is 0 to 63. */
void mpt_syst_raw(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, uint8_t protocol,
                  const void *bytes, size_t n);

/* n bytes of a structure, whose layout readers know by its number (SBD, of MIPI's library; the specification
 * reserves the type), with its address and name, or NULL. */
void mpt_syst_sbd(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, uint64_t id,
                  const volatile void *address, const char *name, const void *bytes, size_t n);

/* Numbers alone, in 4 and 8 bytes: 28 and 60 bits, without the sender. */
void mpt_syst_short32(uint32_t value);
void mpt_syst_short64(uint64_t value);

/* The build: a number, with a text or NULL; or in 4 and 8 bytes, 22 and 54 bits including the severity,
 * without the sender. */
void mpt_syst_build(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, uint64_t number,
                    const char *words);
void mpt_syst_build32(uint32_t number);
void mpt_syst_build64(uint64_t number);

#if MPT_SYST_TIME
/* The time by the clock of the stamps, and its rate, MPT_TICK_HZ: send it at the start, and every second or
 * so for readers that connect later. */
void mpt_syst_clock(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity);
#endif

#if MPT_SYST_CLOCK
/* Call it once per period of the port's counter if no message is sent in it. */
void mpt_syst_keep_time(void);
#endif

/* Returns the number of messages that found no room, since the start. */
uint32_t mpt_syst_lost(void);

/* ---- catalog messages ---- */

/* How an argument of a catalog message is packed, in three bits; up to 8 make a signature, the first
 * lowest. */
enum mpt_syst_argument {
    MPT_SYST_NO_ARGUMENT,
    MPT_SYST_WORD, /* 4 bytes */
    MPT_SYST_WIDE, /* 8 bytes */
    MPT_SYST_DOUBLE,
    MPT_SYST_TEXT,
    MPT_SYST_POINTER,
    MPT_SYST_LONG_DOUBLE, /* as a double */
};

/* The message of that number, with the arguments that the signature gives. */
void mpt_syst_catalog32(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, uint32_t id,
                        uint32_t signature, ...);
void mpt_syst_catalog64(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, uint64_t id,
                        uint32_t signature, ...);

/* The entries of section .mpt_syst, for scripts/syst-collateral: the linker script keeps it in the ELF and
 * out of the image. The number on the wire is the address of an entry's text in that section, so that a
 * reader with the ELF finds it, too. */
enum mpt_syst_entry {
    MPT_SYST_OF_CATALOG32 = 1,
    MPT_SYST_OF_CATALOG64,
    MPT_SYST_OF_FILE,
    MPT_SYST_OF_ORIGIN
};
#define MPT_SYST_ENTRY_MARK 0x5453794Du /* "MyST" */

#define MPT_SYST_ENTRY(what_, words_)                                                                        \
    (__extension__({                                                                                         \
        static const struct {                                                                                \
            uint32_t mark, what, line;                                                                       \
            uint16_t words_n, file_n;                                                                        \
            char words[sizeof(words_)], file[sizeof(__FILE__)];                                              \
        } mpt_syst_entry_ __attribute__((section(".mpt_syst"), used, aligned(4))) = {                        \
            MPT_SYST_ENTRY_MARK, what_, __LINE__, sizeof(words_), sizeof(__FILE__), words_, __FILE__};       \
        (uint32_t)(uintptr_t) mpt_syst_entry_.words;                                                         \
    }))

/* The origin with the file and line of this place; valid within the enclosing block. */
#define MPT_SYST_HERE(origin)                                                                                \
    mpt_syst_here(&(struct mpt_syst_origin){0}, origin, MPT_SYST_ENTRY(MPT_SYST_OF_FILE, ""), __LINE__)

static inline const struct mpt_syst_origin *mpt_syst_here(struct mpt_syst_origin *here,
                                                          const struct mpt_syst_origin *origin, uint32_t file,
                                                          uint32_t line)
{
    *here = *origin;
    here->with |= MPT_SYST_PLACED;
    here->file = file;
    here->line = line;
    return here;
}

/* The origin with the address that the emitter is called from, for one message (MIPI's _LOCADDR): like
 * MPT_SYST_CALLER, of 32 or 64 bits like the target's addresses. Valid within the enclosing block. */
#define MPT_SYST_LOCADDR(origin) mpt_syst_locaddr(&(struct mpt_syst_origin){0}, origin)

static inline const struct mpt_syst_origin *mpt_syst_locaddr(struct mpt_syst_origin *here,
                                                             const struct mpt_syst_origin *origin)
{
    *here = *origin;
    here->with = (uint8_t)((here->with & ~MPT_SYST_PLACED) | MPT_SYST_CALLER);
    return here;
}

/* The name of a module (0 to 127), or of the owner of a GUID, for readers: at file level, once. `guid` is 32
 * hex digits with or without hyphens and braces. */
#define MPT_SYST_MODULE_NAME(module, name)    MPT_SYST_NAME_(__COUNTER__, module, "", name)
#define MPT_SYST_GUID_NAME(guid, name)        MPT_SYST_NAME_(__COUNTER__, 0, guid, name)
#define MPT_SYST_NAME_(n, module, guid, name) MPT_SYST_NAME__(n, module, guid, name)
#define MPT_SYST_NAME__(n, module, guid, name)                                                               \
    static const struct {                                                                                    \
        uint32_t mark, what, line;                                                                           \
        uint16_t words_n, file_n;                                                                            \
        char words[sizeof(name)], file[sizeof(guid)];                                                        \
    } mpt_syst_name_##n __attribute__((section(".mpt_syst"), used, aligned(4))) = {                          \
        MPT_SYST_ENTRY_MARK, MPT_SYST_OF_ORIGIN, module, sizeof(name), sizeof(guid), name, guid}

#ifndef __cplusplus
/* Like mpt_syst_printf(), but only a number and the arguments are sent, and the format takes no room in the
 * image: a string literal, with up to 8 arguments. A `char *` is sent as text; for %p cast it to `void *`. */
#define MPT_SYST_CATALOG(origin, severity, format, ...)                                                      \
    do {                                                                                                     \
        if (0)                                                                                               \
            mpt_syst_printf(origin, severity, format, ##__VA_ARGS__);                                        \
        mpt_syst_catalog32(origin, severity, MPT_SYST_ENTRY(MPT_SYST_OF_CATALOG32, format),                  \
                           MPT_SYST_SIGNATURE(__VA_ARGS__), ##__VA_ARGS__);                                  \
    } while (0)

/* The same with a number of 64 bits. */
#define MPT_SYST_CATALOG_64(origin, severity, format, ...)                                                   \
    do {                                                                                                     \
        if (0)                                                                                               \
            mpt_syst_printf(origin, severity, format, ##__VA_ARGS__);                                        \
        mpt_syst_catalog64(origin, severity, MPT_SYST_ENTRY(MPT_SYST_OF_CATALOG64, format),                  \
                           MPT_SYST_SIGNATURE(__VA_ARGS__), ##__VA_ARGS__);                                  \
    } while (0)

/* clang-format off */
#define MPT_SYST_PACKED_AS(x) _Generic((x),                                                                  \
    char *: MPT_SYST_TEXT, const char *: MPT_SYST_TEXT,                                                      \
    _Bool: MPT_SYST_WORD, char: MPT_SYST_WORD, signed char: MPT_SYST_WORD, unsigned char: MPT_SYST_WORD,     \
    short: MPT_SYST_WORD, unsigned short: MPT_SYST_WORD, int: MPT_SYST_WORD, unsigned: MPT_SYST_WORD,        \
    long: sizeof(long) == 4 ? MPT_SYST_WORD : MPT_SYST_WIDE,                                                 \
    unsigned long: sizeof(long) == 4 ? MPT_SYST_WORD : MPT_SYST_WIDE,                                        \
    long long: MPT_SYST_WIDE, unsigned long long: MPT_SYST_WIDE,                                             \
    float: MPT_SYST_DOUBLE, double: MPT_SYST_DOUBLE, long double: MPT_SYST_LONG_DOUBLE,                      \
    default: MPT_SYST_POINTER)
#define MPT_SYST_SIGNATURE(...)                                                                              \
    MPT_SYST_SIGNATURE_(, ##__VA_ARGS__, MPT_SYST_8, MPT_SYST_7, MPT_SYST_6, MPT_SYST_5, MPT_SYST_4,          \
                        MPT_SYST_3, MPT_SYST_2, MPT_SYST_1, MPT_SYST_0)(__VA_ARGS__)
#define MPT_SYST_SIGNATURE_(none, a, b, c, d, e, f, g, h, n, ...) n
#define MPT_SYST_0() 0u
#define MPT_SYST_1(a) (uint32_t)(MPT_SYST_PACKED_AS(a))
#define MPT_SYST_2(a, ...) (MPT_SYST_1(a) | MPT_SYST_1(__VA_ARGS__) << 3)
#define MPT_SYST_3(a, ...) (MPT_SYST_1(a) | MPT_SYST_2(__VA_ARGS__) << 3)
#define MPT_SYST_4(a, ...) (MPT_SYST_1(a) | MPT_SYST_3(__VA_ARGS__) << 3)
#define MPT_SYST_5(a, ...) (MPT_SYST_1(a) | MPT_SYST_4(__VA_ARGS__) << 3)
#define MPT_SYST_6(a, ...) (MPT_SYST_1(a) | MPT_SYST_5(__VA_ARGS__) << 3)
#define MPT_SYST_7(a, ...) (MPT_SYST_1(a) | MPT_SYST_6(__VA_ARGS__) << 3)
#define MPT_SYST_8(a, ...) (MPT_SYST_1(a) | MPT_SYST_7(__VA_ARGS__) << 3)
/* clang-format on */
#endif

/* ---- the other end ---- */

enum mpt_syst_framing { MPT_SYST_AS_RAW, MPT_SYST_AS_HEX, MPT_SYST_AS_STP };

/* Sets the framing from the next message on that is taken: back to back (the default), lines of text, or an
 * STP stream, which begins again with its marks. No effect if only one framing is built. Call it where
 * messages are taken. */
void mpt_syst_frame(enum mpt_syst_framing framing);

/* Moves whole messages, framed, oldest first, to `to`, at most `room` bytes, and returns how many bytes these
 * are, 0 when none waits. A message longer than `room` is delivered in parts. Call it from one context. */
size_t mpt_syst_take(uint8_t *to, size_t room);

#ifdef __cplusplus
}
#endif

#endif
