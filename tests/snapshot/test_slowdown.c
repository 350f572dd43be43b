/* test_slowdown.c - the slowdown of a measured program, and the functions to exclude. */
#include "snapshot/exclude.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KNOWN = FUNCTION_CALLS | FUNCTION_TIMES | FUNCTION_EACH | FUNCTION_CORRECTED, PAIR = 10 };

/* main calls work() ten times, which calls get() a thousand times and get_all() once each: hooks take 10
 * ticks a call, get() does 2 for itself. What main does itself is its loop. */
static struct {
    struct snapshot_function functions[8];
    struct snapshot_node nodes[8];
    struct snapshot_context contexts[2];
    struct snapshot snapshot;
} p;

static void add(uint32_t function, const char *name, uint64_t calls, uint64_t self, int32_t parent,
                uint64_t total)
{
    struct snapshot_function *row = &p.functions[function];
    struct snapshot_node *node = &p.nodes[++p.snapshot.node_count - 1];
    *row = (struct snapshot_function){.name = name, .raw_name = name, .size = 4, .has_address = true};
    row->address = 0x100 + 4 * function;
    row->known = KNOWN;
    row->calls = calls;
    row->running = calls == 0;
    row->corrected_self_ticks = self;
    row->hook_ticks = calls * PAIR;
    *node = (struct snapshot_node){.parent = parent, .function = (int32_t)function, .calls = calls};
    node->total_ticks = total;
    p.snapshot.function_count++;
}

static void set_up(void)
{
    memset(&p, 0, sizeof p);
    p.nodes[0] = (struct snapshot_node){.parent = -1, .function = -1};
    p.snapshot = (struct snapshot){.functions = p.functions, .nodes = p.nodes, .contexts = p.contexts};
    p.snapshot.node_count = 1;
    p.snapshot.target.ticks_per_second = 1000;
    p.snapshot.target.description =
        (struct snapshot_description){.is_known = true, .tick_hz = 1000, .hook_sixteenths = 16 * PAIR};
    add(0, "main", 0, 5000, 0, 25000);
    add(1, "work", 10, 6900, 1, 20000);
    add(2, "get", 1000, 2000, 2, 12000);
    add(3, "get_all", 10, 1000, 2, 1100);
    p.nodes[1].self_ticks = 5000;
    p.contexts[0] = (struct snapshot_context){.name = "main", .kind = "thread"};
    p.snapshot.context_count = 1;
}

TestSuite(slowdown, .init = set_up);
TestSuite(exclude, .init = set_up);

static const char *words_of(const struct snapshot_slowdown *slowdown)
{
    static char words[SLOWDOWN_SIZE];
    snapshot_slowdown_words(slowdown, words);
    return words;
}

Test(slowdown, the_factor_is_busy_time_by_time_without_hooks)
{
    const struct snapshot_slowdown slowdown = snapshot_slowdown(&p.snapshot);
    cr_assert_null(slowdown.unknown);
    cr_assert_eq(slowdown.ticks, 20000, "the main loop's own time is idle");
    cr_assert_eq(slowdown.hook_ticks, 10200);
    cr_expect_float_eq(slowdown.factor, 20000.0 / 9800, 1e-9);
    cr_assert_eq(slowdown.short_functions, 1);
    cr_assert_eq(slowdown.short_hook_ticks, 10000);
    cr_assert_str_eq(words_of(&slowdown),
                     "Measuring slows this program 2.0 times; 98 % of that in 1 function that is "
                     "shorter than its hooks.");
}

Test(slowdown, idle_contexts_are_excluded)
{
    p.contexts[1] = (struct snapshot_context){.name = "IDLE", .kind = "idle"};
    p.snapshot.context_count = 2;
    add(4, "idle_hook", 100, 70000, 0, 80000);
    p.nodes[5].context = 1;
    cr_assert_eq(snapshot_slowdown(&p.snapshot).ticks, 25000);
    cr_assert_eq(snapshot_slowdown(&p.snapshot).hook_ticks, 10200);
}

Test(slowdown, outside_of_functions_there_are_no_hooks)
{
    add(4, "[outside]", 0, 0, 0, 9000);
    p.functions[4].kind = KIND_OUTSIDE;
    cr_assert_eq(snapshot_slowdown(&p.snapshot).ticks, 20000);
}

