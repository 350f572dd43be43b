/* mpt_syst_printf.c - sends formats unchanged, and packs the arguments behind them.
 *
 * Arguments are processed twice: to compute the length of the message, and to write it. If a string changes
 * in between, it is cut, or filled with zeros, to its first length. */
#include "mpt_syst_ring.h"

/* The target of packed arguments: a message, or, while it is NULL, only the sum of their bytes. */
struct packing {
    struct mpt_syst_writer *writer;
    size_t n;
};

static void pack_number(struct packing *packing, uint64_t value, size_t n)
{
    packing->n += n;
    if (!packing->writer)
        return;
    if (n == 4)
        mpt_syst_put_u32(packing->writer, (uint32_t)value);
    else
        mpt_syst_put_u64(packing->writer, value);
}

static void pack_double(struct packing *packing, double value)
{
    union {
        double value;
        uint64_t bits;
    } number = {value};

    pack_number(packing, number.bits, 8);
}

static void pack_text(struct packing *packing, const char *text)
{
    size_t n = 1;

    if (!text)
        text = "(null)";
    while (text[n - 1])
        n++;
    packing->n += n;
    if (packing->writer)
        mpt_syst_put(packing->writer, text, n);
}

/* ---- by format ---- */

/* A struct, so that the list can be passed by address. */
struct arguments {
    va_list list;
};

struct conversion {
    char length; /* 'l', 'L' for ll and j, 'z' for z and t, 'd' for long double; 0: none, or h and hh */
    char what;
    uint8_t stars; /* number of arguments for width and precision */
};

static bool is_in(const char *set, char c)
{
    for (; *set; set++)
        if (*set == c)
            return true;
    return false;
}

/* Reads a conversion from the character after %. Returns the character after the conversion. */
static const char *read_conversion(const char *at, struct conversion *conversion)
{
    *conversion = (struct conversion){0};
    while (*at && is_in("-+ #0123456789.*'", *at))
        conversion->stars = (uint8_t)(conversion->stars + (*at++ == '*'));
    switch (*at) {
    case 'h': at += at[1] == 'h' ? 2 : 1; break;
    case 'l':
        conversion->length = at[1] == 'l' ? 'L' : 'l';
        at += at[1] == 'l' ? 2 : 1;
        break;
    case 'j':
        conversion->length = 'L';
        at++;
        break;
    case 'z':
    case 't':
        conversion->length = 'z';
        at++;
        break;
    case 'L':
        conversion->length = 'd';
        at++;
        break;
    default: break;
    }
    conversion->what = *at;
    return *at ? at + 1 : at;
}

static void pack_integer(struct packing *packing, char length, struct arguments *arguments)
{
    if (length == 'L')
        pack_number(packing, va_arg(arguments->list, unsigned long long), 8);
    else if (length == 'l')
        pack_number(packing, va_arg(arguments->list, unsigned long), sizeof(long));
    else if (length == 'z')
        pack_number(packing, va_arg(arguments->list, size_t), sizeof(size_t));
    else
        pack_number(packing, va_arg(arguments->list, unsigned), 4);
}

static bool pack_one(struct packing *packing, const struct conversion *conversion,
                     struct arguments *arguments)
{
    for (int i = 0; i < conversion->stars; i++)
        pack_number(packing, va_arg(arguments->list, unsigned), 4);
    if (conversion->what == '%')
        return true;
    if (is_in("diuoxX", conversion->what))
        pack_integer(packing, conversion->length, arguments);
    else if (conversion->what == 'c')
        pack_number(packing, va_arg(arguments->list, unsigned), 4);
    else if (is_in("fFeEgGaA", conversion->what) && conversion->length == 'd')
        pack_double(packing, (double)va_arg(arguments->list, long double));
    else if (is_in("fFeEgGaA", conversion->what))
        pack_double(packing, va_arg(arguments->list, double));
    else if (conversion->what == 's' && !conversion->length)
        pack_text(packing, va_arg(arguments->list, const char *));
    else if (conversion->what == 'p' || conversion->what == 'n')
        pack_number(packing, (uintptr_t)va_arg(arguments->list, void *), sizeof(void *));
    else
        return false;
    return true;
}

/* Returns false when the format has a conversion that is not supported. */
static bool pack_by_format(struct packing *packing, const char *format, struct arguments *arguments)
{
    while (*format) {
        struct conversion conversion;

        if (*format++ != '%')
            continue;
        format = read_conversion(format, &conversion);
        if (!pack_one(packing, &conversion, arguments))
            return false;
    }
    return true;
}

