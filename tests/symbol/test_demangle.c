/* test_demangle.c - names of C++ and Rust, and limits for hostile ones. */
#include "symbol/demangle.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static void expect(const char *raw, const char *name)
{
    char out[DEMANGLE_MAX_OUTPUT] = "";
    size_t n = demangle(raw, out);
    cr_assert_eq(n, strlen(name), "%s gave %zu bytes: %s", raw, n, n ? out : "");
    if (n > 0)
        cr_assert_str_eq(out, name);
}

Test(demangle, cxx_names_become_declarations)
{
    expect("_Z3addii", "add(int, int)");
    expect("_ZN5shape6Circle4areaEv", "shape::Circle::area()");
    expect("_ZN6BufferIiLj4EE4pushERKi", "Buffer<int, 4u>::push(int const&)");
}

Test(demangle, rust_names_of_both_kinds_become_paths)
{
    expect("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt");
    expect("_RNvCs1234_7mycrate3foo", "mycrate::foo");
    expect("_RNvCs1234_7mycrateu8gdel_5qa", "mycrate::g\xc3\xb6"
                                            "del");
}

Test(demangle, other_names_are_left_alone)
{
    static const char *const names[] = {"",    "_", "main", "_start", "_Z", "_R", "__cyg_profile_func_enter",
                                        "_ZZZ"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect(names[i], "");
}

Test(demangle, a_name_longer_than_the_bound_stays_raw)
{
    static char raw[100000];
    memset(raw, 'P', sizeof raw - 1);
    memcpy(raw, "_Z1f", 4);
    expect(raw, "");
    raw[DEMANGLE_MAX_INPUT] = '\0';
    expect(raw, "");
}

Test(demangle, a_name_that_doubles_itself_is_given_up_and_not_waited_for, .timeout = 300)
{
    /* f(a<int, int>, a<that, that>, a<that, that>, ...): thirty times twice as long. */
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char raw[512] = "_Z1f1aIiiE";
    size_t n = strlen(raw);
    for (int i = 0; i < 30; i++)
        n += (size_t)snprintf(raw + n, sizeof raw - n, "S_IS%c_S%c_E", digits[i], digits[i]);
    char out[DEMANGLE_MAX_OUTPUT];
    cr_assert_eq(demangle(raw, out), 0);
    raw[strlen("_Z1f1aIiiES_IS0_S0_E")] = '\0';
    cr_assert_gt(demangle(raw, out), 0, "its beginning is a name like any other");
}

Test(demangle, rust_lifetimes_are_not_counted_to_the_end_of_time, .timeout = 300)
{
    expect("_RMC1aFGzzzzzzzzzz_Eu", "");
    expect("_RNvXC1aFGzzzzzzzzzz_EuC1b1c", "");
}
