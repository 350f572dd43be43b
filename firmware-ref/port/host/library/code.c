/* code.c - finds the program's code, by its loader. */
#include "code.h"

#include <link.h>
#include <string.h>

/* The agent uses two of the 32 bits of a function's address on the wire. */
static const uint64_t reach = 1u << 30;

/* Takes the first entry, which is the program itself. */
static int take_program(struct dl_phdr_info *info, size_t size, void *out)
{
    struct mpt_host_code *code = out;
    uintptr_t end = 0;

    code->base = info->dlpi_addr;
    code->first = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + segment->p_vaddr;

        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
            continue;
        if (from < code->first)
            code->first = from;
        if (from + segment->p_memsz > end)
            end = from + segment->p_memsz;
    }
    code->bytes = end ? end - code->first : 0;
    return 1;
}

bool mpt_host_find_code(struct mpt_host_code *code)
{
    memset(code, 0, sizeof *code);
    dl_iterate_phdr(take_program, code);
    return code->bytes && code->first + code->bytes - code->base <= reach;
}
