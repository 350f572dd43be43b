/* test_identity.c - matches the names of one function in two builds. */
#include "check/identity.h"

#include <criterion/criterion.h>

static const struct {
    const char *one, *other;
    bool is_same;
} pairs[] = {
    {"work", "work", true},
    {"work", "work.constprop.0", true},
    {"work.isra.0", "work.part.1", true},
    {"work.part.0.isra.0", "work.constprop.12.cold", true},
    {"work.cold", "work.lto_priv.3", true},
    {"work.llvm.8123409812", "work.llvm.77fa01", true},
    {"work", "work.localalias", true},
    {"work(int)", "work(int) [clone .constprop.0]", true},
    {"work(int) [clone .isra.0] [clone .cold]", "work(int)", true},
    {"f()::{lambda(int)#1}::operator()(int) const", "f()::{lambda(int)#2}::operator()(int) const", true},
    {"f()::$_0::operator()() const", "f()::$_11::operator()() const", true},
    {"f()::{unnamed type#1}::g()", "f()::{unnamed type#3}::g()", true},
    {"work(int) (.cold)", "work(int) (.llvm.8123409812)", true},
    {"work(int) (.isra.0) (.cold)", "work(int)", true},
    {"work.specialized.1", "work.argprom.argelim", true},
    {"work.part.0.hot", "work.__part.1", true},
    {"work.__uniq.123.llvm.77", "work.__uniq.99", true},
    {"work.clone.3", "work.simdclone.0", true},
    {"fw::work::h0123456789abcdef", "fw::work::hfedcba9876543210", true},
    {"fw::work::h0123456789abcdef.llvm.77fa01", "fw::work", true},
    {"fw::work::h0123456789abcde", "fw::work", false},
    {"fw::work::hello", "fw::work", false},
    {"::h0123456789abcdef", "", false},
    {"operator() (int)", "operator() (char)", false},
    {"work._omp_fn.0", "work", false}, /* an outlined part of it */
    {"work.actor", "work", false},
    {"work", "works", false},
    {"work.0", "work.1", false}, /* GCC's nested functions */
    {"work.constprop", "other.constprop", false},
    {".cold", "", false},
    {".part.0", ".part.1", false},
    {"a#1", "a#2", false},
    {"f(char [3])", "f(char [4])", false},
    {"", "", true},
};

Test(identity, suffixes_added_by_compilers_are_ignored)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        int there = identity_compare(pairs[i].one, pairs[i].other);
        int back = identity_compare(pairs[i].other, pairs[i].one);
        cr_expect_eq(there == 0, pairs[i].is_same, "%s, %s", pairs[i].one, pairs[i].other);
        cr_expect_eq(there<0, back> 0, "%s, %s", pairs[i].one, pairs[i].other);
    }
}

Test(identity, numbers_of_lambdas_depend_on_their_neighbours)
{
    cr_expect(identity_is_numbered("f()::{lambda(int)#1}::operator()(int) const"));
    cr_expect(identity_is_numbered("f()::$_0::operator()() const"));
    cr_expect(!identity_is_numbered("work.constprop.0"));
    cr_expect(!identity_is_numbered("$_"));
    cr_expect(!identity_is_numbered("a#1"));
}

Test(identity, the_length_excludes_suffixes_added_by_compilers)
{
    cr_expect_eq(identity_length("work.constprop.0.cold"), 4);
    cr_expect_eq(identity_length("work"), 4);
    cr_expect_eq(identity_length("f()::{lambda()#1}::operator()() const [clone .isra.0]"), 37);
    cr_expect_eq(identity_length(""), 0);
}