Test(slowdown, with_losses_it_is_a_minimum_and_small_ones_are_in_percent)
{
    p.snapshot.link.records_lost = 1;
    p.functions[2].hook_ticks = 0;
    p.nodes[3].calls = 0;
    const struct snapshot_slowdown slowdown = snapshot_slowdown(&p.snapshot);
    cr_assert_str_eq(words_of(&slowdown), "Measuring slows this program by at least 1.0 %.");
}

static void expect_unknown(const char *because)
{
    const struct snapshot_slowdown slowdown = snapshot_slowdown(&p.snapshot);
    struct exclude_list list;
    cr_assert_not_null(slowdown.unknown);
    cr_assert(strstr(words_of(&slowdown), because), "%s", words_of(&slowdown));
    cr_assert(exclude_list_make(&p.snapshot, &list));
    cr_assert_eq(list.functions, 0);
    cr_assert_str_eq(list.flag, "");
}

Test(slowdown, an_unknown_slowdown_has_a_reason)
{
    p.snapshot.target.description.hook_sixteenths = 0;
    expect_unknown("does not report what its hooks take");
    p.snapshot.source.dialect = "tfm";
    expect_unknown("its dialect does not report it");
    p.snapshot.source.dialect = NULL;
    p.snapshot.target.description.hook_sixteenths = UINT16_MAX;
    expect_unknown("hooks take all of the time");
    p.snapshot.target.description.hook_sixteenths = 16;
    p.snapshot.target.mode = MODE_TREE;
    expect_unknown("take in mode tree");
    p.snapshot.target.description.hook_tree_sixteenths = 16;
    expect_unknown("several modes"); /* their calls were sent one by one as well */
    for (uint32_t i = 0; i < p.snapshot.function_count; i++)
        p.functions[i].known &= ~(uint32_t)FUNCTION_EACH;
    p.snapshot.measured_with = (struct snapshot_measured_with){.count = 1, .rows = {{.name = "window"}}};
    expect_unknown("with a trigger");
    p.snapshot.measured_with.count = 0;
    p.snapshot.target.mode = MODE_CALLS;
    p.snapshot.link.overlaps = 1;
    expect_unknown("several tasks overlap");
    p.snapshot.link.overlaps = 0;
    p.snapshot.node_count = 1;
    expect_unknown("until a call has returned");
}

Test(slowdown, a_very_deep_tree_has_no_figure)
{
    enum { DEEP = 200000 };
    struct snapshot_node *nodes = calloc(DEEP, sizeof *nodes);
    cr_assert_not_null(nodes);
    nodes[0] = p.nodes[0];
    for (int32_t i = 1; i < DEEP; i++)
        nodes[i] = (struct snapshot_node){.parent = i - 1, .total_ticks = 1000000, .self_ticks = 1};
    p.snapshot.nodes = nodes;
    p.snapshot.node_count = DEEP;
    cr_assert_not_null(snapshot_slowdown(&p.snapshot).unknown);
    free(nodes);
}

/* ---- what may be left out ---- */

static struct exclude_list made(void)
{
    struct exclude_list list;
    cr_assert(exclude_list_make(&p.snapshot, &list));
    return list;
}

#define OPTION "-finstrument-functions-exclude-function-list="

Test(exclude, a_name_that_matches_larger_functions_is_not_listed)
{
    const struct exclude_list list = made();
    cr_assert_eq(list.functions, 0, "get is a part of get_all");
    cr_assert_eq(list.unnamable, 1);
    cr_assert_str_eq(list.flag, "");
    cr_assert_eq(list.faster, 1);
}

Test(exclude, short_frequent_functions_are_listed_with_the_gain)
{
    p.functions[2].name = p.functions[2].raw_name = "fetch.constprop.0";
    p.functions[2].corrected_self_ticks = 400;
    const struct exclude_list list = made();
    char words[EXCLUDE_WORDS_SIZE];
    exclude_list_words(&list, words);
    cr_assert_str_eq(list.flag, OPTION "fetch");
    cr_assert_eq(list.functions, 1);
    cr_expect_float_eq(list.faster, 2.0, 1e-9);
    cr_assert_str_eq(
        words, "Without the hooks of 1 function the program runs 2.0 times faster, and 4.8 % of own time "
               "counts for its callers");
}

