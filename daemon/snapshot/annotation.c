/* annotation.c - the source lines and instructions of one function of a snapshot. */
#include "snapshot/annotation.h"

#include "base/map.h"
#include "snapshot/names.h"
#include "snapshot/snapshot_private.h"
#include "symbol/listing.h"
#include "symbol/path.h"

#include <stdlib.h>
#include <string.h>

struct annotation_parts {
    struct annotation annotation;
    const struct symtab *symtab;
    struct names *texts;
    struct map ids; /* start address of a function of the snapshot -> its id */
    struct annotation_file files[ANNOTATION_FILES_MOST];
    const char *directories[ANNOTATION_FILES_MOST];
    struct annotation_line *lines;
    struct annotation_instruction *instructions;
    uint32_t room;
    bool out_of_memory;
};

/* Returns the index of the file in `files`, or ANNOTATION_NONE when there are too many. */
static uint32_t file_index(struct annotation_parts *parts, const char *file, const char *directory)
{
    struct annotation *annotation = &parts->annotation;
    if (!file)
        return ANNOTATION_NONE;
    for (uint32_t i = 0; i < annotation->file_count; i++)
        if (parts->files[i].file == file && parts->directories[i] == directory)
            return i;
    if (annotation->file_count == ANNOTATION_FILES_MOST)
        return ANNOTATION_NONE;
    char path[PATH_SIZE];
    size_t n = path_join(path, "", directory ? directory : "", file);
    uint32_t index = annotation->file_count++;
    parts->directories[index] = directory;
    parts->files[index] =
        (struct annotation_file){file, n > 0 ? names_add(parts->texts, path) : file, directory};
    return index;
}

static bool reserve_instruction(struct annotation_parts *parts)
{
    if (parts->annotation.instruction_count < parts->room)
        return true;
    uint32_t room = parts->room ? parts->room * 2 : 256;
    void *rows = reallocarray(parts->instructions, room, sizeof *parts->instructions);
    if (!rows) {
        parts->out_of_memory = true;
        return false;
    }
    parts->instructions = rows;
    parts->room = room;
    return true;
}

static void take_row(void *context, const struct listing_row *row)
{
    struct annotation_parts *parts = context;
    if (!reserve_instruction(parts))
        return;
    struct annotation_instruction *to = &parts->instructions[parts->annotation.instruction_count++];
    *to = (struct annotation_instruction){
        .address = row->address,
        .size = row->code->size,
        .bytes = names_add(parts->texts, row->bytes),
        .text = names_add(parts->texts, row->code->text),
        .is_data = row->code->is_data,
        .has_literal = row->has_literal,
        .literal = row->literal,
        .file = file_index(parts, row->file, row->directory),
        .line = row->line,
        .has_destination =
            (row->code->has_destination && !row->code->is_data) || row->destination != SYMTAB_NONE,
        .destination = row->code->destination,
        .destination_function = ANNOTATION_NONE,
    };
    if (to->file == ANNOTATION_NONE)
        to->line = 0;
    if (row->destination != SYMTAB_NONE) {
        const struct symbol *destination = symtab_at(parts->symtab, row->destination);
        uint32_t id = map_find(&parts->ids, destination->address);
        if (!row->code->has_destination)
            to->destination = destination->address;
        to->destination_name = destination->name;
        to->destination_function = id == MAP_NONE ? ANNOTATION_NONE : id;
    }
}

static void index_functions(struct annotation_parts *parts, const struct snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        if (snapshot->functions[i].has_address && !map_set(&parts->ids, snapshot->functions[i].address, i))
            parts->out_of_memory = true;
}

/* ---- samples ---- */

