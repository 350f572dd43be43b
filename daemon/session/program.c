/* program.c - a dialect's look-ups in the target's program. */
#include "session/program.h"

#include <stdlib.h>

bool program_init(struct program *program, const struct symbols *symbols, struct error *err)
{
    *program = (struct program){.symbols = symbols};
    const struct symtab *symtab = symbols->current;
    size_t n = symtab ? symtab_code_ranges(symtab, NULL, 0) : 0;
    if (n == 0)
        return true;
    struct symtab_range *ranges = calloc(n, sizeof *ranges);
    program->code = calloc(n, sizeof *program->code);
    if (!ranges || !program->code) {
        free(ranges);
        program_fini(program);
        return error_set(err, "Out of memory while preparing %s.", symbols->name);
    }
    symtab_code_ranges(symtab, ranges, n);
    for (size_t i = 0; i < n; i++)
        program->code[i] = (struct dialect_range){ranges[i].start, ranges[i].end};
    program->code_n = n;
    free(ranges);
    return true;
}

void program_fini(struct program *program)
{
    free(program->code);
    *program = (struct program){0};
}

static bool is_printable(unsigned char c)
{
    return (c >= 0x20 && c != 0x7f) || c == '\t' || c == '\n' || c == '\r';
}

/* The text may be cut by `out`, but must not be by the end of the program's data. */
static bool read_text(void *user, uint64_t address, char *out, size_t n)
{
    const struct program *program = user;
    size_t got = symtab_read(program->symbols->current, address, out, n), length = 0;
    while (length < got && is_printable((unsigned char)out[length]))
        length++;
    bool whole = length < got && out[length] == '\0', cut = length == n;
    if (n > 0)
        out[cut ? n - 1 : length] = '\0';
    return length > 0 && (whole || cut);
}

static bool find_function(void *user, const char *name, struct dialect_range *range)
{
    const struct program *program = user;
    uint32_t found = symtab_find_name(program->symbols->current, name);
    if (found == SYMTAB_NONE)
        return false;
    const struct symbol *symbol = symtab_at(program->symbols->current, found);
    *range = (struct dialect_range){symbol->address, symbol->address + symbol->size};
    return true;
}

void program_show(struct program *program, struct dialect_settings *settings)
{
    const struct symtab *symtab = program->symbols->current;
    if (!symtab)
        return;
    settings->code = program->code;
    settings->code_n = program->code_n;
    settings->word_bytes = symtab_cpu(symtab)->word_size;
    settings->read_text = read_text;
    settings->read_text_user = program;
    settings->find_function = find_function;
    settings->find_function_user = program;
}
