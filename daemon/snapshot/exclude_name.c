/* exclude_name.c - the name by which gcc's list of excluded functions matches a function. */
#include "snapshot/exclude.h"

#include <stdio.h>
#include <string.h>

#define ANONYMOUS     "(anonymous namespace)"
#define ANONYMOUS_GCC "{anonymous}"
#define LETTERS       "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

enum { DEMANGLED_MOST = 1024 };

/* Cuts the last pair of parentheses and everything after it. */
static void cut_parameters(char *name)
{
    char *end = strrchr(name, ')');
    int depth = 0;
    for (char *at = end; at && at >= name; at--) {
        depth += (*at == ')') - (*at == '(');
        if (depth > 0)
            continue;
        if (strncmp(at, ANONYMOUS, strlen(ANONYMOUS)) != 0)
            *at = '\0';
        return;
    }
}

/* Returns the part after the last space outside of parentheses and angle brackets. Before it is the return
 * type of a function template. */
static const char *behind_type(const char *name)
{
    const char *part = name;
    int depth = 0;
    for (const char *at = name; *at; at++) {
        depth += (*at == '(' || *at == '<') - (*at == ')' || *at == '>');
        if (*at == ' ' && depth == 0)
            part = at + 1;
    }
    return part;
}

/* Cuts the arguments of a function template. Returns false when arguments of a class template remain. */
static bool cut_arguments(char *name)
{
    char *open = strchr(name, '<');
    if (!open)
        return true;
    int depth = 0;
    for (char *at = open; *at; at++) {
        depth += (*at == '<') - (*at == '>');
        if (depth == 0 && at[1] != '\0')
            return false;
    }
    *open = '\0';
    return depth == 0;
}

/* Copies the name; an anonymous namespace becomes "{anonymous}", as in gcc. */
static bool copy_qualified(const char *name, char out[static EXCLUDE_NAME_SIZE])
{
    size_t n = 0;
    *out = '\0';
    while (*name) {
        bool is_anonymous = !strncmp(name, ANONYMOUS, strlen(ANONYMOUS));
        const char *piece = is_anonymous ? ANONYMOUS_GCC : name;
        size_t length = is_anonymous ? strlen(ANONYMOUS_GCC) : strspn(name, LETTERS ":~");
        if (length == 0 || n + length >= EXCLUDE_NAME_SIZE)
            return false;
        memcpy(out + n, piece, length);
        n += length;
        out[n] = '\0';
        name += is_anonymous ? strlen(ANONYMOUS) : length;
    }
    return n > 0;
}

static bool name_demangled(const char *name, char out[static EXCLUDE_NAME_SIZE])
{
    char text[DEMANGLED_MOST];
    size_t n = strlen(name);
    if (n >= sizeof text)
        return false;
    memcpy(text, name, n + 1);
    char *clone = strstr(text, " [clone");
    if (clone)
        *clone = '\0';
    if (strstr(text, "operator") || strchr(text, '{'))
        return false;
    cut_parameters(text);
    return cut_arguments(text) ? copy_qualified(behind_type(text), out) : false;
}

bool exclude_name(const char *name, bool is_mangled, char out[static EXCLUDE_NAME_SIZE])
{
    size_t length = strspn(name, LETTERS);
    *out = '\0';
    if (!is_mangled && (name[length] == '\0' || name[length] == '.') && length > 0 &&
        length < EXCLUDE_NAME_SIZE) {
        memcpy(out, name, length);
        out[length] = '\0';
        return true;
    }
    if (is_mangled && name_demangled(name, out))
        return true;
    *out = '\0';
    return false;
}