static void say_invalid(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity,
                        const char *format, const void *caller)
{
    enum { FORMAT_MOST = 32 }; /* as in MIPI's own library */
    struct mpt_syst_writer writer;
    size_t n = 0;

    if (!format)
        format = "(null)";
    while (n < FORMAT_MOST && format[n])
        n++;
    if (n < FORMAT_MOST)
        n++; /* its NUL */
    if (!mpt_syst_begin(&writer, origin, MPT_SYST_STRING_INVALID, severity, n, caller))
        return;
    mpt_syst_put(&writer, format, n);
    mpt_syst_end(&writer);
}

static void say_by_format(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity,
                          const char *format, struct arguments *arguments, const void *caller)
{
    struct mpt_syst_writer writer;
    struct packing packing = {NULL, 0};
    struct arguments again;
    bool is_valid = false;

    va_copy(again.list, arguments->list);
    if (format) {
        pack_text(&packing, format);
        is_valid = pack_by_format(&packing, format, arguments);
    }
    if (!is_valid) {
        say_invalid(origin, severity, format, caller);
    } else if (mpt_syst_begin(&writer, origin, MPT_SYST_STRING_PRINTF, severity, packing.n, caller)) {
        packing.writer = &writer;
        pack_text(&packing, format);
        pack_by_format(&packing, format, &again);
        mpt_syst_end(&writer);
    }
    va_end(again.list);
}

void mpt_syst_vprintf(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity,
                      const char *format, va_list list)
{
    struct arguments arguments;

    va_copy(arguments.list, list);
    say_by_format(origin, severity, format, &arguments, __builtin_return_address(0));
    va_end(arguments.list);
}

void mpt_syst_printf(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity,
                     const char *format, ...)
{
    struct arguments arguments;

    va_start(arguments.list, format);
    say_by_format(origin, severity, format, &arguments, __builtin_return_address(0));
    va_end(arguments.list);
}

/* ---- by signature ---- */

static void pack_by_signature(struct packing *packing, uint32_t signature, struct arguments *arguments)
{
    for (; signature; signature >>= 3)
        switch (signature & 7) {
        case MPT_SYST_WORD: pack_number(packing, va_arg(arguments->list, unsigned), 4); break;
        case MPT_SYST_WIDE: pack_number(packing, va_arg(arguments->list, unsigned long long), 8); break;
        case MPT_SYST_DOUBLE: pack_double(packing, va_arg(arguments->list, double)); break;
        case MPT_SYST_LONG_DOUBLE: pack_double(packing, (double)va_arg(arguments->list, long double)); break;
        case MPT_SYST_TEXT: pack_text(packing, va_arg(arguments->list, const char *)); break;
        case MPT_SYST_POINTER:
            pack_number(packing, (uintptr_t)va_arg(arguments->list, void *), sizeof(void *));
            break;
        default: return;
        }
}

static void say_by_signature(const struct mpt_syst_origin *origin, uint32_t kind,
                             enum mpt_syst_severity severity, uint64_t id, uint32_t signature,
                             struct arguments *arguments, const void *caller)
{
    struct mpt_syst_writer writer;
    struct packing packing = {NULL, 0};
    struct arguments again;
    size_t id_bytes = kind == MPT_SYST_CATALOG_ID64 ? 8 : 4;

    va_copy(again.list, arguments->list);
    pack_by_signature(&packing, signature, arguments);
    if (mpt_syst_begin(&writer, origin, kind, severity, id_bytes + packing.n, caller)) {
        packing.writer = &writer;
        pack_number(&packing, id, id_bytes);
        pack_by_signature(&packing, signature, &again);
        mpt_syst_end(&writer);
    }
    va_end(again.list);
}

void mpt_syst_catalog32(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, uint32_t id,
                        uint32_t signature, ...)
{
    struct arguments arguments;

    va_start(arguments.list, signature);
    say_by_signature(origin, MPT_SYST_CATALOG_ID32, severity, id, signature, &arguments,
                     __builtin_return_address(0));
    va_end(arguments.list);
}

void mpt_syst_catalog64(const struct mpt_syst_origin *origin, enum mpt_syst_severity severity, uint64_t id,
                        uint32_t signature, ...)
{
    struct arguments arguments;

    va_start(arguments.list, signature);
    say_by_signature(origin, MPT_SYST_CATALOG_ID64, severity, id, signature, &arguments,
                     __builtin_return_address(0));
    va_end(arguments.list);
}
