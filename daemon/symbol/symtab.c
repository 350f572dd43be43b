/* symtab.c - loads the functions of one ELF file, with names and source lines.
 *
 * Loading is a pipeline over one copy of the file: outline (what is there) -> extent (who owns which address)
 * -> lines and declarations (where the source is) -> demangle. Each step keeps only what outlives the file's
 * bytes. Foreign libraries do the first, the declarations and the last, in the annex: without the first there
 * is nothing, and what another did not answer is left out. */
#include "symbol/symtab_private.h"

#include "base/scarcity.h"
#include "symbol/demangle.h"
#include "symbol/joint.h"
#include "symbol/outline.h"
#include "symbol/parcel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    TEXT_FACTOR = 8, /* strings kept, in units of the file's size */
    SMALL_FILE = 1024 * 1024,
    MAX_FILE_SIZE = 256 * 1024 * 1024
};

struct candidates {
    struct codemap *codemap;
    struct extent_candidate *all;
    uint32_t count, room;
    bool out_of_memory;
};

static void add_candidate(void *user, const struct elf_symbol *symbol)
{
    struct candidates *candidates = user;
    codemap_add(candidates->codemap, symbol);
    if (symbol->kind == ELF_MAPPING)
        return;
    if (candidates->count == candidates->room) {
        uint32_t room = candidates->room ? candidates->room * 2 : 1024;
        struct extent_candidate *all = reallocarray(candidates->all, room, sizeof *all);
        if (!all) {
            candidates->out_of_memory = true;
            return;
        }
        candidates->all = all;
        candidates->room = room;
    }
    candidates->all[candidates->count++] = (struct extent_candidate){*symbol, EXTENT_NONE};
}

/* Indexes a name. Of several symbols the first, which has the lowest address, keeps it. */
static bool index_name(struct symtab *symtab, const char *name, uint32_t index)
{
    uint64_t hash = strpool_hash(name, strlen(name));
    return map_find(&symtab->by_name, hash) != MAP_NONE || map_set(&symtab->by_name, hash, index);
}

static bool name_symbols(struct symtab *symtab, const struct candidates *candidates)
{
    symtab->symbols = calloc((size_t)symtab->extents.count + 1, sizeof *symtab->symbols);
    if (!symtab->symbols)
        return false;
    for (uint32_t i = 0; i < symtab->extents.count; i++) {
        const struct extent *extent = &symtab->extents.all[i];
        const struct elf_symbol *named_by = &candidates->all[extent->candidate].symbol;
        const char *name = strpool_intern(&symtab->pool, named_by->name, named_by->name_length);
        if (!name)
            return false;
        symtab->symbols[i] = (struct symbol){
            .address = extent->start, .size = extent->end - extent->start, .name = name, .raw_name = name};
    }
    return true;
}

static bool index_names(struct symtab *symtab, const struct candidates *candidates)
{
    for (uint32_t i = 0; i < candidates->count; i++) {
        const struct extent_candidate *candidate = &candidates->all[i];
        if (candidate->owner == EXTENT_NONE)
            continue;
        const char *name =
            strpool_intern(&symtab->pool, candidate->symbol.name, candidate->symbol.name_length);
        if (name && !index_name(symtab, name, candidate->owner))
            return false;
    }
    return true;
}

/* Takes demangled names from the annex's answer. Without one, the raw name stays. */
static bool take_names(struct symtab *symtab, struct reader *reader)
{
    for (uint32_t i = 0; i < symtab->extents.count; i++) {
        if (!demangle_may(symtab->symbols[i].raw_name))
            continue;
        struct reader name = parcel_cut(reader);
        size_t n = reader_left(&name);
        if (name.failed || n >= DEMANGLE_MAX_OUTPUT || (n > 0 && memchr(name.at, '\0', n))) {
            error_set(&symtab->lost, "demangling came to nonsense");
            return true;
        }
        const char *display = n > 0 ? strpool_intern(&symtab->pool, (const char *)name.at, n) : NULL;
        if (!display)
            continue; /* not mangled, or the budget is used up */
        symtab->symbols[i].name = display;
        if (!index_name(symtab, display, i))
            return false;
    }
    return true;
}

