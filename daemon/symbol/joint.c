/* joint.c - joins the symbol tables of several files, such as a boot loader and an application.
 *
 * Each file is loaded separately and keeps its bytes, lines and strings. Only the look-up that every record on
 * the wire needs, from address to function, is built for all of them. */
#include "symbol/joint.h"

#include <stdlib.h>
#include <string.h>

/* A function of one of the files, while the joint table is made. */
struct member {
    uint64_t start;
    uint32_t index; /* in its file */
    uint8_t file;
};

void joint_free(struct joint *joint)
{
    if (!joint)
        return;
    for (size_t i = 0; i < joint->n; i++) {
        symtab_unref(joint->files[i]);
        free(joint->indices[i]);
    }
    free(joint->file_of);
    free(joint);
}

/* ---- answers ---- */

/* Finds the function with that name in the first file that has one, after skipping `skipped` such files. */
static uint32_t find_name_after(const struct joint *joint, const char *name, unsigned skipped)
{
    for (size_t i = 0; i < joint->n; i++) {
        uint32_t found = symtab_find_name(joint->files[i], name);
        if (found != SYMTAB_NONE && joint->indices[i][found] != SYMTAB_NONE && skipped-- == 0)
            return joint->indices[i][found];
    }
    return SYMTAB_NONE;
}

uint32_t joint_find_name(const struct joint *joint, const char *name)
{
    return find_name_after(joint, name, 0);
}

uint32_t joint_find_namesake(const struct joint *joint, const char *name)
{
    return find_name_after(joint, name, 1);
}

const struct symtab *joint_file_at(const struct joint *joint, const struct extents *extents, uint64_t address)
{
    uint64_t at = symtab_code_address(joint->files[0], address);
    uint32_t owner = extents_find(extents, at);
    if (owner != EXTENT_NONE)
        return joint->files[joint->file_of[owner]];
    for (size_t i = 0; i < joint->n; i++)
        if (image_is_code(&joint->files[i]->image, at))
            return joint->files[i];
    return joint->files[0];
}

enum symtab_match joint_matches_id(const struct joint *joint, uint32_t id)
{
    enum symtab_match best = SYMTAB_MATCH_UNKNOWN;
    for (size_t i = 0; i < joint->n; i++) {
        enum symtab_match match = symtab_matches_id(joint->files[i], id);
        if (match > best)
            best = match;
    }
    return best;
}

size_t joint_read(const struct joint *joint, const struct symtab *first, uint64_t address, void *out,
                  size_t n)
{
    size_t got = image_read(&first->image, address, out, n);
    for (size_t i = 0; got == 0 && i < joint->n; i++)
        got = image_read(&joint->files[i]->image, address, out, n);
    return got;
}

/* ---- making it ---- */

/* Finds the function of `address` in the files before `file`; *owner becomes that function's file. */
static uint32_t find_before(const struct joint *joint, size_t file, uint64_t address, size_t *owner)
{
    for (*owner = 0; *owner < file; ++*owner) {
        uint32_t found = extents_find(&joint->files[*owner]->extents, address);
        if (found != EXTENT_NONE)
            return found;
    }
    return EXTENT_NONE;
}

/* Notes that a function is left out because an earlier file has another one at its address. */
static void note_overlap(struct joint *joint, size_t file, uint32_t index, size_t owner, uint32_t found)
{
    const struct symtab *mine = joint->files[file], *other = joint->files[owner];
    const struct symbol *left_out = &mine->symbols[index], *kept = &other->symbols[found];
    bool is_same = left_out->address == kept->address && !strcmp(left_out->raw_name, kept->raw_name);
    if (is_same || *joint->overlap.text)
        return;
    char here[ELF_LIST_NAME_SIZE], there[ELF_LIST_NAME_SIZE];
    elf_place_name(&mine->place, here, sizeof here);
    elf_place_name(&other->place, there, sizeof there);
    error_set(&joint->overlap,
              "%.100s has functions where %.100s has others, such as %.60s at 0x%08llx, which is in %.60s "
              "there: the file that is given first names them. If one runs elsewhere, give its offset.",
              here, there, left_out->name, (unsigned long long)left_out->address, kept->name);
}

/* Fills `members` with the functions of the joint table. Returns their number. */
static uint32_t choose_members(struct joint *joint, struct member *members)
{
    uint32_t n = 0;
    for (size_t file = 0; file < joint->n; file++) {
        const struct extents *extents = &joint->files[file]->extents;
        for (uint32_t i = 0; i < extents->count; i++) {
            size_t owner;
            uint32_t found = find_before(joint, file, extents->all[i].start, &owner);
            joint->indices[file][i] = SYMTAB_NONE;
            if (found != EXTENT_NONE)
                note_overlap(joint, file, i, owner, found);
            else
                members[n++] = (struct member){extents->all[i].start, i, (uint8_t)file};
        }
    }
    return n;
}

static int by_member(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    return (a->start > b->start) - (a->start < b->start);
}

