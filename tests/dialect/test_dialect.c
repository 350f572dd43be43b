/* test_dialect.c - finding dialects and settings. */
#include "dialect/dialect.h"

#include <criterion/criterion.h>
#include <string.h>

Test(dialect, miniprof_is_the_default_and_found_by_its_id)
{
    cr_assert_str_eq(dialect_registry[0]->id, "miniprof");
    cr_assert_eq(dialect_find("miniprof"), dialect_registry[0]);
    cr_assert_null(dialect_find("miniprof2"));
    cr_assert_null(dialect_find(""));
}

Test(dialect, the_last_setting_wins_and_the_fallback_comes_last)
{
    static const struct dialect_option options[] = {{"hz", "1000", "rate"}, {"width", "3", "bytes"}, {0}};
    struct dialect_setting pairs[] = {{"hz", "1"}, {"width", "4"}, {"hz", "2"}};
    struct dialect_settings settings = {.settings = pairs, .n = 3};
    cr_assert_str_eq(dialect_settings_value(&settings, options, "hz"), "2");
    cr_assert_str_eq(dialect_settings_value(&settings, options, "width"), "4");
    settings.n = 1;
    cr_assert_str_eq(dialect_settings_value(&settings, options, "width"), "3");
    cr_assert_str_eq(dialect_settings_value(NULL, options, "hz"), "1000");
    cr_assert_null(dialect_settings_value(&settings, options, "depth"));
    cr_assert_null(dialect_settings_value(&settings, NULL, "depth"));
}

Test(dialect, settings_of_a_dialect_that_is_carried_begin_with_its_id)
{
    static const struct dialect_option options[] = {{"hz", "1000", "rate"}, {0}};
    struct dialect_setting pairs[] = {{"hz", "1"}, {"gprof.hz", "2"}, {"gprofs.hz", "3"}, {"gpro.hz", "4"}};
    struct dialect_settings settings = {.settings = pairs, .n = 4};
    cr_assert_str_eq(dialect_settings_value(&settings, options, "hz"), "1");
    settings.carried = "gprof";
    cr_assert_str_eq(dialect_settings_value(&settings, options, "hz"), "2");
    settings.carried = "tfm";
    cr_assert_str_eq(dialect_settings_value(&settings, options, "hz"), "1000");
    cr_assert(dialect_settings_has_carried(&settings, "gprof") &&
              dialect_settings_has_carried(&settings, "gpro"));
    cr_assert_not(dialect_settings_has_carried(&settings, "hz"));
    cr_assert_not(dialect_settings_has_carried(&settings, "gp"));
}
