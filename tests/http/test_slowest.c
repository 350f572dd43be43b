/* test_slowest.c - the slowest calls in an answer are those of the snapshot, and a stretch is split into the running,
 * preempted and blocked time of a context. */
#include "answer.h"
#include "own_site.h"
#include "snapshot/slowest.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(slowest, .init = open_site, .fini = close_site);

enum { MOST = 50 };

static void expect_unknown(const struct jsonio *json, const char *name)
{
    const struct jsonio *member = jsonio_member(json, name);
    cr_assert_not_null(member, "%s", name);
    cr_expect(jsonio_is_null(member), "%s is known", name);
}

static void expect_call(const struct jsonio *json, const struct slow_call *call)
{
    cr_expect_eq(answer_number(jsonio_member(json, "function")), call->function);
    cr_expect_eq(answer_number(jsonio_member(json, "context")), call->context);
    cr_expect_eq(answer_number(jsonio_member(json, "depth")), call->depth);
    cr_expect_eq(answer_number(jsonio_member(json, "start")), call->start_ticks);
    cr_expect_eq(answer_number(jsonio_member(json, "duration")), call->duration_ticks);
    cr_expect_eq(answer_number(jsonio_member(json, "usual_ticks")), call->usual_ticks);
    /* This fixture reports no turns. */
    expect_unknown(json, "ran_ticks");
    cr_expect_str_eq(jsonio_text(jsonio_member(json, "usual_is")), call->has_p99 ? "p99" : "twice p50");
    cr_expect_eq(jsonio_count(jsonio_member(json, "by")), 0);
}

Test(slowest, the_answer_has_the_calls_of_the_snapshot)
{
    struct test_random random = test_random_start("slowest");
    struct slow_call calls[MOST];
    size_t n;
    fixture_feed(&fixture, &random, 4000);
    struct snapshot *snapshot = board_read(fixture.board);
    cr_assert(slowest_find(snapshot, 0, UINT64_MAX, calls, MOST, &n));
    struct jsonio *json = get("/api/v1/slowest?max=50");
    cr_assert_eq(status, 200);
    const struct jsonio *list = jsonio_member(json, "calls");
    cr_assert_gt(n, 0);
    cr_assert_eq(jsonio_count(list), n);
    for (size_t i = 0; i < n; i++)
        expect_call(jsonio_at(list, i), &calls[i]);
    jsonio_free(json);
    json = get("/api/v1/slowest");
    cr_expect_eq(jsonio_count(jsonio_member(json, "calls")), n < 5 ? n : 5);
    jsonio_free(json);
    snapshot_unref(snapshot);
}

/* Thread 1 runs from 100 to 150, is interrupted by 2 until 180, and runs on until 200. */
static void run_threads(void)
{
    const struct event events[] = {
        {.kind = EVENT_SWITCH, .context = 1, .ticks = 100},
        {.kind = EVENT_ENTER, .context = 1, .ticks = 100, .call.address = 0x100},
        {.kind = EVENT_SWITCH, .context = 2, .flags = EVENT_INTERRUPT, .ticks = 150},
        {.kind = EVENT_ENTER, .context = 2, .flags = EVENT_INTERRUPT, .ticks = 150, .call.address = 0x200},
        {.kind = EVENT_EXIT, .context = 2, .flags = EVENT_INTERRUPT, .ticks = 180, .call.address = 0x200},
        {.kind = EVENT_SWITCH, .context = 1, .ticks = 180},
        {.kind = EVENT_EXIT, .context = 1, .ticks = 200, .call.address = 0x100},
    };
    profile_apply(fixture.profile, events, sizeof events / sizeof *events);
    fixture_publish(&fixture);
}

