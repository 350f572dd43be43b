/* test_lost.c - what is left of a program's symbols when the annex does not answer. */
#include "annex/annex.h"
#include "symbol/symtab.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *fails = ""; /* the title of the job that is not answered */

/* Stands where the annex's own would. */
uint8_t *annex_ask(const struct annex_job *job, uint8_t *request, size_t n, size_t most, size_t *answer_n,
                   struct error *err)
{
    struct sink_buffer buffer;
    if (strcmp(job->title, fails) == 0) {
        error_set(err, "%s failed", job->title);
        return NULL;
    }
    sink_buffer_init(&buffer);
    buffer.limit = most;
    job->run(request, n, &buffer.sink);
    cr_assert(!buffer.sink.failed && buffer.n > 0);
    *answer_n = buffer.n;
    return (uint8_t *)buffer.bytes;
}

static struct symtab *load_without(const char *title, struct error *err)
{
    const char *folder = getenv("SYMBOL_FIXTURES");
    char path[4096];
    cr_assert_not_null(folder, "meson test says where the fixtures are");
    snprintf(path, sizeof path, "%s/fixture_host_dwarf5.elf", folder);
    fails = title;
    return symtab_load(path, err);
}

static void expect_like_whole(const char *title, bool has_names)
{
    struct error err = {""};
    struct symtab *whole = load_without("", &err), *part = load_without(title, &err);
    unsigned renamed = 0, placed = 0;
    cr_assert(whole && part, "%s", err.text);
    cr_expect_str_eq(symtab_lost(whole), "");
    cr_expect(strstr(symtab_lost(part), title), "%s", symtab_lost(part));
    cr_assert_eq(symtab_count(part), symtab_count(whole));
    for (uint32_t i = 0; i < symtab_count(whole); i++) {
        const struct symbol *is = symtab_at(part, i), *was = symtab_at(whole, i);
        cr_expect(is->address == was->address && is->size == was->size);
        cr_expect_str_eq(is->raw_name, was->raw_name);
        cr_expect_str_eq(is->name, has_names ? was->name : was->raw_name);
        renamed += strcmp(was->name, was->raw_name) != 0;
        placed += is->line > 0;
    }
    cr_expect(renamed > 0 && placed > 0, "%u %u", renamed, placed);
    symtab_unref(whole);
    symtab_unref(part);
}

Test(lost, without_debugging_entries_line_tables_say_where_functions_begin)
{
    expect_like_whole("reading debugging entries", true);
}

Test(lost, without_demangling_names_are_raw)
{
    expect_like_whole("demangling", false);
}

Test(lost, without_symbols_there_is_a_sentence)
{
    struct error err = {""};
    cr_expect_null(load_without("reading symbols", &err));
    cr_expect(strstr(err.text, "fixture_host_dwarf5.elf") && strstr(err.text, "reading symbols failed"), "%s",
              err.text);
}
