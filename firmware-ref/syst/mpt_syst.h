/* mpt_syst.h - says things in MIPI SyS-T messages: what an application calls.
 *
 * A message goes into a ring as a whole, from wherever it is said: an interrupt that comes while one is being
 * written writes its own behind it. Where the ring has no room the message is left out as a whole, counted,
 * and how many were is said by a message of its own ("%u messages lost"), in the place where they are
 * missing. Interrupts are locked out while room is reserved, not while a message is written. mpt_syst_take()
 * hands the messages over, framed, in the order in which they were begun.
 *
 * Time, and the lock, are the port's (mpt_port.h). */
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

/* What an origin's messages carry. Raw framing needs their length, which is there without being asked for. */
enum mpt_syst_with {
    MPT_SYST_STAMPED = 1,    /* when: ticks of the port's counter, widened to 64 bits */
    MPT_SYST_CHECKED = 2,    /* CRC-32C */
    MPT_SYST_CALLER = 4,     /* where: the address that the emitter was called from */
    MPT_SYST_PLACED = 8,     /* where: file and line, as MPT_SYST_HERE() has them */
    MPT_SYST_NO_LENGTH = 16, /* not how long it is: for framings that know */
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

/* Text: of n bytes; up to its NUL, which goes with it, since MIPI's printer wants one. Any bytes; UTF-8 is
 * what readers expect. NULL is said as a parameter that is none ("(null)"). */
void mpt_syst_text(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, const char *text,
                   size_t n);
void mpt_syst_string(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, const char *text);

/* The function of that name begins; it ends; something that must hold does not. */
void mpt_syst_enter(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, const char *name);
void mpt_syst_exit(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, const char *name);
void mpt_syst_assert(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, const char *text);

/* As printf, but the host formats: the format is sent as it is, and the arguments behind it. Strings are
 * copied, NULL as "(null)". A format with a conversion that SyS-T has not (%ls, %m) is said as a parameter
 * that is none. */
void mpt_syst_printf(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity,
                     const char *format, ...) __attribute__((format(printf, 3, 4)));
void mpt_syst_vprintf(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity,
                      const char *format, va_list arguments) __attribute__((format(printf, 3, 0)));

/* n bytes of another protocol, whose number is 0 to 63. */
void mpt_syst_raw(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, uint8_t protocol,
                  const void *bytes, size_t n);

/* n bytes of a structure, of which readers know the layout by its number (SBD, of MIPI's library; the
 * document reserves the type): its address and name, NULL where they say nothing. */
void mpt_syst_sbd(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, uint64_t id,
                  const volatile void *address, const char *name, const void *bytes, size_t n);

/* Numbers alone, in 4 and 8 bytes: 28 and 60 bits. They do not say who says them. */
void mpt_syst_short32(uint32_t value);
void mpt_syst_short64(uint64_t value);

/* Which build this is: a number, with words or NULL; or in 4 and 8 bytes, 22 and 54 bits, the severity too,
 * and without saying who. */
void mpt_syst_build(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, uint64_t number,
                    const char *words);
void mpt_syst_build32(uint32_t number);
void mpt_syst_build64(uint64_t number);

#if MPT_SYST_TIME
/* What time it is by the clock of the stamps, and its rate, MPT_TICK_HZ: at the start, and every second or so
 * for readers that join late. */
void mpt_syst_clock(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity);
#endif

#if MPT_SYST_CLOCK
/* To be called once in a period of the port's counter where no message is. */
void mpt_syst_keep_time(void);
#endif

/* How many messages found no room, since the start. */
uint32_t mpt_syst_lost(void);

/* ---- catalog messages ---- */

/* What an argument of a catalog message is packed as, in three bits; up to 8 make a signature, the first
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

/* The message of that number, with the arguments that the signature tells. */
void mpt_syst_catalog32(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, uint32_t id,
                        uint32_t signature, ...);
void mpt_syst_catalog64(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, uint64_t id,
                        uint32_t signature, ...);

/* What section .mpt_syst holds, for scripts/syst-collateral: the linker script keeps it in the ELF and out of
 * the image. The number that the wire has is where there the words of an entry are, so that a reader that has
 * the ELF finds them, too. */
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

/* The origin with the file and the line of where this stands; valid within the block that it stands in. */
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

/* The origin with the address that the emitter is called from, for one message (MIPI's _LOCADDR): as
 * MPT_SYST_CALLER, of 32 or 64 bits as the target's addresses are. Valid within the block that
 * it stands in. */
#define MPT_SYST_LOCADDR(origin) mpt_syst_locaddr(&(struct mpt_syst_origin){0}, origin)

static inline const struct mpt_syst_origin *mpt_syst_locaddr(struct mpt_syst_origin *here,
                                                             const struct mpt_syst_origin *origin)
{
    *here = *origin;
    here->with = (uint8_t)((here->with & ~MPT_SYST_PLACED) | MPT_SYST_CALLER);
    return here;
}

/* What a module (0 to 127), or who has a GUID, is called by readers: at file level, once. `guid` is 32 hex
 * digits with or without hyphens and braces. */
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
/* As mpt_syst_printf(), but only a number and the arguments are sent, and the format takes no room in the
 * image: a string literal, with up to 8 arguments. A `char *` is sent as text; for %p it is to be cast to
 * `void *`. */
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

/* How messages are framed from the next one on that is taken: back to back (the default), as lines of text,
 * as an STP stream, which begins again with its marks. Nothing where one framing is built. From where
 * messages are taken. */
void mpt_syst_frame(enum mpt_syst_framing framing);

/* Moves whole messages, framed, oldest first, to `to`, `room` bytes at the most, and returns how many bytes
 * these are; 0: none waits. One that is longer than `room` comes in parts. To be called from one context. */
size_t mpt_syst_take(uint8_t *to, size_t room);

#ifdef __cplusplus
}
#endif

#endif
