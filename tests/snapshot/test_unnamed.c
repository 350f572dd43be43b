/* test_unnamed.c - functions for which the ELF has no name are counted, with their share of the time. */
#include "snapshot/unnamed.h"

#include <criterion/criterion.h>

Test(unnamed, functions_outside_the_elf_are_reported_with_their_time)
{
    struct snapshot_function functions[] = {
        {.name = "main", .has_address = true, .size = 8, .self_ticks = 60},
        {.name = "0x00000200", .has_address = true, .self_ticks = 30},
        {.name = "0x00000300", .has_address = true, .self_ticks = 10},
        {.name = "mark", .self_ticks = 500}, /* known by its name only */
        {.name = "[outside]", .kind = KIND_OUTSIDE, .self_ticks = 900},
    };
    struct snapshot snapshot = {.functions = functions,
                                .function_count = sizeof functions / sizeof *functions,
                                .source = {.elf_state = ELF_OK, .elf_name = "fw.elf"}};
    struct error sentence;
    cr_assert(snapshot_unnamed(&snapshot, &sentence));
    cr_assert_str_eq(sentence.text,
                     "2 of 3 functions, with 40.0 % of own time, are at addresses where fw.elf has no "
                     "function: it is of another program, or of a part of what runs.");
    for (uint32_t i = 0; i < snapshot.function_count; i++)
        functions[i].self_ticks = 0;
    cr_assert(snapshot_unnamed(&snapshot, &sentence));
    cr_assert_str_eq(sentence.text,
                     "2 of 3 functions are at addresses where fw.elf has no function: it is of "
                     "another program, or of a part of what runs.");
    functions[0].samples = 3;
    functions[2].samples = 1;
    cr_assert(snapshot_unnamed(&snapshot, &sentence));
    cr_assert(strstr(sentence.text, "2 of 3 functions, with 25.0 % of the samples, are at"), "%s",
              sentence.text);
    snapshot.source.elf_machine = "AVR";
    cr_assert(snapshot_unnamed(&snapshot, &sentence));
    cr_assert_not(strstr(sentence.text, "AVR"), "it is for the right processor, since it has some: %s",
                  sentence.text);
    snapshot.functions = &functions[1];
    snapshot.function_count = 2;
    cr_assert(snapshot_unnamed(&snapshot, &sentence));
    cr_assert(strstr(sentence.text, "where fw.elf, a program for AVR, has no function: it is"), "%s",
              sentence.text);
    snapshot.functions = functions;
    snapshot.function_count = sizeof functions / sizeof *functions;
    snapshot.source.elf_count = 2;
    snapshot.source.elf_state = ELF_OK;
    cr_assert(snapshot_unnamed(&snapshot, &sentence));
    cr_assert(strstr(sentence.text, "where none of fw.elf has a function: they are of other programs"), "%s",
              sentence.text);
    snapshot.source.elf_state = ELF_NO_SYMBOLS;
    cr_assert_not(snapshot_unnamed(&snapshot, &sentence), "which is reported already");
    snapshot.source.elf_state = ELF_OK;
    snapshot.function_count = 1;
    cr_assert_not(snapshot_unnamed(&snapshot, &sentence));
}