static bool demangle_symbols(struct symtab *symtab)
{
    enum { LENGTH = 4 }; /* of a name, in an answer */
    struct sink_buffer asked;
    const uint64_t room = symtab->pool.budget - symtab->pool.used;
    sink_buffer_init(&asked);
    parcel_put(&asked.sink, room, 8);
    for (uint32_t i = 0; i < symtab->extents.count; i++) {
        const char *raw = symtab->symbols[i].raw_name;
        if (demangle_may(raw))
            sink_write(&asked.sink, raw, strlen(raw) + 1);
    }
    bool good = !asked.sink.failed;
    if (good && asked.n > sizeof room) {
        size_t n, most = (size_t)room + (size_t)symtab->extents.count * LENGTH;
        struct error why;
        uint8_t *answer = annex_ask(&demangle_job, (uint8_t *)asked.bytes, asked.n, most, &n, &why);
        struct reader reader = parcel_open(answer, answer ? n : 0);
        if (answer)
            good = take_names(symtab, &reader);
        else
            symtab->lost = why;
        free(answer);
    }
    sink_buffer_fini(&asked);
    return good;
}

static void place_unit(void *user, uint64_t table, const char *directory)
{
    struct symtab *symtab = user;
    lines_set_directory(&symtab->lines, table, strpool_intern(&symtab->pool, directory, strlen(directory)));
}

static void place_function(void *user, const struct dwarf_function *function)
{
    struct symtab *symtab = user;
    uint32_t index = extents_find_start(&symtab->extents, symtab_code_address(symtab, function->address));
    const char *file = lines_file(&symtab->lines, function->table, function->file_number);
    if (index == EXTENT_NONE || !file)
        return;
    symtab->symbols[index].file = file;
    symtab->symbols[index].directory = lines_directory(&symtab->lines, function->table);
    symtab->symbols[index].line = function->line;
}

/* Sets a function's frame. If aliases differ, due to damage, the largest counts. */
static void take_frame(void *user, const struct dwarf_frame *frame)
{
    struct symtab *symtab = user;
    uint32_t index = extents_find_start(&symtab->extents, frame->address);
    if (index == EXTENT_NONE)
        return;
    struct symbol *symbol = &symtab->symbols[index];
    bool is_first = symbol->frame_bytes == 0 && !symbol->has_frame;
    symbol->has_frame = !frame->at_least && (is_first || symbol->has_frame);
    if (frame->bytes > symbol->frame_bytes)
        symbol->frame_bytes = (uint32_t)frame->bytes;
}

/* Functions without an entry in DWARF (assembler) get the position of their first instruction. */
static void place_rest(struct symtab *symtab)
{
    for (uint32_t i = 0; i < symtab->extents.count; i++) {
        struct symbol *symbol = &symtab->symbols[i];
        struct lines_place place;
        if (symbol->file || !lines_find(&symtab->lines, symbol->address, &place))
            continue;
        symbol->file = place.file;
        symbol->directory = place.directory;
        symbol->line = place.line;
    }
}

/* Marks functions at absolute addresses, and those in sections that are not marked as code, as code. */
static bool add_code(struct symtab *symtab)
{
    const struct extents *extents = &symtab->extents;
    struct image_range *more = calloc((size_t)extents->count + 1, sizeof *more);
    size_t n = 0;
    for (uint32_t i = 0; i < extents->count && more; i++)
        if (!image_is_code(&symtab->image, extents->all[i].start))
            more[n++] = (struct image_range){extents->all[i].start, extents->all[i].end, NULL};
    bool is_done = more && (n == 0 || image_add_code(&symtab->image, more, n));
    free(more);
    return is_done;
}

/* ---- the other names of a function's address ---- */

enum {
    ALIASES_MOST = 256, /* limit for one address */
    OVERLAY_NAME = 512, /* bytes; if the joined name is longer, the first name stays */
};

/* Adds an alias of a symbol. Calls are in order of address, so one symbol's aliases are adjacent. */
static void add_alias(struct symtab *symtab, struct symbol *symbol, const char *name, uint32_t *n)
{
    bool is_known = name == symbol->raw_name;
    for (uint32_t i = 0; i < symbol->alias_count && !is_known; i++)
        is_known = name == symbol->aliases[i]; /* equal names are one pointer */
    if (is_known || symbol->alias_count == ALIASES_MOST)
        return;
    if (symbol->alias_count == 0)
        symbol->aliases = symtab->aliases + *n;
    symtab->aliases[(*n)++] = name;
    symbol->alias_count++;
}

