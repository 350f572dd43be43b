/* test_json.c - the snapshot JSON, and that deltas applied to it give the next one. */
#include "base/jsonio.h"
#include "export/export.h"
#include "profile/profile.h"
#include "support/calls.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct snapshot *freeze(struct profile *profile)
{
    static const struct snapshot_source source = {
        .port = "/dev/ttyX", .dialect = "miniprof", .provides = PROVIDES_TREE};
    static const struct snapshot_target target = {
        .has_metadata = true, .fw_version = "v1", .ticks_per_second = 1000000};
    struct snapshot_link link = {.bytes = UINT64_MAX};
    return profile_freeze(profile, &source, &target, &link);
}

static struct jsonio *parsed(const struct sink_buffer *text)
{
    struct error err = {0};
    struct jsonio *top = jsonio_parse("snapshot", text->bytes, text->n, &err);
    cr_assert_not_null(top, "%s", err.text);
    return top;
}

static struct sink_buffer whole(const struct snapshot *snapshot)
{
    struct sink_buffer out;
    sink_buffer_init(&out);
    exporter_find("json")->write(snapshot, &out.sink);
    return out;
}

static uint64_t number(const struct jsonio *row, const char *key)
{
    uint64_t value = 0;
    cr_assert(jsonio_u64(jsonio_member(row, key), &value), "%s is a number", key);
    return value;
}

Test(json, integers_are_exact_to_64_bits)
{
    struct profile *profile = profile_new(NULL);
    struct snapshot *snapshot = freeze(profile);
    struct sink_buffer out = whole(snapshot);
    cr_assert_not_null(strstr(out.bytes, "\"bytes\":18446744073709551615,"));
    sink_buffer_fini(&out);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(json, unknown_values_are_null)
{
    struct profile *profile = profile_new(NULL);
    profile_apply(profile, &(struct event){.kind = EVENT_CALL, .depth = 1, .ticks = 5, .call = {0x100, 7}},
                  1);
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    struct sink_buffer out = whole(snapshot);
    struct jsonio *top = parsed(&out);
    cr_assert(jsonio_is_null(jsonio_member(jsonio_member(top, "target"), "elf_match")));
    const struct jsonio *functions = jsonio_member(top, "functions");
    bool first = !strcmp(jsonio_text(jsonio_member(jsonio_at(functions, 0), "kind")), "running");
    const struct jsonio *placeholder = jsonio_at(functions, first ? 0 : 1);
    cr_assert_str_eq(jsonio_text(jsonio_member(placeholder, "kind")), "running");
    cr_assert_eq(number(placeholder, "number"), 0);
    cr_assert_eq(number(placeholder, "calls"), 0);
    cr_assert_eq(number(placeholder, "total_ticks"), 0);
    cr_assert(jsonio_is_null(jsonio_member(placeholder, "min_ticks")));
    cr_assert(jsonio_is_null(jsonio_member(placeholder, "address")));
    const struct jsonio *function = jsonio_at(functions, first ? 1 : 0);
    cr_assert_str_eq(jsonio_text(jsonio_member(function, "name")), "0x00000100");
    cr_assert_str_eq(jsonio_text(jsonio_member(function, "kind")), "function");
    cr_assert_null(jsonio_member(function, "number"));
    cr_assert_eq(number(function, "calls"), 1);
    cr_assert_eq(number(function, "max_ticks"), 7);
    cr_assert(jsonio_is_null(jsonio_member(function, "file")));
    jsonio_free(top);
    sink_buffer_fini(&out);
    snapshot_unref(snapshot);
    profile_free(profile);
}

/* A client's data: the numbers of each row. */
struct client {
    uint64_t functions[64][3]; /* calls, self, p99 */
    uint64_t nodes[4096][3];   /* parent + 1, calls, total */
    size_t function_n;
};

static void apply(struct client *client, const struct jsonio *top)
{
    const struct jsonio *functions = jsonio_member(top, "functions");
    for (size_t i = 0; i < jsonio_count(functions); i++) {
        const struct jsonio *row = jsonio_at(functions, i);
        size_t id = number(row, "id");
        if (jsonio_is_null(jsonio_member(row, "p99_ticks")))
            memset(client->functions[id], 0, sizeof client->functions[id]);
        else {
            client->functions[id][0] = number(row, "calls");
            client->functions[id][1] = number(row, "self_ticks");
            client->functions[id][2] = number(row, "p99_ticks");
        }
        client->function_n = id >= client->function_n ? id + 1 : client->function_n;
    }
    const struct jsonio *tree = jsonio_member(top, "call_tree");
    const struct jsonio *index = jsonio_member(tree, "index");
    bool is_whole =
        !jsonio_member(top, "since"); /* parents are given by their row, in a delta by their index */
    for (size_t i = 0; i < jsonio_count(index); i++) {
        uint64_t node, above, calls, total;
        double parent;
        cr_assert(jsonio_u64(jsonio_at(index, i), &node));
        cr_assert(jsonio_double(jsonio_at(jsonio_member(tree, "parent"), i), &parent));
        cr_assert(jsonio_u64(jsonio_at(jsonio_member(tree, "calls"), i), &calls));
        cr_assert(jsonio_u64(jsonio_at(jsonio_member(tree, "total_ticks"), i), &total));
        above = (uint64_t)parent;
        if (is_whole && parent >= 0)
            cr_assert(jsonio_u64(jsonio_at(index, (size_t)parent), &above));
        bool is_empty = calls == 0 && total == 0; /* a whole tree may leave it out */
        client->nodes[node][0] = is_empty ? 0 : above + 1;
        client->nodes[node][1] = calls;
        client->nodes[node][2] = total;
    }
}

Test(json, deltas_applied_to_the_first_snapshot_give_the_last_one)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct test_random random = {seed * 31};
        struct calls calls;
        calls_make(&calls, &random, 400, 5, false, (uint16_t)(seed % 3));
        struct profile *profile = profile_new(NULL);
        static struct client client, want;
        memset(&client, 0, sizeof client);
        memset(&want, 0, sizeof want);
        uint64_t since = 0;
        for (size_t at = 0; at < calls.n;) {
            size_t n = 1 + test_random_below(&random, 60);
            n = n > calls.n - at ? calls.n - at : n;
            profile_apply(profile, calls.events + at, n);
            at += n;
            if (test_random_below(&random, 4) == 0)
                profile_finish(profile);
            if (test_random_below(&random, 3) && since)
                continue; /* a snapshot nobody saw */
            struct snapshot *snapshot = freeze(profile);
            struct sink_buffer out;
            sink_buffer_init(&out);
            if (since == 0)
                exporter_find("json")->write(snapshot, &out.sink);
            else
                export_delta(snapshot, since, &out.sink);
            struct jsonio *top = parsed(&out);
            cr_assert(since == 0 || number(top, "since") == since);
            since = number(top, "sequence");
            apply(&client, top);
            jsonio_free(top);
            sink_buffer_fini(&out);

            memset(&want, 0, sizeof want);
            out = whole(snapshot);
            top = parsed(&out);
            apply(&want, top);
            jsonio_free(top);
            sink_buffer_fini(&out);
            cr_assert_arr_eq(&client, &want, sizeof client, "seed %" PRIu64 ", sequence %" PRIu64, seed,
                             since);
            snapshot_unref(snapshot);
        }
        profile_free(profile);
        calls_free(&calls);
    }
}

