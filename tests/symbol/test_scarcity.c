/* test_scarcity.c - reading an ELF file without memory or descriptors. */
#include "base/scarcity.h"
#include "symbol/listing.h"
#include "symbol/symtab.h"

#include "support/scarce.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *fixture(void)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/fixture_host_dwarf5.elf", getenv("SYMBOL_FIXTURES"));
    if (access(path, F_OK) != 0)
        cr_skip_test("%s was not built: no compiler for it", path);
    return path;
}

/* True when both have the same functions at the same addresses. */
static bool say_the_same(const struct symtab *a, const struct symtab *b)
{
    if (symtab_count(a) != symtab_count(b))
        return false;
    for (uint32_t i = 0; i < symtab_count(a); i++) {
        const struct symbol *one = symtab_at(a, i), *other = symtab_at(b, i);
        if (one->address != other->address || strcmp(one->name, other->name) != 0 ||
            one->line != other->line || !one->file != !other->file ||
            (one->file && strcmp(one->file, other->file) != 0))
            return false;
    }
    return true;
}

Test(scarce_symbol, an_elf_is_read_whole_or_a_shortage_is_reported)
{
    struct error err = {""};
    struct symtab *whole = symtab_load(fixture(), &err);
    cr_assert_not_null(whole, "%s", err.text);
    unsigned said = 0, counted = 0;
    for (unsigned nth = 1;; nth++) {
        uint64_t before = scarcity_count();
        err = (struct error){""};
        scarce_begin(nth);
        struct symtab *symtab = symtab_load(fixture(), &err);
        bool is_over = !scarce_end();
        if (!symtab) {
            cr_assert(strstr(err.text, "memory") || strstr(err.text, strerror(EMFILE)), "refusal %u: %s", nth,
                      err.text);
            said++;
        } else if (!say_the_same(symtab, whole)) {
            cr_assert(scarcity_count() > before || *symtab_lost(symtab),
                      "refusal %u left something out without an error", nth);
            counted++;
        }
        symtab_unref(symtab);
        if (is_over)
            break;
    }
    cr_assert_gt(said, 5);
    cr_assert_gt(counted, 0);
    symtab_unref(whole);
}

static void count_row(void *user, const struct listing_row *row)
{
    ++*(unsigned *)user;
}

Test(scarce_symbol, instructions_have_words_or_a_reason_is_given)
{
    struct error err = {""};
    struct symtab *symtab = symtab_load(fixture(), &err);
    cr_assert_not_null(symtab, "%s", err.text);
    unsigned whole = 0, refusals = 0;
    cr_assert(listing_each(symtab, 0, 1000, count_row, &whole).has_words);
    for (unsigned nth = 1;; nth++) {
        unsigned rows = 0;
        scarce_begin(nth);
        struct listing_end end = listing_each(symtab, 0, 1000, count_row, &rows);
        bool is_over = !scarce_end(), good = end.has_words;
        cr_assert_eq(good, is_over);
        cr_assert_eq(!*end.lost.text, good, "%s", end.lost.text);
        cr_assert(rows == whole || !good, "%u rows, not %u", rows, whole);
        refusals++;
        if (is_over)
            break;
    }
    cr_assert_gt(refusals, 1);
    symtab_unref(symtab);
}

Test(scarce_symbol, a_read_error_is_reported)
{
    struct error err = {""};
    scarce_fail("read", 1, EIO);
    cr_assert_null(symtab_load(fixture(), &err));
    cr_assert(strstr(err.text, strerror(EIO)), "%s", err.text);
    scarce_fail("read", 1, EINTR); /* a signal came: it goes on */
    struct symtab *symtab = symtab_load(fixture(), &err);
    cr_assert_not_null(symtab, "%s", err.text);
    symtab_unref(symtab);
}