Test(exclude, a_gain_below_one_percent_gives_no_list)
{
    struct exclude_list list;
    char words[EXCLUDE_WORDS_SIZE];
    p.functions[3].name = p.functions[3].raw_name = "sum"; /* "get" would take get_all() along */
    p.functions[2].calls = p.nodes[3].calls = 15;
    p.functions[2].hook_ticks = 15 * PAIR;
    p.functions[2].corrected_self_ticks = 30;
    cr_assert(exclude_list_make(&p.snapshot, &list));
    cr_assert(list.is_too_little);
    cr_assert_eq(list.functions, 0);
    cr_assert_str_eq(list.flag, "");
    exclude_list_words(&list, words);
    cr_assert_str_eq(words, "");
}

Test(exclude, more_than_a_twentieth_of_own_time_is_not_hidden)
{
    p.functions[2].name = p.functions[2].raw_name = "fetch";
    cr_assert_str_eq(made().flag, "", "2000 of 9900 ticks");
    p.functions[2].corrected_self_ticks = 410;
    cr_assert_str_eq(made().flag, OPTION "fetch");
}

Test(exclude, functions_without_a_measured_caller_are_not_listed)
{
    p.functions[2].name = p.functions[2].raw_name = "fetch";
    p.functions[2].corrected_self_ticks = 100;
    p.nodes[3].parent = 0;
    cr_assert_str_eq(made().flag, "");
}

/* Its own time would count for the loop, which is idle time. */
Test(exclude, functions_that_the_main_loop_calls_are_not_listed)
{
    p.functions[1].hook_ticks = 70000;
    p.functions[1].corrected_self_ticks = 10;
    p.functions[2].name = p.functions[2].raw_name = "fetch";
    p.functions[2].corrected_self_ticks = 40;
    cr_assert_eq(snapshot_slowdown(&p.snapshot).loop_node, 1);
    cr_assert_str_eq(made().flag, OPTION "fetch", "not work");
    p.contexts[1] = (struct snapshot_context){.name = "other", .kind = "thread"};
    p.snapshot.context_count = 2; /* with two threads there is no main loop */
    cr_assert_str_eq(made().flag, OPTION "work,fetch");
}

/* Mode tree counts no call of a function that has not returned. */
Test(exclude, a_name_that_matches_a_function_that_never_returned_is_not_listed)
{
    add(4, "fetch_task", 0, 4000, 1, 4000);
    p.functions[4].running = 0;
    p.functions[2].name = p.functions[2].raw_name = "fetch";
    p.functions[2].corrected_self_ticks = 100;
    cr_assert_str_eq(made().flag, "");
    cr_assert_eq(made().unnamable, 1);
}

/* In mode tree, sum() calls get() and scale() in turn, then store(): two lookups for each call of sum(). Without
 * the hooks of get() there are none. */
Test(exclude, lookups_that_are_no_longer_needed_count_as_a_gain)
{
    enum { LOOKUP = 8 };
    p.snapshot.function_count = 0;
    p.snapshot.node_count = 1;
    p.snapshot.target.mode = MODE_TREE;
    p.snapshot.target.description.hook_tree_sixteenths = 16 * PAIR;
    p.snapshot.target.description.hook_lookup_sixteenths = 16 * (PAIR + LOOKUP);
    add(0, "main", 0, 5000, 0, 200000);
    add(1, "sum", 1000, 60000, 1, 195000);
    add(2, "get", 2000, 3000, 2, 30000);
    add(3, "scale", 2000, 30000, 2, 50000);
    add(4, "store", 1000, 30000, 2, 40000);
    for (uint32_t i = 0; i < 5; i++)
        p.functions[i].known &= ~(uint32_t)FUNCTION_EACH;
    p.nodes[1].self_ticks = 5000;
    const struct exclude_list list = made();
    cr_assert_str_eq(list.flag, OPTION "get");
    double gain = 2000 * PAIR + 2 * 1000 * LOOKUP;
    gain += 2 * LOOKUP;                         /* the node of get() is made by two */
    gain += (2997 - 1998) * (double)LOOKUP / 6; /* scale() follows another callee 1,000 times, not 2,000 */
    cr_expect_float_eq(list.faster, 195000 / (195000 - gain), 1e-9);
}