Test(json, one_changed_function_of_many_costs_few_bytes)
{
    struct profile *profile = profile_new(NULL);
    for (uint32_t i = 0; i < 5000; i++)
        profile_apply(profile,
                      &(struct event){.kind = EVENT_CALL, .ticks = i * 10, .call = {0x1000 + 16 * i, 5}}, 1);
    profile_finish(profile);
    struct snapshot *before = freeze(profile);
    profile_apply(profile, &(struct event){.kind = EVENT_CALL, .ticks = 60000, .call = {0x2000, 5}}, 1);
    profile_finish(profile);
    struct snapshot *after = freeze(profile);
    struct sink_buffer out;
    sink_buffer_init(&out);
    export_delta(after, before->sequence, &out.sink);
    cr_assert_leq(out.n, 3130, "%zu bytes", out.n);
    sink_buffer_fini(&out);
    snapshot_unref(before);
    snapshot_unref(after);
    profile_free(profile);
}

static double decimal(const struct jsonio *object, const char *key)
{
    double value = 0;
    cr_assert(jsonio_double(jsonio_member(object, key), &value), "%s", key);
    return value;
}

Test(json, the_description_of_the_target_is_complete_and_escaped)
{
    struct profile *profile = profile_new(NULL);
    struct snapshot *snapshot = freeze(profile);
    struct sink_buffer out = whole(snapshot);
    struct jsonio *top = parsed(&out);
    const struct jsonio *target = jsonio_member(top, "target");
    cr_assert(jsonio_is_null(jsonio_member(target, "description")));
    cr_assert(jsonio_is_null(jsonio_member(target, "mode")));
    cr_assert_str_eq(jsonio_text(jsonio_member(target, "mode_wanted")), "auto");
    jsonio_free(top);
    sink_buffer_fini(&out);
    snapshot_unref(snapshot);

    static const char name[] = "\"</script>\\\n\x01\xEF\xBF\xBD";
    struct snapshot_target said = {.mode = MODE_STREAM, .mode_wanted = MODE_TREE};
    said.description = (struct snapshot_description){.is_known = true,
                                                     .versions = 1u << 31 | 6,
                                                     .tick_hz = UINT32_MAX,
                                                     .ring_calls = 64,
                                                     .stack_depth = 32,
                                                     .tasks = 255,
                                                     .packet_bytes = 500,
                                                     .hook_sixteenths = 151,
                                                     .setting_count = EVENT_SETTINGS_MAX};
    for (unsigned i = 0; i < EVENT_SETTINGS_MAX; i++) {
        struct snapshot_setting *setting = &said.description.settings[i];
        *setting = (struct snapshot_setting){.least = i, .most = UINT32_MAX, .value = 2 * i, .unit = "us"};
        strcpy(setting->name, name);
    }
    snapshot = profile_freeze(profile, &(struct snapshot_source){.dialect = "miniprof"}, &said,
                              &(struct snapshot_link){0});
    out = whole(snapshot);
    top = parsed(&out);
    target = jsonio_member(top, "target");
    const struct jsonio *description = jsonio_member(target, "description");
    cr_assert_str_eq(jsonio_text(jsonio_member(target, "mode")), "stream");
    cr_assert_str_eq(jsonio_text(jsonio_member(target, "mode_wanted")), "tree");
    const struct jsonio *versions = jsonio_member(description, "versions");
    uint64_t last = 0;
    cr_assert_eq(jsonio_count(versions), 3);
    cr_assert(jsonio_u64(jsonio_at(versions, 2), &last) && last == 31);
    cr_assert_eq(number(description, "tick_hz"), UINT32_MAX);
    cr_assert(number(description, "ring_calls") == 64 && number(description, "stack_depth") == 32);
    cr_assert_eq(number(description, "tasks"), 255);
    cr_assert_eq(number(description, "packet_bytes"), 500);
    cr_assert_eq(decimal(description, "hook_ticks"), 9.4375);
    const struct jsonio *settings = jsonio_member(description, "settings");
    cr_assert_eq(jsonio_count(settings), EVENT_SETTINGS_MAX);
    const struct jsonio *third = jsonio_at(settings, 2);
    cr_assert_str_eq(jsonio_text(jsonio_member(third, "name")), name);
    cr_assert_str_eq(jsonio_text(jsonio_member(third, "unit")), "us");
    cr_assert_eq(number(third, "least"), 2);
    cr_assert_eq(number(third, "most"), UINT32_MAX);
    cr_assert_eq(number(third, "value"), 4);
    jsonio_free(top);
    sink_buffer_fini(&out);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(json, contexts_have_running_times_if_the_target_reports_turns)
{
    struct profile *profile = profile_new(NULL);
    const struct event events[] = {
        {.kind = EVENT_ENTER, .context = 0, .ticks = 10, .call = {.address = 0x100}},
        {.kind = EVENT_SWITCH, .context = 0, .ticks = 10},
        {.kind = EVENT_SWITCH, .context = 7, .ticks = 40, .flags = EVENT_WAITS},
        {.kind = EVENT_SWITCH, .context = 0, .ticks = 50},
        {.kind = EVENT_EXIT, .context = 0, .ticks = 70, .call = {.address = 0x100}},
    };
    profile_apply(profile, events, 1);
    struct snapshot *snapshot = freeze(profile);
    struct sink_buffer out = whole(snapshot);
    cr_expect_null(strstr(out.bytes, "running_ticks"), "nothing said which context runs");
    sink_buffer_fini(&out);
    snapshot_unref(snapshot);
    profile_apply(profile, events + 1, sizeof events / sizeof *events - 1);
    snapshot = freeze(profile);
    out = whole(snapshot);
    struct jsonio *top = parsed(&out);
    const struct jsonio *row = jsonio_at(jsonio_member(top, "contexts"), 0);
    double load;
    cr_expect_eq(number(row, "running_ticks"), 50);
    cr_expect_eq(number(row, "blocked_ticks"), 10);
    cr_expect_eq(number(row, "preempted_ticks"), 0);
    cr_expect(jsonio_double(jsonio_member(row, "load_percent"), &load) && load == 83.333);
    row = jsonio_at(jsonio_member(top, "contexts"), 1);
    cr_expect_eq(number(row, "running_ticks"), 10);
    jsonio_free(top);
    sink_buffer_fini(&out);

    struct snapshot *range = snapshot_window(snapshot, 0, 60);
    out = whole(range);
    top = parsed(&out);
    row = jsonio_at(jsonio_member(top, "contexts"), 0);
    cr_expect_eq(number(row, "running_ticks"), 40);
    cr_expect_eq(number(row, "blocked_ticks"), 10);
    cr_expect(jsonio_double(jsonio_member(row, "load_percent"), &load) && load == 80);
    jsonio_free(top);
    sink_buffer_fini(&out);
    snapshot_unref(range);
    snapshot_unref(snapshot);
    profile_free(profile);
}
