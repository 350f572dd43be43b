/* list_elf.c - prints the listing of each function of an ELF, for listing.py to compare with that of other
 * programs: function, address, size, whether it is data, destination, line, file, text; tabs
 * between. */
#include "symbol/listing.h"

#include <stdio.h>

static void print_row(void *user, const struct listing_row *row)
{
    const struct symtab *symtab = user;
    printf("%llx\t%s\t%d\t", (unsigned long long)row->address, row->bytes, row->code->is_data);
    if (row->code->has_destination)
        printf("%llx", (unsigned long long)row->code->destination);
    printf("\t%s\t%u\t%s\t%s\t",
           row->destination == SYMTAB_NONE ? "" : symtab_at(symtab, row->destination)->raw_name, row->line,
           row->file ? row->file : "", row->code->text);
    if (row->has_literal)
        printf("%x", row->literal);
    putchar('\n');
}

int main(int argc, char **argv)
{
    struct error err;
    struct symtab *symtab = argc == 2 ? symtab_load(argv[1], &err) : NULL;
    if (!symtab) {
        fprintf(stderr, "usage: %s ELF\n%s\n", argv[0], argc == 2 ? err.text : "");
        return 1;
    }
    for (uint32_t i = 0; i < symtab_count(symtab); i++) {
        printf("=\t%s\t%llx\t%llx\n", symtab_at(symtab, i)->raw_name,
               (unsigned long long)symtab_at(symtab, i)->address,
               (unsigned long long)symtab_at(symtab, i)->size);
        listing_each(symtab, i, SIZE_MAX, print_row, symtab);
    }
    symtab_unref(symtab);
    return 0;
}