Test(exclude, a_name_that_matches_another_short_function_counts_both)
{
    p.functions[2].corrected_self_ticks = 200;
    p.functions[3].corrected_self_ticks = 50;
    const struct exclude_list list = made();
    cr_assert_str_eq(list.flag, OPTION "get");
    cr_assert_eq(list.functions, 2);
    cr_expect_float_eq(list.hidden, 250.0 / 7150, 1e-9);
}

Test(exclude, a_function_without_a_symbol_is_not_listed)
{
    p.functions[2].name = p.functions[2].raw_name = "fetch";
    p.functions[2].corrected_self_ticks = 100;
    p.functions[2].size = 0;
    const struct exclude_list list = made();
    cr_assert_str_eq(list.flag, "");
    cr_assert_eq(list.unnamable, 1);
}

Test(exclude, names_are_those_that_gcc_compares)
{
    static const char *const rows[][3] = {
        {"clamp_q15", "", "clamp_q15"},
        {"fold.part.0.constprop.2", "", "fold"},
        {"a b", "", ""},
        {"$(reboot)", "", ""},
        {"", "", ""},
        {"ns::Cls::get(int)", "c++", "ns::Cls::get"},
        {"ns::Cls::~Cls()", "c++", "ns::Cls::~Cls"},
        {"free_function(std::pair<int, long> const&) [clone .isra.0]", "c++", "free_function"},
        {"ns::Cls::read() const", "c++", "ns::Cls::read"},
        {"(anonymous namespace)::step(int)", "c++", "{anonymous}::step"},
        {"int ns::Cls::tmpl<int, long>(int, long)", "c++", "ns::Cls::tmpl"},
        {"MovingAverage<8>::push(int)", "c++", ""},
        {"ns::Cls::operator<(int)", "c++", ""},
        {"run(int)::{lambda(int)#1}::operator()(int) const", "c++", ""},
        {"x`reboot`(int)", "c++", ""},
        {")(", "c++", ""},
        {"<>", "c++", ""},
    };
    char name[EXCLUDE_NAME_SIZE];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect_eq(exclude_name(rows[i][0], *rows[i][1] != '\0', name), *rows[i][2] != '\0', "%s",
                     rows[i][0]);
        cr_expect_str_eq(name, rows[i][2], "%s", rows[i][0]);
    }
}

/* With the most functions that an ELF may have, of the longest names, the option stays within its size. */
Test(exclude, the_option_ends_with_a_whole_name)
{
    enum { MANY = 200 };
    static struct snapshot_function functions[MANY];
    static struct snapshot_node nodes[MANY + 2];
    static char names[MANY][101];
    nodes[0] = p.nodes[0];
    nodes[1] = p.nodes[1];
    functions[0] = p.functions[1];
    functions[0].corrected_self_ticks = 1000000;
    nodes[2] = (struct snapshot_node){.parent = 0, .function = 0, .calls = 1, .total_ticks = 2000000};
    for (int i = 1; i < MANY; i++) {
        memset(names[i], 'a', sizeof names[i] - 1);
        snprintf(names[i], sizeof names[i], "f%d_", i);
        names[i][strlen(names[i])] = 'a';
        functions[i] = p.functions[2];
        functions[i].name = functions[i].raw_name = names[i];
        functions[i].corrected_self_ticks = 1;
        functions[i].address = 0x1000 + 4 * (uint64_t)i;
        nodes[i + 1] = (struct snapshot_node){.parent = i == 1 ? 0 : 2, .function = i, .calls = 1000};
    }
    nodes[2] = (struct snapshot_node){.parent = 0, .function = 0, .calls = 1, .total_ticks = 9000000};
    p.snapshot.functions = functions;
    p.snapshot.nodes = nodes;
    p.snapshot.function_count = MANY;
    p.snapshot.node_count = MANY + 1;
    const struct exclude_list list = made();
    const char *last = strrchr(list.flag, ',');
    cr_assert_gt(list.functions, 10);
    cr_assert_lt(list.functions, 16);
    cr_assert_not_null(last);
    cr_assert_eq(strlen(last), 101, "%s", last);
}
