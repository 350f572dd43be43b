/* limit.c - parses and writes a limit such as "FUNCTION>500us". */
#include "base/limit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t most_ns = UINT64_C(3600) * 1000000000;

/* Both Unicode letters for mu are accepted. */
static const struct unit {
    const char *name;
    uint64_t ns;
} units[] = {{"s", 1000000000}, {"ms", 1000000},     {"us", 1000},
             {"ns", 1},         {"\xC2\xB5s", 1000}, {"\xCE\xBCs", 1000}};
enum { UNITS = sizeof units / sizeof *units, UNITS_WRITTEN = 4 };

static const char *skip_spaces(const char *text)
{
    return text + strspn(text, " \t");
}

static const struct unit *unit_of(const char *text)
{
    size_t n = strcspn(text, " \t");
    for (size_t i = 0; i < UNITS; i++)
        if (strlen(units[i].name) == n && !memcmp(units[i].name, text, n) && !*skip_spaces(text + n))
            return &units[i];
    return NULL;
}

/* Reads digits with an optional point. */
static bool time_parse(const char *text, uint64_t *ns)
{
    char *end;
    text = skip_spaces(text);
    double number = strtod(text, &end);
    const struct unit *unit = unit_of(skip_spaces(end));
    bool is_plain = *text >= '0' && *text <= '9' && end == text + strspn(text, "0123456789.");
    if (!is_plain || !unit || number * (double)unit->ns > (double)most_ns)
        return false;
    *ns = (uint64_t)(number * (double)unit->ns + 0.5);
    return true;
}

static bool name_parse(const char *text, size_t n, char *name)
{
    size_t spaces = strspn(text, " \t");
    if (spaces >= n)
        return false;
    text += spaces;
    for (n -= spaces; n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t');)
        n--;
    if (n == 0 || n >= LIMIT_NAME_SIZE)
        return false;
    memcpy(name, text, n);
    name[n] = '\0';
    return true;
}

bool limit_parse(const char *text, struct limit *limit, struct error *err)
{
    const char *sign = strrchr(text, '>');
    *limit = (struct limit){.ns = 0};
    if (sign && name_parse(text, (size_t)(sign - text), limit->name) && time_parse(sign + 1, &limit->ns))
        return true;
    return error_set(err,
                     "A trigger is FUNCTION>TIME, such as 'control_cycle>500us' (ns, us, ms or s, up to an "
                     "hour), not '%.100s'.",
                     text);
}

void limit_write(const struct limit *limit, char *out, size_t size)
{
    size_t i = 0;
    while (i < UNITS_WRITTEN - 1 && (limit->ns == 0 || limit->ns % units[i].ns))
        i++;
    snprintf(out, size, "%s>%" PRIu64 "%s", limit->name, limit->ns / units[i].ns, units[i].name);
}
