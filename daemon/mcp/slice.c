/* slice.c - finds values in a JSON text. Never reads outside the text, even if it is not JSON, which is rejected
 * before. */
#include "mcp/slice.h"

#include "base/jsonio.h"

#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && memchr(" \t\r\n", *at, 4))
        at++;
    return at;
}

static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\' && at + 1 < end;
    return at < end ? at + 1 : end;
}

static const char *skip_composite(const char *at, const char *end)
{
    size_t depth = 0;
    while (at < end) {
        if (*at == '"') {
            at = skip_string(at, end);
            continue;
        }
        if (*at == '{' || *at == '[')
            depth++;
        if ((*at == '}' || *at == ']') && --depth == 0)
            return at + 1;
        at++;
    }
    return end;
}

static const char *skip_value(const char *at, const char *end)
{
    if (at < end && *at == '"')
        return skip_string(at, end);
    if (at < end && (*at == '{' || *at == '['))
        return skip_composite(at, end);
    while (at < end && !memchr(",]}: \t\r\n", *at, 8))
        at++;
    return at;
}

struct slice slice_of(const char *text, size_t n)
{
    const char *at = skip_blanks(text, text + n), *end = skip_value(at, text + n);
    return (struct slice){at, (size_t)(end - at)};
}

struct slice_walk slice_walk(struct slice value)
{
    struct slice_walk walk = {NULL, NULL, false};
    if (!slice_is_composite(value) || value.n < 2)
        return walk;
    return (struct slice_walk){value.at + 1, value.at + value.n - 1, *value.at == '{'};
}

bool slice_next(struct slice_walk *walk, struct slice *name, struct slice *value)
{
    const char *at = walk->at, *const end = walk->end;
    *name = *value = (struct slice){NULL, 0};
    if (!at)
        return false;
    at = skip_blanks(at, end);
    if (at < end && *at == ',')
        at = skip_blanks(at + 1, end);
    if (walk->is_object) {
        *name = (struct slice){at, (size_t)(skip_value(at, end) - at)};
        at = skip_blanks(at + name->n, end);
        at = at < end && *at == ':' ? skip_blanks(at + 1, end) : at;
    }
    *value = (struct slice){at, (size_t)(skip_value(at, end) - at)};
    walk->at = at + value->n;
    return value->n > 0;
}

struct slice slice_member(struct slice object, const char *name)
{
    struct slice_walk walk = slice_walk(object);
    struct slice key, value;
    size_t n = strlen(name);
    while (walk.is_object && slice_next(&walk, &key, &value))
        if (key.n == n + 2 && memcmp(key.at + 1, name, n) == 0)
            return value;
    return (struct slice){NULL, 0};
}

struct slice slice_path(struct slice top, const char *path)
{
    char name[64];
    while (*path && top.n > 0) {
        size_t n = strcspn(path, ".");
        if (n >= sizeof name)
            return (struct slice){NULL, 0};
        memcpy(name, path, n);
        name[n] = '\0';
        top = slice_member(top, name);
        path += n + (path[n] == '.');
    }
    return top;
}

size_t slice_count(struct slice value)
{
    struct slice_walk walk = slice_walk(value);
    struct slice name, element;
    size_t n = 0;
    while (slice_next(&walk, &name, &element))
        n++;
    return n;
}

static bool is_text_slice(struct slice value)
{
    return value.n > 1 && *value.at == '"';
}

bool slice_is_composite(struct slice value)
{
    return value.n > 0 && (*value.at == '{' || *value.at == '[');
}

bool slice_u64(struct slice value, uint64_t *out)
{
    uint64_t number = 0;
    for (size_t i = 0; i < value.n; i++) {
        uint64_t digit = (uint64_t)(value.at[i] - '0');
        if (value.at[i] < '0' || value.at[i] > '9' || number > (UINT64_MAX - digit) / 10)
            return false;
        number = 10 * number + digit;
    }
    if (value.n > 0)
        *out = number;
    return value.n > 0;
}

char *slice_text(struct slice value)
{
    struct jsonio *parsed = is_text_slice(value) ? jsonio_parse("A text", value.at, value.n, NULL) : NULL;
    const char *text = jsonio_text(parsed);
    char *copy = text ? strdup(text) : NULL;
    jsonio_free(parsed);
    return copy;
}
