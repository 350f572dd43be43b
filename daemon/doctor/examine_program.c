/* examine_program.c - checks the firmware's ELF: symbols and lines. */
#include "doctor/examine.h"

#include "symbol/symtab.h"

#include <stdlib.h>
#include <string.h>

/* Counts the functions of each file that have a line. */
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
    else if (file->is_stripped)
        examine_say(
            examination, VERDICT_FAIL,
            "%s was stripped: only the %u functions that it exports have names; name the ELF as the linker "
            "wrote it, before strip.",
            path, file->own);
    else
        examine_say(examination, VERDICT_OK, "%s has the symbols of %u functions.", path, file->own);
    if (n > 0 && lines == 0)
        examine_say(examination, VERDICT_WARN,
                    "%s has no line information, so there will be no source lines; compile with -g.", path);
    else if (n > 0)
        examine_say(examination, VERDICT_OK, "%s has the source lines of %u of its %u functions.", path,
                    lines, n);
    if (*file->lost)
        examine_say(examination, VERDICT_WARN,
                    "%s was not read as a whole: %s; it may be damaged, link it again.", path, file->lost);
}

void examine_program(struct examination *examination, const struct symtab *symtab, bool needs_hooks)
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
        examine_hooks(examination, symtab, needs_hooks);
}
