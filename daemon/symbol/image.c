/* image.c - a program's initial memory image, and the code ranges in it. */
#include "symbol/image.h"

#include "base/scarcity.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>

static int by_start(const void *left, const void *right)
{
    const struct image_range *a = left, *b = right;
    return (a->start > b->start) - (a->start < b->start);
}

/* Joins sections that touch or, in odd files, overlap, so that one binary search suffices. */
static void join_code_ranges(struct image *image)
{
    size_t joined = 0;
    for (size_t i = 0; i < image->code_count; i++) {
        struct image_range *last = joined ? &image->code[joined - 1] : NULL;
        if (!last || image->code[i].start > last->end)
            image->code[joined++] = image->code[i];
        else if (image->code[i].end > last->end)
            last->end = image->code[i].end;
    }
    image->code_count = joined;
}

/* True for a section of texts that only the host reads. They have addresses but are not in the target's
 * memory. */
static bool is_for_the_host(const struct elf_section *section)
{
    return !section->is_loaded && section->bytes && section->address > 0 &&
           section->size <= UINT64_MAX - section->address && strcmp(section->name, ".mpt_syst") == 0;
}

bool image_init(struct image *image, const struct outline *outline, size_t budget)
{
    *image = (struct image){0};
    size_t count = outline->section_count;
    image->loaded = calloc(count + 1, sizeof *image->loaded);
    image->code = calloc(count + 1, sizeof *image->code);
    if (!image->loaded || !image->code)
        goto fail;
    for (size_t i = 0; i < count; i++) {
        const struct elf_section *section = &outline->sections[i];
        if ((!section->is_loaded && !is_for_the_host(section)) || section->size == 0)
            continue;
        struct image_range range = {section->address, section->address + section->size, NULL};
        if (section->is_code)
            image->code[image->code_count++] = range;
        if (section->bytes && section->size <= budget) {
            budget -= section->size;
            range.bytes = malloc(section->size);
            if (!range.bytes)
                goto fail;
            memcpy(range.bytes, section->bytes, section->size);
        }
        image->loaded[image->loaded_count++] = range;
    }
    qsort(image->loaded, image->loaded_count, sizeof *image->loaded, by_start);
    qsort(image->code, image->code_count, sizeof *image->code, by_start);
    join_code_ranges(image);
    return true;

fail:
    image_fini(image);
    return false;
}

void image_fini(struct image *image)
{
    for (size_t i = 0; i < image->loaded_count; i++)
        free(image->loaded[i].bytes);
    free(image->loaded);
    free(image->code);
    *image = (struct image){0};
}

bool image_add_code(struct image *image, const struct image_range *more, size_t n)
{
    struct image_range *code =
        scarcity_watch(reallocarray(image->code, image->code_count + n + 1, sizeof *code));
    if (!code)
        return false;
    image->code = code;
    for (size_t i = 0; i < n; i++)
        code[image->code_count++] = (struct image_range){more[i].start, more[i].end, NULL};
    qsort(code, image->code_count, sizeof *code, by_start);
    join_code_ranges(image);
    return true;
}

bool image_is_code(const struct image *image, uint64_t address)
{
    const struct image_range *code = image->code;
    size_t n =
        search_at_most(code, image->code_count, sizeof *code, offsetof(struct image_range, start), address);
    return n > 0 && address < code[n - 1].end;
}

size_t image_read(const struct image *image, uint64_t address, void *out, size_t n)
{
    /* Not a binary search: programs have a dozen loaded sections, which in odd files overlap. */
    for (size_t i = 0; i < image->loaded_count && image->loaded[i].start <= address; i++) {
        const struct image_range *range = &image->loaded[i];
        if (address >= range->end || !range->bytes)
            continue;
        size_t room = range->end - address;
        if (n > room)
            n = room;
        memcpy(out, range->bytes + (address - range->start), n);
        return n;
    }
    return 0;
}
