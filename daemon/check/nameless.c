/* nameless.c - warns of functions that no ELF had a name for. */
#include "check/nameless.h"

#include "base/jsonio.h"
#include "base/log.h"

#include <string.h>

struct counted {
    unsigned told, nameless;
    double all, own; /* ticks */
};

static void count_nameless_row(struct counted *counted, const struct jsonio *row)
{
    const char *kind = jsonio_text(jsonio_member(row, "kind"));
    const struct jsonio *size = jsonio_member(row, "size");
    double ticks = 0;
    if (!kind || strcmp(kind, "function") != 0 || !jsonio_text(jsonio_member(row, "address")) || !size)
        return;
    (void)jsonio_double(jsonio_member(row, "self_ticks"), &ticks);
    counted->told++;
    counted->all += ticks;
    if (!jsonio_is_null(size))
        return;
    counted->nameless++;
    counted->own += ticks;
}

void nameless_tell(const struct measured *measured)
{
    const struct jsonio *elf = jsonio_member(jsonio_member(measured->json, "source"), "elf");
    const char *state = jsonio_text(jsonio_member(elf, "state"));
    struct counted counted = {.told = 0};
    if (!state || strcmp(state, "ok") != 0)
        return;
    const struct jsonio *list = jsonio_member(measured->json, "functions");
    for (const struct jsonio *row = jsonio_first(list); row; row = jsonio_next(row))
        count_nameless_row(&counted, row);
    if (counted.nameless > 0)
        log_write(
            LOG_WARNING,
            "Of %s %u of %u functions, with %.1f %% of own time, are at addresses of no ELF that was given: "
            "they are compared by address. Measure with --elf for each file that runs.",
            measured->path, counted.nameless, counted.told,
            counted.all > 0 ? 100 * counted.own / counted.all : 0);
}
