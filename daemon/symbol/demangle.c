/* demangle.c - compiler-made names in the words of the source; the only file that knows the demangler.
 *
 * libiberty's (Debian: libiberty-dev), not libstdc++'s __cxa_demangle: it knows Rust as well, needs no C++
 * runtime, and hands its result over in pieces. That allows a bound: a mangled name can refer back to its own
 * parts, so that each byte doubles the result, and only leaving in the middle stops it. Its C++ printer holds
 * everything on the stack, so longjmp out of it loses nothing; its Rust one holds one buffer while it prints
 * a punycode identifier, and counts through lifetimes without printing, hence rust_is_safe. */
#include "symbol/demangle.h"

#include "symbol/parcel.h"

#include <ctype.h>
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    RUST_MAX_PUNYCODE_BACKREFS = 24, /* 'B' bytes of a name that also has punycode */
    RUST_MAX_LIFETIME_DIGITS = 2     /* base 62 */
};

struct output {
    char *bytes;
    size_t length;
    jmp_buf too_long;
};

static void append_output(const char *piece, size_t n, void *opaque)
{
    struct output *output = opaque;
    if (n >= DEMANGLE_MAX_OUTPUT - output->length)
        longjmp(output->too_long, 1);
    memcpy(output->bytes + output->length, piece, n);
    output->length += n;
}

/* True when demangling this v0 name can be left at any time, and ends without being left. Judged by the
 * letters alone, so that it now and then leaves a harmless name raw. */
static bool rust_is_safe(const char *raw)
{
    unsigned backrefs = 0;
    bool has_punycode = false;
    for (const char *c = raw; *c; c++) {
        backrefs += *c == 'B';
        has_punycode |= *c == 'u' && isdigit((unsigned char)c[1]);
        if (*c == 'G') {
            size_t digits = 0;
            while (isalnum((unsigned char)c[1 + digits]))
                digits++;
            if (digits > RUST_MAX_LIFETIME_DIGITS && c[1 + digits] == '_')
                return false;
        }
    }
    return !has_punycode || backrefs <= RUST_MAX_PUNYCODE_BACKREFS;
}

/* Each returns whether it knew the name; its text is in `output` then. */
typedef int demangler_fn(const char *mangled, int options, demangle_callbackref callback, void *opaque);

static size_t run_demangler(demangler_fn *demangler, const char *raw, struct output *output)
{
    output->length = 0;
    if (setjmp(output->too_long) || !demangler(raw, DMGL_PARAMS | DMGL_ANSI, append_output, output))
        return 0;
    output->bytes[output->length] = '\0';
    return output->length;
}

size_t demangle(const char *raw, char out[static DEMANGLE_MAX_OUTPUT])
{
    struct output output = {.bytes = out};
    if (raw[0] != '_' || strnlen(raw, DEMANGLE_MAX_INPUT + 1) > DEMANGLE_MAX_INPUT)
        return 0;
    if (raw[1] == 'R')
        return rust_is_safe(raw) ? run_demangler(rust_demangle_callback, raw, &output) : 0;
    if (raw[1] != 'Z')
        return 0;
    /* A legacy Rust name is a C++ name whose last part is a hash, so Rust is asked first. */
    size_t n = run_demangler(rust_demangle_callback, raw, &output);
    return n > 0 ? n : run_demangler(cplus_demangle_v3_callback, raw, &output);
}

static void answer_names(uint8_t *bytes, size_t n, struct sink *answer)
{
    struct reader request = parcel_open(bytes, n);
    uint64_t room = reader_uint(&request, 8);
    while (reader_left(&request) > 0) {
        char name[DEMANGLE_MAX_OUTPUT];
        size_t length = demangle(reader_string(&request), name);
        if (length > room)
            length = 0;
        room -= length;
        parcel_put_bytes(answer, name, length);
    }
}

const struct annex_job demangle_job = {"demangling", answer_names, .seconds = 10};