/* Names functions that a program loads to one address in turns. Their source line is unknown, too. */
static void name_overlay(struct symtab *symtab, struct symbol *symbol,
                         const struct extent_candidate *candidates, uint32_t count, uint32_t namer)
{
    const struct elf_symbol *shown = &candidates[namer].symbol;
    char text[OVERLAY_NAME];
    size_t n = 0;
    for (uint32_t i = namer + 1; i < count; i++) {
        const struct elf_symbol *other = &candidates[i].symbol;
        if (other->address != shown->address)
            break;
        bool is_overlay = other->kind == ELF_FUNCTION && other->size > 0 &&
                          other->section != shown->section && other->section != ELF_NO_SECTION &&
                          shown->section != ELF_NO_SECTION;
        if (is_overlay && n == 0)
            n = (size_t)snprintf(text, sizeof text, "%s", symbol->name);
        if (is_overlay && n < sizeof text)
            n +=
                (size_t)snprintf(text + n, sizeof text - n, " or %.*s", (int)other->name_length, other->name);
    }
    const char *name = n > 0 && n < sizeof text ? strpool_intern(&symtab->pool, text, n) : NULL;
    if (!name)
        return;
    symbol->name = name;
    symbol->file = symbol->directory = NULL;
    symbol->line = symbol->frame_bytes = 0;
    symbol->has_frame = false;
}

/* Fills in the aliases of each symbol from the candidates, as extents_init() left them, and names overlays:
 * functions of different sections at one address are called "one or other", and have no source and no frame.
 * Symbols must have their names. False when memory is used up. */
static bool aliases_collect(struct symtab *symtab, const struct extent_candidate *candidates, uint32_t count)
{
    uint32_t n = 0;
    symtab->aliases = scarcity_watch(calloc((size_t)count + 1, sizeof *symtab->aliases));
    if (!symtab->aliases)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct elf_symbol *named = &candidates[i].symbol;
        if (candidates[i].owner == EXTENT_NONE || named->kind != ELF_FUNCTION)
            continue;
        const char *name = strpool_intern(&symtab->pool, named->name, named->name_length);
        if (name)
            add_alias(symtab, &symtab->symbols[candidates[i].owner], name, &n);
    }
    for (uint32_t i = 0; i < symtab->extents.count; i++)
        if (symtab->symbols[i].alias_count > 0)
            name_overlay(symtab, &symtab->symbols[i], candidates, count, symtab->extents.all[i].candidate);
    return true;
}

/* ---- the table ---- */

/* False when all names are from .dynsym, which strip keeps. */
static bool has_symbol_table(const struct outline *outline)
{
    for (size_t i = 0; i < outline->section_count; i++)
        if (!strcmp(outline->sections[i].name, ".symtab"))
            return true;
    return false;
}

static struct symtab *load_symtab(uint8_t *bytes, size_t n, const struct elf_place *place, struct error *err)
{
    struct outline outline;
    struct candidates candidates = {0};
    struct symtab *symtab = NULL;
    if (!outline_init(&outline, bytes, n, place, err))
        goto done;
    symtab = calloc(1, sizeof *symtab);
    if (!symtab)
        goto out_of_memory;
    candidates.codemap = &symtab->codemap;
    symtab->codemap.is_arm = outline.cpu.is_arm;
    atomic_init(&symtab->references, 1);
    symtab->place = *place;
    symtab->has_sections = outline.section_count > 0;
    symtab->is_stripped = !has_symbol_table(&outline);
    symtab->cpu = outline.cpu;
    symtab->code_is_big_endian = outline.code_is_big_endian;
    symtab->identity = identity_of(&outline);
    symtab->pool.budget = n * TEXT_FACTOR + SMALL_FILE;
    outline_each_symbol(&outline, add_candidate, &candidates);
    if (candidates.out_of_memory || !image_init(&symtab->image, &outline, n) ||
        !extents_init(&symtab->extents, candidates.all, candidates.count) || !add_code(symtab) ||
        !name_symbols(symtab, &candidates))
        goto out_of_memory;
    codemap_finish(&symtab->codemap);
    lines_init(&symtab->lines, &outline, &symtab->image, &symtab->pool);
    outline_each_declaration(&outline, place_unit, place_function, symtab, &symtab->lost);
    place_rest(symtab);
    outline_each_frame(&outline, take_frame, symtab, &symtab->lost);
    if (!index_names(symtab, &candidates) || !demangle_symbols(symtab) ||
        !aliases_collect(symtab, candidates.all, candidates.count))
        goto out_of_memory;
    goto done;

out_of_memory:
    error_set(err, "out of memory while loading %s", place->path);
    symtab_unref(symtab);
    symtab = NULL;
done:
    free(candidates.all);
    outline_fini(&outline);
    return symtab;
}

