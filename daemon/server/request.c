/* request.c - parses a request's target and query strictly. */
#include "server/request.h"

#include "base/digits.h"

#include <string.h>

/* Decodes percent codes in place. False when one is invalid or decodes to a control byte. */
static bool decode_percent_codes(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        char c = *from;
        if (c == '%') {
            int high = digits_hex_value(from[1]);
            int low = high < 0 ? -1 : digits_hex_value(from[2]);
            if (low < 0)
                return false;
            c = (char)(high << 4 | low);
            from += 2;
        }
        if ((unsigned char)c < 0x20 || c == 0x7f)
            return false;
        *to++ = c;
    }
    *to = '\0';
    return true;
}

/* True when a segment is "." or "..", or contains a backslash, which some systems take for '/'. */
static bool path_climbs(const char *path)
{
    for (const char *segment = path; *segment == '/';) {
        segment++;
        size_t n = strcspn(segment, "/");
        if ((n == 1 && segment[0] == '.') || (n == 2 && segment[0] == '.' && segment[1] == '.'))
            return true;
        segment += n;
    }
    return strchr(path, '\\') != NULL;
}

bool request_set_target(struct request *request, char *target, struct error *err)
{
    char *question = strchr(target, '?');
    if (question)
        *question = '\0';
    if (target[0] != '/')
        return error_set(err, "The request's target must be a path that begins with '/'.");
    if (!decode_percent_codes(target))
        return error_set(err, "The path holds a damaged percent code or a control byte.");
    if (path_climbs(target))
        return error_set(err, "A path must not hold the segments '.' or '..', nor a backslash.");
    request->path = target;
    request->query = question ? question + 1 : NULL;
    return true;
}

bool request_parse_u64(const char *text, size_t n, uint64_t *out)
{
    uint64_t value = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9' || __builtin_mul_overflow(value, 10u, &value) ||
            __builtin_add_overflow(value, (unsigned)(text[i] - '0'), &value))
            return false;
    }
    if (n == 0)
        return false;
    *out = value;
    return true;
}

static size_t number_named(const struct request_number *numbers, size_t n, const char *name, size_t name_n)
{
    size_t i = 0;
    while (i < n && (strncmp(numbers[i].name, name, name_n) != 0 || numbers[i].name[name_n] != '\0'))
        i++;
    return i;
}

bool request_read_query(const struct request *request, const struct request_number *numbers, size_t n,
                        struct error *err)
{
    uint64_t met = 0;
    const char *field = request->query;
    while (field && *field) {
        size_t field_n = strcspn(field, "&");
        const char *equals = memchr(field, '=', field_n);
        size_t name_n = equals ? (size_t)(equals - field) : field_n;
        size_t i = number_named(numbers, n, field, name_n);
        if (i == n)
            return error_set(err, "There is no parameter '%.*s' here.", (int)(name_n < 64 ? name_n : 64),
                             field);
        if (met & (uint64_t)1 << i)
            return error_set(err, "The parameter '%s' is given twice.", numbers[i].name);
        met |= (uint64_t)1 << i;
        if (!equals || !request_parse_u64(equals + 1, field_n - name_n - 1, numbers[i].value))
            return error_set(err, "The parameter '%s' must be a whole number without a sign.",
                             numbers[i].name);
        field += field_n;
        if (*field)
            field++;
    }
    return true;
}
