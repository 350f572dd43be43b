/* test_task_figures.c - responses and the longest waits of contexts, against a random program's
 * steps. */
#include "snapshot/task_figures.h"
#include "tasks_program.h"

static int by_ticks(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* A stretch of time of a context in one state. */
struct stretch {
    uint64_t from, to;
    enum state state;
    uint32_t depth;
};

static struct stretch stretches[CONTEXTS][4 * STEPS];
static uint32_t counts[CONTEXTS];

static void join_steps(void)
{
    for (uint32_t c = 0; c < CONTEXTS; c++) {
        uint64_t since = 0;
        counts[c] = 0;
        for (uint32_t i = 0; i < p.log_n; i++) {
            const struct moment_log *step = &p.log[i];
            struct stretch *last = counts[c] ? &stretches[c][counts[c] - 1] : NULL;
            if (last && last->state == step->states[c] && step->states[c] != NEVER_RAN)
                last->to = step->until;
            else
                stretches[c][counts[c]++] =
                    (struct stretch){since, step->until, step->states[c], step->depths[c]};
            since = step->until;
        }
    }
}

static uint32_t depth_of_waits(uint32_t context)
{
    uint32_t at[DEEPEST + 1] = {0}, all = 0, depth = 0;
    for (uint32_t i = 0; i < counts[context]; i++)
        if (stretches[context][i].state == BLOCKED)
            at[stretches[context][i].depth]++, all++;
    while (all > 0 && at[depth] * 20 < all)
        depth++;
    return all > 0 ? depth : UINT32_MAX;
}

/* True when the context once began to run after a wait while the other one was ready. */
static bool ran_before(uint32_t context, uint32_t other)
{
    for (uint32_t i = 1; i < counts[context]; i++)
        for (uint32_t j = 0; j < counts[other]; j++)
            if (stretches[context][i].state == RUNNING && stretches[context][i - 1].state == BLOCKED &&
                stretches[other][j].state == PREEMPTED &&
                stretches[other][j].from <= stretches[context][i].from &&
                stretches[other][j].to > stretches[context][i].from)
                return true;
    return false;
}

static bool interrupt_ended_at(uint64_t ticks)
{
    for (uint32_t c = THREADS; c < CONTEXTS; c++)
        for (uint32_t i = 0; i < counts[c]; i++)
            if (stretches[c][i].state == RUNNING && stretches[c][i].to == ticks)
                return true;
    return false;
}

/* Its running time after an interrupt, up to `to`, which may be the switch. */
static uint64_t last_run(uint32_t context, uint64_t from, uint64_t to)
{
    uint64_t last = from;
    for (uint32_t i = 0; i < counts[context]; i++) {
        const struct stretch *run = &stretches[context][i];
        if (run->state == RUNNING && run->from < to && run->to > from &&
            !(run->to == to && interrupt_ended_at(run->from)))
            last = run->to < to ? run->to : to;
    }
    return last;
}

static void longer(struct task_stretch *longest, uint64_t from, uint64_t to)
{
    if (to - from > longest->ticks)
        *longest = (struct task_stretch){from, to - from};
}

static void count_ready(uint32_t context, struct task_figures *truth)
{
    bool below[CONTEXTS];
    for (uint32_t other = 0; other < CONTEXTS; other++) {
        below[other] = other != context && ran_before(context, other) && !ran_before(other, context);
        truth->has_ready |= below[other];
    }
    for (uint32_t i = 0; i + 1 < counts[context]; i++) {
        const struct stretch *wait = &stretches[context][i];
        uint64_t since = wait->from;
        for (uint32_t other = 0; other < CONTEXTS; other++) {
            uint64_t last = below[other] ? last_run(other, wait->from, wait->to) : 0;
            since = last > since ? last : since;
        }
        if (wait->state == BLOCKED && wait[1].state == RUNNING)
            longer(&truth->ready, since, wait->to);
    }
}

static uint64_t responses[4 * STEPS];

static void add(struct task_figures *truth, uint64_t from, uint64_t to)
{
    responses[truth->activations++] = to - from;
    longer(&truth->slowest, from, to);
}

static struct task_figures count(uint32_t context)
{
    struct task_figures truth = {0};
    uint32_t depth = depth_of_waits(context);
    uint64_t since = 0;
    for (uint32_t i = 0; i < counts[context]; i++) {
        const struct stretch *now = &stretches[context][i];
        if (now->state == PREEMPTED)
            longer(&truth.preempted, now->from, now->to);
        if (now->state == BLOCKED)
            longer(now->depth <= depth ? &truth.work_wait : &truth.call_wait, now->from, now->to);
        if (now->state != BLOCKED || now->depth > depth)
            continue;
        if (since > 0)
            add(&truth, since, now->from);
        since = now->to;
    }
    for (uint32_t i = 0; i < p.ended_n && depth == UINT32_MAX; i++)
        if (p.ended[i].context == context && p.ended[i].depth == 0)
            add(&truth, p.ended[i].start, p.ended[i].end);
    if (depth != UINT32_MAX)
        count_ready(context, &truth);
    return truth;
}

static void expect_stretch(const struct task_stretch *told, const struct task_stretch *truth)
{
    cr_assert_eq(told->ticks, truth->ticks);
    if (truth->ticks > 0)
        cr_assert_eq(told->start_ticks, truth->start_ticks);
}

/* Percentiles are of buckets, which are 1/32 wide. */
static void expect_percentile(uint64_t told, double share, uint64_t n)
{
    uint64_t rank = (uint64_t)(share * (double)n), low = responses[rank > 0 ? rank - 1 : 0];
    uint64_t high = responses[rank < n ? rank : n - 1];
    cr_assert_geq(told + told / 16 + 1, low);
    cr_assert_leq(told, high + high / 16 + 1);
}

static void expect_figures(const struct task_figures *told, uint32_t context)
{
    const struct task_figures truth = count(context);
    cr_assert(told->has_turns);
    cr_assert_eq(told->activations, truth.activations);
    expect_stretch(&told->slowest, &truth.slowest);
    expect_stretch(&told->work_wait, &truth.work_wait);
    expect_stretch(&told->call_wait, &truth.call_wait);
    expect_stretch(&told->preempted, &truth.preempted);
    cr_assert_eq(told->has_ready, truth.has_ready);
    expect_stretch(&told->ready, &truth.ready);
    if (truth.activations == 0)
        return;
    qsort(responses, truth.activations, sizeof *responses, by_ticks);
    cr_assert_eq(told->min_ticks, responses[0]);
    expect_percentile(told->p50_ticks, 0.5, truth.activations);
    expect_percentile(told->p99_ticks, 0.99, truth.activations);
}

Test(task_figures, figures_are_those_of_each_step_of_a_random_program)
{
    struct test_random random = test_random_start("task_figures");
    for (int program = 0; program < 20; program++) {
        struct task_figures told[CONTEXTS];
        uint64_t held;
        run_program(test_random_next(&random));
        join_steps();
        struct snapshot *snapshot = freeze(p.profile);
        cr_assert_eq(snapshot->context_count, CONTEXTS);
        cr_assert(task_figures_find(snapshot, 0, UINT64_MAX, told, &held));
        cr_assert_eq(held, 0);
        for (uint32_t i = 0; i < CONTEXTS; i++)
            expect_figures(&told[row_of_context(snapshot, i)], i);
        snapshot_unref(snapshot);
        profile_free(p.profile);
    }
}

static struct snapshot *find(struct task_figures *figures)
{
    uint64_t held;
    struct snapshot *snapshot = freeze(p.profile);
    cr_assert(task_figures_find(snapshot, 0, UINT64_MAX, figures, &held));
    return snapshot;
}

static void begin_by_hand(void)
{
    memset(&p, 0, sizeof p);
    p.profile = profile_new(NULL);
}

static void enter_at(uint64_t ticks, uint32_t function)
{
    p.now = ticks;
    tell(EVENT_ENTER, p.running, function, 0);
}

static void leave_at(uint64_t ticks, uint32_t function)
{
    p.now = ticks;
    tell(EVENT_EXIT, p.running, function, 0);
}

/* Thread 1 waits for work at depth 1, and once in a call; 2 has always work. */
static void run_two(void)
{
    run_until(100, 1, false);
    enter_at(101, 0);
    run_until(110, 2, true);
    run_until(200, 1, false); /* an activation of 100 ticks begins */
    enter_at(210, 1);
    run_until(220, 2, true); /* a mutex */
    run_until(260, 1, false);
    leave_at(280, 1);
    run_until(300, 2, true);
    run_until(400, 1, false);
}

Test(task_figures, a_wait_in_a_call_lies_inside_of_an_activation)
{
    struct task_figures figures[SNAPSHOT_CONTEXTS_MAX];
    begin_by_hand();
    run_two();
    run_until(450, 2, true);
    run_until(500, 1, false);
    struct snapshot *snapshot = find(figures);
    const struct task_figures *one = &figures[row_of_context(snapshot, 1)];
    cr_expect_eq(one->activations, 2);
    cr_expect_eq(one->min_ticks, 50);
    cr_expect_eq(one->slowest.ticks, 100);
    cr_expect_eq(one->slowest.start_ticks, 200);
    cr_expect_eq(one->call_wait.ticks, 40);
    cr_expect_eq(one->work_wait.ticks, 100);
    cr_expect(one->has_ready, "it runs as soon as it can");
    cr_expect_eq(one->ready.ticks, 0, "2 ran until it did");
    const struct task_figures *two = &figures[row_of_context(snapshot, 2)];
    cr_expect_eq(two->preempted.ticks, 50, "from 400 to 450");
    snapshot_unref(snapshot);
    profile_free(p.profile);
}

Test(task_figures, an_activation_with_a_loss_in_it_is_none)
{
    struct task_figures figures[SNAPSHOT_CONTEXTS_MAX];
    begin_by_hand();
    run_two();
    profile_apply(p.profile, &(struct event){.kind = EVENT_LOST}, 1);
    run_until(500, 1, false);
    enter_at(510, 0);
    run_until(550, 2, true);
    run_until(600, 1, false);
    struct snapshot *snapshot = find(figures);
    cr_expect_eq(figures[row_of_context(snapshot, 1)].activations, 1);
    snapshot_unref(snapshot);
    profile_free(p.profile);
}

Test(task_figures, without_turns_outermost_calls_are_all_that_is_known)
{
    struct task_figures figures[SNAPSHOT_CONTEXTS_MAX];
    begin_by_hand();
    p.running = 0;
    enter_at(10, 0);
    enter_at(15, 1);
    leave_at(18, 1);
    leave_at(30, 0);
    struct snapshot *snapshot = find(figures);
    cr_expect_not(figures[0].has_turns);
    cr_expect_eq(figures[0].activations, 1);
    cr_expect_eq(figures[0].slowest.ticks, 20);
    cr_expect_eq(figures[0].preempted.ticks, 0);
    snapshot_unref(snapshot);
    profile_free(p.profile);
}

/* 2 was seen ready when 1 began to run, and 1 now that 2 does: neither is above the other. */
Test(task_figures, a_run_that_goes_on_shows_that_two_are_equals)
{
    struct task_figures figures[CONTEXTS];
    begin_by_hand();
    run_until(100, 1, true);
    run_until(110, 2, true);
    run_until(200, 1, false);
    run_until(210, 2, true);
    run_until(220, 1, true);
    run_until(230, 2, false);
    enter_at(240, 0);
    struct snapshot *snapshot = find(figures);
    cr_assert_not(figures[row_of_context(snapshot, 1)].has_ready);
    snapshot_unref(snapshot);
    profile_free(p.profile);
}
