/* examine_program.c - the firmware's ELF: symbols, lines, and whether its code is instrumented. */
#include "doctor/examine.h"

#include "symbol/symtab.h"

#include <stdlib.h>
#include <string.h>

enum { RANGES_MOST = 256 };

/* Who is called at the begin of each function that was compiled with it; -pg: mcount, by its many names. */
static const struct {
    const char *name, *option;
} hooks[] = {
    {"__cyg_profile_func_enter", "-finstrument-functions"},
    {"__gnu_mcount_nc", "-pg"},
    {"_mcount", "-pg"},
    {"mcount", "-pg"},
    {"__fentry__", "-pg -mfentry"},
};
enum { HOOKS = sizeof hooks / sizeof *hooks };

/* How many functions of each file have a line. */
static void count_lines(const struct symtab *symtab, uint32_t lines[static ELF_LIST_MOST])
{
    for (uint32_t i = 0; i < symtab_count(symtab); i++) {
        const char *file;
        uint32_t line;
        lines[symtab_file_of(symtab, i)] += symtab_line(symtab, symtab_at(symtab, i)->address, &file, &line);
    }
}

static void examine_symbols(struct examination *examination, const struct symtab_file *file, uint32_t lines)
{
    const char *path = file->place->path;
    uint32_t n = file->functions;
    if (file->own == 0 && !file->has_sections)
        examine_say(
            examination, VERDICT_FAIL,
            "%s has no sections, and with them its symbols were taken out, so there would be no names; "
            "name the ELF as the linker wrote it.",
            path);
    else if (file->own == 0)
        examine_say(
            examination, VERDICT_FAIL,
            "%s has no symbols, so there would be no names; name the ELF as the linker wrote it, before "
            "strip and objcopy.",
            path);
    else
        examine_say(examination, VERDICT_OK, "%s has the symbols of %u functions.", path, file->own);
    if (n > 0 && lines == 0)
        examine_say(examination, VERDICT_WARN,
                    "%s has no line information, so there will be no source lines; compile with -g.", path);
    else if (n > 0)
        examine_say(examination, VERDICT_OK, "%s tells the source lines of %u of its %u functions.", path,
                    lines, n);
    if (*file->lost)
        examine_say(examination, VERDICT_WARN,
                    "%s was not read as a whole: %s; it may be damaged, link it again.", path, file->lost);
}

/* Counts the calls to `address`. Only Thumb's are known, see symtab_call_before(). */
static uint64_t calls_to(const struct symtab *symtab, uint64_t address)
{
    struct symtab_range ranges[RANGES_MOST];
    size_t n = symtab_code_ranges(symtab, ranges, RANGES_MOST);
    uint64_t calls = 0, destination;
    for (size_t i = 0; i < n && i < RANGES_MOST; i++)
        for (uint64_t at = ranges[i].start + 4; at <= ranges[i].end && at > ranges[i].start; at += 2)
            calls += symtab_call_before(symtab, at, &destination) && destination == address;
    return calls;
}

static void examine_hook(struct examination *examination, const struct symtab *symtab, int hook,
                         uint32_t symbol)
{
    const char *path = symtab_file(symtab, symtab_file_of(symtab, symbol)).place->path;
    uint64_t calls = symtab_cpu(symtab)->is_arm ? calls_to(symtab, symtab_at(symtab, symbol)->address) : 0;
    if (calls > 0)
        examine_say(examination, VERDICT_OK, "The code of %s calls %s from %llu places.", path,
                    hooks[hook].name, (unsigned long long)calls);
    else if (symtab_cpu(symtab)->is_arm)
        examine_say(
            examination, VERDICT_WARN,
            "%s has %s, but no function was seen to call it; compile the code that you want to see with "
            "%s.",
            path, hooks[hook].name, hooks[hook].option);
    else
        examine_say(examination, VERDICT_OK, "%s has %s, which code compiled with %s calls.", path,
                    hooks[hook].name, hooks[hook].option);
}

static void examine_instrumentation(struct examination *examination, const struct symtab *symtab)
{
    const char *path = symtab_file(symtab, 0).place->path;
    size_t others = symtab_file_count(symtab) - 1;

    for (int i = 0; i < HOOKS; i++) {
        uint32_t symbol = symtab_find_name(symtab, hooks[i].name);
        if (symbol == SYMTAB_NONE)
            continue;
        examine_hook(examination, symtab, i, symbol);
        return;
    }
    examine_say(
        examination, VERDICT_WARN,
        "%s has neither __cyg_profile_func_enter nor mcount, so nothing in it tells calls by itself%s; add "
        "the agent and compile with -finstrument-functions (firmware-ref/README.md), unless your dialect "
        "is of another kind.",
        path, others > 0 ? ", nor has another file that was given" : "");
}

void examine_program(struct examination *examination, const struct symtab *symtab)
{
    uint32_t lines[ELF_LIST_MOST] = {0};
    count_lines(symtab, lines);
    for (size_t i = 0; i < symtab_file_count(symtab); i++) {
        const struct symtab_file file = symtab_file(symtab, i);
        examine_symbols(examination, &file, lines[i]);
    }
    if (*symtab_overlap(symtab))
        examine_say(examination, VERDICT_WARN, "%s", symtab_overlap(symtab));
    if (symtab_count(symtab) > 0)
        examine_instrumentation(examination, symtab);
}
