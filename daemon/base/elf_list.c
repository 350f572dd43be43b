/* elf_list.c - the list of ELF files with the symbols of a profile. */
#include "base/elf_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns the '@' before an offset. NULL when the whole text is a path, as for an existing file of that name. */
static const char *offset_mark(const char *text)
{
    const char *mark = strrchr(text, '@');
    if (!mark || access(text, F_OK) == 0)
        return NULL;
    const char *digits = mark + 1 + (mark[1] == '-');
    bool is_hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    digits += is_hex ? 2 : 0;
    size_t n = strspn(digits, is_hex ? "0123456789abcdefABCDEF" : "0123456789");
    return n > 0 && digits[n] == '\0' ? mark : NULL;
}

static bool take_offset(struct elf_place *place, const char *text, struct error *err)
{
    bool is_hex = strpbrk(text, "xX") != NULL;
    place->is_negative = *text == '-';
    errno = 0;
    uint64_t number = strtoull(text + place->is_negative, NULL, is_hex ? 16 : 10);
    if (errno)
        return error_set(err, "--elf takes an offset of 64 bits at most, not '%.80s'.", text);
    place->is_moved = true;
    place->offset = place->is_negative ? 0 - number : number;
    return true;
}

static bool is_listed(const struct elf_list *list, const struct elf_place *place)
{
    for (size_t i = 0; i < list->n; i++)
        if (!strcmp(list->all[i].path, place->path) && list->all[i].offset == place->offset)
            return true;
    return false;
}

bool elf_list_add(struct elf_list *list, const char *text, struct error *err)
{
    if (list->n == ELF_LIST_MOST)
        return error_set(err, "--elf was given more than %d times; give the files whose code you measure.",
                         ELF_LIST_MOST);
    struct elf_place *place = &list->all[list->n];
    const char *mark = offset_mark(text);
    size_t n = mark ? (size_t)(mark - text) : strlen(text);
    *place = (struct elf_place){.is_moved = false};
    if (n == 0 || n >= ELF_PATH_SIZE)
        return error_set(err, "--elf takes FILE or FILE@OFFSET, with a path of 1 to %d bytes.",
                         ELF_PATH_SIZE - 1);
    memcpy(place->path, text, n);
    if (mark && !take_offset(place, mark + 1, err))
        return false;
    if (is_listed(list, place))
        return error_set(err, "--elf %.300s was given twice; give each file once, or with another offset.",
                         text);
    list->n++;
    return true;
}

void elf_place_offset(const struct elf_place *place, char text[static 32])
{
    uint64_t number = place->is_negative ? 0 - place->offset : place->offset;
    snprintf(text, 32, "%s0x%llx", place->is_negative ? "-" : "", (unsigned long long)number);
}

void elf_place_name(const struct elf_place *place, char *name, size_t size)
{
    char offset[32] = "";
    if (place->is_moved)
        elf_place_offset(place, offset);
    snprintf(name, size, "%s%s%s", place->path, *offset ? "@" : "", offset);
}

void elf_list_name(const struct elf_list *list, char name[static ELF_LIST_NAME_SIZE])
{
    size_t n = 0;
    *name = '\0';
    for (size_t i = 0; i < list->n && n < ELF_LIST_NAME_SIZE - 1; i++) {
        const char *before = i == 0 ? "" : i + 1 < list->n ? ", " : " and ";
        n += (size_t)snprintf(name + n, ELF_LIST_NAME_SIZE - n, "%s", before);
        if (n < ELF_LIST_NAME_SIZE - 1)
            elf_place_name(&list->all[i], name + n, ELF_LIST_NAME_SIZE - n);
        n += strlen(name + n);
    }
}