struct symtab *symtab_load_memory(const void *bytes, size_t n, const char *name, struct error *err)
{
    /* libelf may write to the bytes, and needs them aligned as malloc does. */
    uint8_t *copy = malloc(n + !n);
    if (!copy) {
        error_set(err, "out of memory while loading %s", name);
        return NULL;
    }
    memcpy(copy, bytes, n);
    struct elf_place place = {.is_moved = false};
    snprintf(place.path, sizeof place.path, "%s", name);
    struct symtab *symtab = load_symtab(copy, n, &place, err);
    free(copy);
    return symtab;
}

/* Reads the whole file. It is not mapped, because the linker may truncate it meanwhile. */
static uint8_t *read_file(const char *path, size_t *n, struct timespec *modified, struct error *err)
{
    uint8_t *bytes = NULL;
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &status) != 0) {
        error_set_errno(err, errno, "cannot read the ELF file %s", path);
        goto done;
    }
    if (!S_ISREG(status.st_mode)) {
        error_set(err, "cannot read the ELF file %s: it is %s", path,
                  S_ISDIR(status.st_mode) ? "a directory" : "not a regular file");
        goto done;
    }
    if (status.st_size > MAX_FILE_SIZE) {
        error_set(err, "cannot read the ELF file %s: it is larger than 256 MiB; strip its debug data", path);
        goto done;
    }
    *modified = status.st_mtim;
    size_t size = (size_t)status.st_size;
    bytes = malloc(size + 1);
    if (!bytes) {
        error_set(err, "out of memory while loading %s", path);
        goto done;
    }
    *n = 0;
    while (*n < size) {
        ssize_t got = read(fd, bytes + *n, size - *n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            error_set_errno(err, errno, "cannot read the ELF file %s", path);
            free(bytes);
            bytes = NULL;
            goto done;
        }
        if (got == 0)
            break;
        *n += (size_t)got;
    }
done:
    if (fd >= 0)
        close(fd);
    return bytes;
}

struct symtab *symtab_load_place(const struct elf_place *place, struct error *err)
{
    size_t n;
    struct timespec modified;
    uint8_t *bytes = read_file(place->path, &n, &modified, err);
    struct symtab *symtab = bytes ? load_symtab(bytes, n, place, err) : NULL;
    if (symtab)
        symtab->modified_s = modified.tv_sec;
    free(bytes);
    return symtab;
}

struct symtab *symtab_load(const char *path, struct error *err)
{
    struct elf_place place = {.is_moved = false};
    if (strlen(path) < sizeof place.path) {
        strcpy(place.path, path);
        return symtab_load_place(&place, err);
    }
    error_set_errno(err, ENAMETOOLONG, "cannot read the ELF file %.200s", path);
    return NULL;
}

struct symtab *symtab_ref(struct symtab *symtab)
{
    atomic_fetch_add_explicit(&symtab->references, 1, memory_order_relaxed);
    return symtab;
}

void symtab_unref(struct symtab *symtab)
{
    if (!symtab || atomic_fetch_sub_explicit(&symtab->references, 1, memory_order_acq_rel) != 1)
        return;
    image_fini(&symtab->image);
    extents_fini(&symtab->extents);
    codemap_fini(&symtab->codemap);
    lines_fini(&symtab->lines);
    map_fini(&symtab->by_name);
    free(symtab->symbols);
    free(symtab->aliases);
    joint_free(symtab->joint);
    strpool_fini(&symtab->pool);
    free(symtab);
}
