/* identity.c - recognizes names of the same function in two builds. */
#include "check/identity.h"

#include <string.h>

static bool is_hex(const char *text, size_t n)
{
    return n > 0 && strspn(text, "0123456789abcdefABCDEF") >= n;
}

static bool is_kind(const char *text, size_t n)
{
    static const char *const kinds[] = {
        "constprop", "isra",     "part",       "cold",   "hot",    "warm",
        "unlikely",  "lto_priv", "localalias", "clone",  "llvm",   "specialized",
        "argprom",   "argelim",  "simdclone",  "__uniq", "__part",
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strlen(kinds[i]) == n && !memcmp(kinds[i], text, n))
            return true;
    return false;
}

/* Returns the index of the last '.' in n bytes, n when there is none. */
static size_t last_part(const char *name, size_t n)
{
    size_t at = n;
    while (at > 0 && name[at - 1] != '.')
        at--;
    return at > 1 ? at - 1 : n; /* a name is more than a suffix */
}

/* Returns the length without the last suffix, n when there is none. */
static size_t without_ending(const char *name, size_t n)
{
    size_t last = last_part(name, n);
    if (last < n && is_kind(name + last + 1, n - last - 1))
        return last;
    if (last == n || !is_hex(name + last + 1, n - last - 1))
        return n;
    size_t before = last_part(name, last);
    return before < last && is_kind(name + before + 1, last - before - 1) ? before : n;
}

/* Returns the length without a demangled suffix of GNU or LLVM, n when there is none. */
static size_t without_clone(const char *name, size_t n)
{
    static const char *const begins[] = {" [clone .", " (."};
    static const char ends[] = {']', ')'};
    for (size_t kind = 0; kind < sizeof ends && n > 0; kind++) {
        size_t length = strlen(begins[kind]);
        for (size_t at = n; name[n - 1] == ends[kind] && at-- > 1;)
            if (n - at > length && !memcmp(name + at, begins[kind], length))
                return at;
    }
    return n;
}

/* Returns the length without the final hash of older Rust names, which differs between builds; n without one. */
static size_t without_hash(const char *name, size_t n)
{
    static const char begin[] = "::h";
    enum { DIGITS = 16, LENGTH = sizeof begin - 1 + DIGITS };
    bool has_hash = n > LENGTH && !memcmp(name + n - LENGTH, begin, sizeof begin - 1) &&
                    is_hex(name + n - DIGITS, DIGITS);
    return has_hash ? n - LENGTH : n;
}

/* Iterates over a name, skipping parts that do not count. */
struct cursor {
    const char *name, *at, *end;
};

size_t identity_length(const char *name)
{
    size_t n = strlen(name), before;
    do {
        before = n;
        n = without_clone(name, without_ending(name, n));
    } while (n < before);
    return without_hash(name, n);
}

static struct cursor cursor_start(const char *name)
{
    return (struct cursor){name, name, name + identity_length(name)};
}

/* Returns the number of digits at the cursor that number a lambda or an unnamed type. */
static size_t number_length(const struct cursor *cursor)
{
    size_t digits = strspn(cursor->at, "0123456789"), before = (size_t)(cursor->at - cursor->name);
    if (digits == 0 || cursor->at + digits > cursor->end)
        return 0;
    if (before > 0 && cursor->at[-1] == '#' && cursor->at[digits] == '}')
        return digits;
    return before > 1 && cursor->at[-1] == '_' && cursor->at[-2] == '$' ? digits : 0;
}

static int cursor_next(struct cursor *cursor)
{
    if (cursor->at < cursor->end)
        cursor->at += number_length(cursor);
    return cursor->at < cursor->end ? (unsigned char)*cursor->at++ : 0;
}

int identity_compare(const char *a, const char *b)
{
    struct cursor left = cursor_start(a), right = cursor_start(b);
    int from, to;
    do {
        from = cursor_next(&left);
        to = cursor_next(&right);
    } while (from && from == to);
    return from - to;
}

bool identity_is_numbered(const char *name)
{
    struct cursor cursor = cursor_start(name);
    for (; cursor.at < cursor.end; cursor.at++)
        if (number_length(&cursor) > 0)
            return true;
    return false;
}
