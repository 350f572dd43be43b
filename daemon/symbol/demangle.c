/* demangle.c - demangles C++ and Rust names; the only file that uses the demangler.
 *
 * It is libiberty's (Debian: libiberty-dev), not libstdc++'s __cxa_demangle: it also handles Rust, needs no C++
 * runtime, and passes its result on in pieces. So the length can be limited: a mangled name can refer back to
 * its own parts, each byte can double the result, and only leaving in the middle stops that. The C++ printer
 * keeps everything on the stack, so longjmp out of it leaks nothing. The Rust printer allocates a buffer for a
 * punycode identifier and counts through lifetimes without printing, hence rust_is_safe(). */
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

/* True when demangling this v0 name may be aborted at any time, and also ends by itself. Only the letters are
 * checked, so a few harmless names stay raw. */
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

/* Each returns whether it could demangle the name; the text is then in `output`. */
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
    /* A legacy Rust name is a C++ name whose last part is a hash, so Rust is tried first. */
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
