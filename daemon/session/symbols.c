/* symbols.c - chooses the symbols that name the profile.
 *
 * A user who builds and then flashes changes the file some seconds before the device. Until then the device
 * runs the old code, so the old names are right. */
#include "session/symbols.h"

#include "base/log.h"
#include "snapshot/unnamed.h"

#include <stdio.h>

static void warn_of_what_is_lost(const struct symtab *symtab)
{
    for (size_t i = 0; i < symtab_file_count(symtab); i++)
        if (*symtab_file(symtab, i).lost)
            log_write(
                LOG_WARNING,
                "%s was not read as a whole: %s; lines, frames or readable names of functions are missing.",
                symtab_file(symtab, i).place->path, symtab_file(symtab, i).lost);
    if (*symtab_overlap(symtab))
        log_write(LOG_WARNING, "%s", symtab_overlap(symtab));
}

static void warn_of_nameless(const struct symtab *symtab)
{
    for (size_t i = 0; i < symtab_file_count(symtab); i++) {
        const struct symtab_file file = symtab_file(symtab, i);
        if (file.own == 0)
            log_write(
                LOG_WARNING,
                file.has_sections
                    ? "%s has no symbols, so functions are shown as addresses; give the file that was not "
                      "stripped."
                    : "%s has no sections, so it has no symbols, and functions are shown as addresses: its "
                      "section table was taken out; give the file as the linker wrote it.",
                file.place->path);
    }
}

bool symbols_init(struct symbols *symbols, const struct elf_list *elfs, struct error *err)
{
    *symbols = (struct symbols){.elfs = elfs && elfs->n > 0 ? elfs : NULL};
    if (!symbols->elfs)
        return true;
    elf_list_name(elfs, symbols->name);
    symbols->current = symtab_load_list(elfs, err);
    if (!symbols->current)
        return false;
    warn_of_nameless(symbols->current);
    warn_of_what_is_lost(symbols->current);
    return true;
}

void symbols_fini(struct symbols *symbols)
{
    symtab_unref(symbols->current);
    symtab_unref(symbols->newer);
}

static bool device_still_runs_current(const struct symbols *symbols, const struct snapshot_target *target)
{
    return target->has_metadata &&
           symtab_matches_id(symbols->current, target->elf_build_id) == SYMTAB_MATCH_YES &&
           symtab_matches_id(symbols->newer, target->elf_build_id) != SYMTAB_MATCH_YES;
}

/* Switches to the newer files unless the device still runs the current code. */
static enum symbols_change switch_to_newer_symbols(struct symbols *symbols,
                                                   const struct snapshot_target *target)
{
    if (!symbols->newer || device_still_runs_current(symbols, target))
        return SYMBOLS_SAME;
    enum symbols_change change =
        symtab_same_code(symbols->current, symbols->newer) ? SYMBOLS_RENAMED : SYMBOLS_REPLACED;
    symtab_unref(symbols->current);
    symbols->current = symbols->newer;
    symbols->newer = NULL;
    symbols->mismatch_logged = symbols->unnamed_logged = false;
    log_write(LOG_INFO, "%s changed: %u functions", symbols->name, symtab_count(symbols->current));
    return change;
}

void symbols_expect(struct symbols *symbols)
{
    symbols->is_outdated = true;
    symbols->failure = (struct error){""};
}

void symbols_fail(struct symbols *symbols, const char *why)
{
    symbols->is_outdated = true;
    error_set(&symbols->failure, "%s", why);
    log_write(LOG_WARNING, "%s; names are those of the program before. %s is read again when it changes.",
              why, symbols->name);
}

enum symbols_change symbols_take(struct symbols *symbols, struct symtab *fresh,
                                 const struct snapshot_target *target)
{
    warn_of_what_is_lost(fresh);
    symbols->is_outdated = false;
    symbols->failure = (struct error){""};
    symtab_unref(symbols->newer);
    symbols->newer = fresh;
    return switch_to_newer_symbols(symbols, target);
}

/* For users without the page, which shows it, too. */
static void log_mismatch(struct symbols *symbols, const struct snapshot_target *target)
{
    bool mismatch = symbols->current && target->has_metadata && !symbols->is_outdated &&
                    symtab_matches_id(symbols->current, target->elf_build_id) == SYMTAB_MATCH_NO;
    if (mismatch && !symbols->mismatch_logged)
        log_write(
            LOG_WARNING,
            symbols->elfs->n == 1
                ? "%s is not the program that the device runs, so names may be wrong; give the ELF that "
                  "was flashed, or flash this one."
                : "None of %s is the program that the device runs, so names may be wrong; give the ELF "
                  "files that were flashed, or flash these.",
            symbols->name);
    symbols->mismatch_logged = mismatch;
}

enum symbols_change symbols_hear(struct symbols *symbols, const struct snapshot_target *target)
{
    enum symbols_change change = switch_to_newer_symbols(symbols, target);
    log_mismatch(symbols, target);
    return change;
}

/* As on the page: missing names of only a few functions mean little. */
static bool are_many(const struct snapshot_unnamed *counted)
{
    enum { LEAST = 4, LEAST_OF_NONE = 2 };
    if (counted->unnamed == counted->told)
        return counted->told >= LEAST_OF_NONE;
    return counted->told >= LEAST && (counted->unnamed > counted->told / 2 || counted->share >= 0.1);
}

void symbols_see(struct symbols *symbols, const struct snapshot *snapshot)
{
    struct error sentence;
    if (!symbols->elfs || symbols->unnamed_logged || snapshot->function_count == symbols->functions)
        return;
    symbols->functions = snapshot->function_count;
    const struct snapshot_unnamed counted = snapshot_count_unnamed(snapshot);
    if (!are_many(&counted) || !snapshot_unnamed(snapshot, &sentence))
        return;
    symbols->unnamed_logged = true;
    log_write(LOG_WARNING, "%s", sentence.text);
}

void symbols_tell(const struct symbols *symbols, struct snapshot_source *source,
                  struct snapshot_target *target)
{
    target->has_match = target->elf_match = false;
    source->elf_state = ELF_NONE;
    if (!symbols->elfs)
        return;
    snprintf(source->elf_path, sizeof source->elf_path, "%s", symbols->elfs->all[0].path);
    snprintf(source->elf_name, sizeof source->elf_name, "%s", symbols->name);
    source->elf_count = (uint8_t)symbols->elfs->n;
    source->elf_functions = symtab_count(symbols->current);
    source->elf_word_bytes = symtab_cpu(symbols->current)->word_size;
    source->elf_machine = symtab_machine_name(symtab_cpu(symbols->current));
    source->elf_big_endian = symtab_cpu(symbols->current)->big_endian;
    source->elf_is_partial = *symtab_lost(symbols->current) != '\0';
    snprintf(source->elf_failure, sizeof source->elf_failure, "%s", symbols->failure.text);
    if (symbols->is_outdated) { /* the symbols in use are not of the file that the user named */
        source->elf_state = *symbols->failure.text ? ELF_UNREADABLE : ELF_READING;
        return;
    }
    source->elf_state = source->elf_functions ? ELF_OK : ELF_NO_SYMBOLS;
    if (!target->has_metadata)
        return;
    enum symtab_match match = symtab_matches_id(symbols->current, target->elf_build_id);
    target->has_match = match != SYMTAB_MATCH_UNKNOWN;
    target->elf_match = match == SYMTAB_MATCH_YES;
}