/* Returns the index of the first instruction that ends after `address`. */
static uint32_t instruction_at(const struct annotation_parts *parts, uint64_t address)
{
    uint32_t low = 0, n = parts->annotation.instruction_count;
    while (n > 0) {
        uint32_t half = n / 2;
        const struct annotation_instruction *row = &parts->instructions[low + half];
        if (row->address + row->size <= address) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

static uint64_t part_of(uint64_t samples, uint64_t part, uint64_t whole)
{
    return (uint64_t)((unsigned __int128)samples * ANNOTATION_SAMPLE * part / whole);
}

/* Distributes the samples of `pc` among the instructions that its bytes overlap. */
static void share_out(struct annotation_parts *parts, const struct snapshot_pc *pc, uint64_t address)
{
    struct annotation *annotation = &parts->annotation;
    uint64_t end = pc->bytes > UINT64_MAX - address ? UINT64_MAX : address + pc->bytes;
    for (uint32_t i = instruction_at(parts, address); i < annotation->instruction_count; i++) {
        struct annotation_instruction *row = &parts->instructions[i];
        if (row->address >= end)
            return;
        uint64_t from = row->address > address ? row->address : address;
        uint64_t to = row->address + row->size < end ? row->address + row->size : end;
        row->samples +=
            part_of(pc->count, to - address, pc->bytes) - part_of(pc->count, from - address, pc->bytes);
        if (annotation->bin_bytes < pc->bytes)
            annotation->bin_bytes = pc->bytes;
    }
}

static void add_samples(struct annotation_parts *parts, const struct snapshot *snapshot)
{
    uint64_t thumb_bit = symtab_cpu(parts->symtab)->is_arm ? 1 : 0;
    parts->annotation.bin_bytes = 1;
    parts->annotation.has_samples = snapshot->sample_total > 0;
    for (uint32_t i = 0; i < snapshot->pc_count; i++)
        share_out(parts, &snapshot->pcs[i], snapshot->pcs[i].address & ~thumb_bit);
}

/* ---- lines ---- */

static int by_file_and_line(const void *left, const void *right)
{
    const struct annotation_line *a = left, *b = right;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

static bool collect_lines(struct annotation_parts *parts)
{
    struct annotation *annotation = &parts->annotation;
    uint32_t n = 0, kept = 0;
    parts->lines = calloc((size_t)annotation->instruction_count + 1, sizeof *parts->lines);
    if (!parts->lines)
        return false;
    for (uint32_t i = 0; i < annotation->instruction_count; i++) {
        const struct annotation_instruction *row = &parts->instructions[i];
        if (row->line > 0)
            parts->lines[n++] = (struct annotation_line){row->file, row->line, 1, row->samples};
    }
    if (n > 0)
        qsort(parts->lines, n, sizeof *parts->lines, by_file_and_line);
    for (uint32_t i = 0; i < n; i++) {
        if (kept > 0 && by_file_and_line(&parts->lines[kept - 1], &parts->lines[i]) == 0) {
            parts->lines[kept - 1].instructions++;
            parts->lines[kept - 1].samples += parts->lines[i].samples;
        } else {
            parts->lines[kept++] = parts->lines[i];
        }
    }
    annotation->line_count = kept;
    return true;
}

uint32_t annotation_line_at(const struct annotation *annotation, uint32_t file, uint32_t line)
{
    const struct annotation_line wanted = {.file = file, .line = line};
    uint32_t low = 0, n = annotation->line_count;
    while (n > 0) {
        uint32_t half = n / 2;
        if (by_file_and_line(&annotation->lines[low + half], &wanted) < 0) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

/* Returns the line where the next function of the same file is declared; UINT32_MAX when there is none. This
 * function ends before that line. Lambdas do not count, since they lie inside the function that creates them. */
static uint32_t next_declaration(const struct symtab *symtab, const struct symbol *symbol)
{
    uint32_t next = UINT32_MAX;
    for (uint32_t i = 0; i < symtab_count(symtab); i++) {
        const struct symbol *other = symtab_at(symtab, i);
        if (other->file == symbol->file && other->line > symbol->line && other->line < next &&
            !strstr(other->name, "{lambda"))
            next = other->line;
    }
    return next;
}

/* DWARF gives the line where a function is declared, but not where its text ends. Takes the last line that
 * has instructions of this function and comes before the next function. */
static void find_own_lines(struct annotation_parts *parts, const struct symbol *symbol)
{
    struct annotation *annotation = &parts->annotation;
    annotation->own_file = file_index(parts, symbol->file, symbol->directory);
    if (annotation->own_file == ANNOTATION_NONE || symbol->line == 0)
        return;
    annotation->first_line = annotation->last_line = symbol->line;
    uint32_t next = next_declaration(parts->symtab, symbol);
    uint32_t at = annotation_line_at(annotation, annotation->own_file, symbol->line);
    for (; at < annotation->line_count && parts->lines[at].file == annotation->own_file &&
           parts->lines[at].line < next;
         at++)
        annotation->last_line = parts->lines[at].line;
    if (annotation->last_line - annotation->first_line >= ANNOTATION_LINES_MOST)
        annotation->last_line = annotation->first_line + ANNOTATION_LINES_MOST - 1;
}

/* ---- all together ---- */

static bool fill_annotation(struct annotation_parts *parts, const struct snapshot *snapshot, uint32_t index)
{
    struct annotation *annotation = &parts->annotation;
    const struct symbol *symbol = symtab_at(parts->symtab, index);
    index_functions(parts, snapshot);
    const struct listing_end end =
        listing_each(parts->symtab, index, ANNOTATION_INSTRUCTIONS_MOST, take_row, parts);
    annotation->left_out = symbol->address + symbol->size - end.address;
    const struct symtab_file file = symtab_file(parts->symtab, symtab_file_of(parts->symtab, index));
    annotation->elf_path = file.place->path;
    annotation->elf_modified_s = file.modified_s;
    add_samples(parts, snapshot);
    if (parts->out_of_memory || !collect_lines(parts))
        return false;
    annotation->lines = parts->lines;
    find_own_lines(parts, symbol);
    if (*end.lost.text)
        error_set(&annotation->no_instructions, "There is no disassembly: %s.", end.lost.text);
    else if (annotation->instruction_count == 0)
        error_set(&annotation->no_instructions,
                  "%s has no code for this function: it is put there at run time.", annotation->elf_path);
    else if (!end.has_words)
        error_set(&annotation->no_instructions,
                  "miniprofd knows no instructions of this ELF's machine (e_machine %u).",
                  symtab_cpu(parts->symtab)->machine);
    if (annotation->line_count == 0)
        error_set(
            &annotation->no_lines,
            "%s says nothing about the lines of this function: compile its file with -g, and do not strip.",
            annotation->elf_path);
    return true;
}

/* Returns the symbol of a function of the snapshot; SYMTAB_NONE, with the reason, when it has none. */
static uint32_t find_symbol(const struct annotation_parts *parts, const struct snapshot *snapshot,
                            const struct snapshot_function *function, struct error *reason)
{
    uint32_t index = SYMTAB_NONE;
    if (!function->has_address)
        error_set(reason,
                  function->kind != KIND_FUNCTION
                      ? "%.200s stands for what has no place of its own in the program."
                      : "%.200s is only known by its name: no function of the ELF is called that.",
                  function->name);
    else if (!parts->symtab)
        error_set(reason, snapshot->source.elf_state == ELF_UNREADABLE
                              ? "The ELF could not be read; the Link view says why."
                              : "No ELF was given: start miniprofd with --elf FILE.");
    else if ((index = symtab_find(parts->symtab, function->address)) == SYMTAB_NONE)
        error_set(reason,
                  snapshot->source.elf_count > 1
                      ? "None of %s has a function at 0x%08llx; is one of them the ELF that runs there?"
                      : "%s has no function at 0x%08llx; is it the ELF that runs on the board?",
                  *snapshot->source.elf_name ? snapshot->source.elf_name : "the ELF",
                  (unsigned long long)function->address);
    return index;
}

struct annotation *annotation_new(const struct snapshot *snapshot, uint32_t id)
{
    struct annotation_parts *parts = calloc(1, sizeof *parts);
    if (!parts)
        return NULL;
    struct annotation *annotation = &parts->annotation;
    annotation->parts = parts;
    annotation->function = &snapshot->functions[id];
    annotation->own_file = ANNOTATION_NONE;
    annotation->elf_path = snapshot->source.elf_path;
    parts->symtab = snapshot_symtab(snapshot);
    parts->texts = names_new();
    if (!parts->texts)
        goto fail;
    uint32_t index = find_symbol(parts, snapshot, annotation->function, &annotation->no_instructions);
    if (index == SYMTAB_NONE)
        annotation->no_lines = annotation->no_instructions;
    else if (!fill_annotation(parts, snapshot, index))
        goto fail;
    annotation->files = parts->files;
    annotation->instructions = parts->instructions;
    return annotation;

fail:
    annotation_free(annotation);
    return NULL;
}

void annotation_free(struct annotation *annotation)
{
    if (!annotation)
        return;
    struct annotation_parts *parts = annotation->parts;
    names_unref(parts->texts);
    map_fini(&parts->ids);
    free(parts->lines);
    free(parts->instructions);
    free(parts);
}