static int by_address(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Adds pieces. The owner can only change where it changes in one of the files. */
static void add_pieces(struct symtab *symtab, uint64_t *starts, size_t n)
{
    const struct joint *joint = symtab->joint;
    struct extents *extents = &symtab->extents;
    uint32_t last = EXTENT_NONE;
    qsort(starts, n, sizeof *starts, by_address);
    for (size_t i = 0; i < n; i++) {
        size_t file;
        uint32_t found = find_before(joint, joint->n, starts[i], &file);
        uint32_t owner = found == EXTENT_NONE ? EXTENT_NONE : joint->indices[file][found];
        if (owner != last)
            extents->pieces[extents->piece_count++] = (struct extent_piece){starts[i], owner};
        last = owner;
    }
}

static void add_functions(struct symtab *symtab, const struct member *members, uint32_t n)
{
    struct joint *joint = symtab->joint;
    for (uint32_t i = 0; i < n; i++) {
        const struct symtab *file = joint->files[members[i].file];
        const struct extent *extent = &file->extents.all[members[i].index];
        symtab->extents.all[i] = (struct extent){extent->start, extent->end, 0};
        symtab->symbols[i] = file->symbols[members[i].index];
        joint->file_of[i] = members[i].file;
        joint->indices[members[i].file][members[i].index] = i;
        joint->functions[members[i].file]++;
    }
    symtab->extents.count = n;
}

/* Copies all starts of pieces to `starts`. Returns their number. */
static size_t collect_starts(const struct joint *joint, uint64_t *starts)
{
    size_t n = 0;
    for (size_t file = 0; file < joint->n; file++)
        for (uint32_t i = 0; i < joint->files[file]->extents.piece_count; i++)
            starts[n++] = joint->files[file]->extents.pieces[i].start;
    return n;
}

static bool join_symbol_files(struct symtab *symtab)
{
    struct joint *joint = symtab->joint;
    size_t functions = 0, pieces = 0;
    bool good = true;
    for (size_t i = 0; i < joint->n; i++) {
        const struct symtab *file = joint->files[i];
        functions += file->extents.count;
        pieces += file->extents.piece_count;
        joint->indices[i] = calloc((size_t)file->extents.count + 1, sizeof *joint->indices[i]);
        good &= joint->indices[i] && image_add_code(&symtab->image, file->image.code, file->image.code_count);
    }
    struct member *members = calloc(functions + 1, sizeof *members);
    uint64_t *starts = calloc(pieces + 1, sizeof *starts);
    symtab->extents.all = calloc(functions + 1, sizeof *symtab->extents.all);
    symtab->extents.pieces = calloc(pieces + 1, sizeof *symtab->extents.pieces);
    symtab->symbols = calloc(functions + 1, sizeof *symtab->symbols);
    joint->file_of = calloc(functions + 1, sizeof *joint->file_of);
    good &= functions < SYMTAB_NONE && members && starts && symtab->extents.all && symtab->extents.pieces &&
            symtab->symbols && joint->file_of;
    if (good) {
        uint32_t n = choose_members(joint, members);
        qsort(members, n, sizeof *members, by_member);
        add_functions(symtab, members, n);
        add_pieces(symtab, starts, collect_starts(joint, starts));
    }
    free(members);
    free(starts);
    return good;
}

static bool same_cpu(const struct symtab *a, const struct symtab *b)
{
    return a->cpu.machine == b->cpu.machine && a->cpu.word_size == b->cpu.word_size &&
           a->cpu.big_endian == b->cpu.big_endian && a->code_is_big_endian == b->code_is_big_endian;
}

static bool load_files(struct joint *joint, const struct elf_list *list, struct error *err)
{
    for (size_t i = 0; i < list->n; i++) {
        struct symtab *file = symtab_load_place(&list->all[i], err);
        if (!file)
            return false;
        joint->files[joint->n++] = file;
        if (!same_cpu(file, joint->files[0]))
            return error_set(err,
                             "%.200s is for another processor than %.200s, and a target has one; give the "
                             "files that run on the same core",
                             list->all[i].path, list->all[0].path);
    }
    return true;
}

static void take_common(struct symtab *symtab)
{
    const struct joint *joint = symtab->joint;
    symtab->cpu = joint->files[0]->cpu;
    symtab->code_is_big_endian = joint->files[0]->code_is_big_endian;
    for (size_t i = 0; i < joint->n && !*symtab->lost.text; i++)
        if (*joint->files[i]->lost.text)
            symtab->lost = joint->files[i]->lost;
}

struct symtab *symtab_load_list(const struct elf_list *list, struct error *err)
{
    if (list->n == 1)
        return symtab_load_place(&list->all[0], err);
    struct symtab *symtab = calloc(1, sizeof *symtab);
    struct joint *joint = calloc(1, sizeof *joint);
    if (!symtab || !joint) {
        error_set(err, "out of memory while loading %.200s", list->all[0].path);
        free(joint);
        free(symtab);
        return NULL;
    }
    atomic_init(&symtab->references, 1);
    symtab->joint = joint;
    bool good = load_files(joint, list, err);
    if (good && !join_symbol_files(symtab)) {
        good = error_set(err, "out of memory while joining the symbols of %.200s and %zu other files",
                         list->all[0].path, list->n - 1);
    }
    if (!good) {
        symtab_unref(symtab);
        return NULL;
    }
    take_common(symtab);
    return symtab;
}
