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