Test(slowest, a_stretch_of_a_context_is_split)
{
    run_threads();
    struct snapshot *snapshot = board_read(fixture.board);
    uint32_t thread = 0;
    for (uint32_t i = 0; i < snapshot->context_count; i++)
        if (!strcmp(snapshot->contexts[i].name, "context 1"))
            thread = i;
    char target[96];
    snprintf(target, sizeof target, "/api/v1/split?context=%u&from=100&to=200", thread);
    struct jsonio *json = get(target);
    cr_assert_eq(status, 200);
    cr_expect_eq(answer_number(jsonio_member(json, "ran_ticks")), 70);
    cr_expect_eq(answer_number(jsonio_member(json, "preempted_ticks")), 30);
    cr_expect_eq(answer_number(jsonio_member(json, "blocked_ticks")), 0);
    const struct jsonio *by = jsonio_member(json, "by");
    cr_assert_eq(jsonio_count(by), 1);
    cr_expect_eq(answer_number(jsonio_member(jsonio_at(by, 0), "ticks")), 30);
    cr_expect_neq(answer_number(jsonio_member(jsonio_at(by, 0), "context")), thread);
    jsonio_free(json);
    snapshot_unref(snapshot);
    const struct {
        const char *query;
        unsigned status;
    } wrong[] = {{"context=0&from=5", 400},
                 {"from=5&to=6", 400},
                 {"context=99&from=5&to=6", 404},
                 {"context=0&from=9&to=6", 400}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(target, sizeof target, "/api/v1/split?%s", wrong[i].query);
        jsonio_free(get(target));
        cr_expect_eq(status, wrong[i].status, "%s", wrong[i].query);
    }
}

static const struct jsonio *task_of(const struct jsonio *json, uint32_t context)
{
    const struct jsonio *task = jsonio_at(jsonio_member(json, "tasks"), context);
    cr_assert_eq(answer_number(jsonio_member(task, "context")), context);
    return task;
}

Test(slowest, tasks_have_response_times_and_causes_of_delay)
{
    run_threads();
    struct snapshot *snapshot = board_read(fixture.board);
    uint32_t thread = 0;
    for (uint32_t i = 0; i < snapshot->context_count; i++)
        if (!strcmp(snapshot->contexts[i].name, "context 1"))
            thread = i;
    struct jsonio *json = get("/api/v1/tasks");
    cr_assert_eq(status, 200);
    cr_assert_eq(jsonio_count(jsonio_member(json, "tasks")), snapshot->context_count);
    const struct jsonio *task = task_of(json, thread), *slowest = jsonio_member(task, "slowest");
    cr_expect_eq(answer_number(jsonio_member(task, "activations")), 1);
    cr_expect_eq(answer_number(jsonio_member(task, "max_ticks")), 100);
    cr_expect_eq(answer_number(jsonio_member(slowest, "start")), 100);
    cr_expect_eq(answer_number(jsonio_member(slowest, "preempted_ticks")), 30);
    const struct jsonio *preempted = jsonio_member(task, "preempted");
    cr_expect_eq(answer_number(jsonio_member(preempted, "start")), 150);
    cr_expect_eq(answer_number(jsonio_member(preempted, "duration")), 30);
    cr_expect_eq(jsonio_count(jsonio_member(preempted, "by")), 1);
    cr_expect_null(jsonio_member(jsonio_member(task, "work_wait"), "start"), "it never waited");
    jsonio_free(json);
    snapshot_unref(snapshot);
    jsonio_free(get("/api/v1/tasks?from=2&to=1"));
    cr_expect_eq(status, 400);
}

/* As in mode tree, whose calls the target counts. */
Test(slowest, tasks_without_held_calls_have_no_number_of_activations)
{
    const struct event start = {.kind = EVENT_SWITCH, .context = 1, .ticks = 100};
    profile_apply(fixture.profile, &start, 1);
    fixture_publish(&fixture);
    struct jsonio *json = get("/api/v1/tasks");
    cr_assert_eq(status, 200);
    const struct jsonio *tasks = jsonio_member(json, "tasks");
    cr_assert_gt(jsonio_count(tasks), 0);
    for (size_t i = 0; i < jsonio_count(tasks); i++)
        expect_unknown(jsonio_at(tasks, i), "activations");
    jsonio_free(json);
}

Test(slowest, an_impossible_number_is_refused)
{
    const char *const wrong[] = {"max=0", "max=51", "max=x", "from=2&to=1", "other=1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char target[64];
        snprintf(target, sizeof target, "/api/v1/slowest?%s", wrong[i]);
        struct jsonio *json = get(target);
        cr_expect_eq(status, 400, "%s", wrong[i]);
        jsonio_free(json);
    }
}
