/* test_rtos.c - numbers for a kernel's tasks, and the trace macros of FreeRTOS, used as in the kernel: in a file
 * with its variables. */
#include "sim/sim.h"

#include <criterion/criterion.h>
#include <string.h>

/* The members that the macros use. */
struct list {
    int items;
};

struct list_item {
    struct list *container;
};

struct task {
    const char *pcTaskName;
    unsigned long uxTaskNumber;
    struct list_item xStateListItem;
};

#define configIDLE_TASK_NAME          "IDLE"
#define listLIST_ITEM_CONTAINER(item) ((item)->container)

#include "rtos/freertos/mpt_freertos.h"

enum { PRIORITIES = 4, PENDSV = 14 };

static struct list pxReadyTasksLists[PRIORITIES], delayed;
static struct task *pxCurrentTCB;

static void create(struct task *task, const char *name)
{
    *task = (struct task){.pcTaskName = name, .xStateListItem.container = &pxReadyTasksLists[1]};
    traceTASK_CREATE(task);
}

static void change_to(struct task *task)
{
    sim.exception = PENDSV;
    if (pxCurrentTCB)
        traceTASK_SWITCHED_OUT();
    pxCurrentTCB = task;
    traceTASK_SWITCHED_IN();
    sim.exception = 0;
    sim.ticks += 5;
}

static const struct heard *flush(void)
{
    sim_pass_us(MPT_FLUSH_US);
    return sim_hear();
}

static const char *name_of(const struct heard *heard, const struct task *task)
{
    size_t i = 0;

    while (i < heard->n_names && heard->names[i].context != MP_CONTEXT_TASK((uint32_t)task->uxTaskNumber))
        i++;
    cr_assert_lt(i, heard->n_names);
    return heard->names[i].name;
}

static void start(void)
{
    sim_start(NULL);
    sim_start_version(2);
    cr_assert_eq(sim_answer(), MP_ACK);
}

Test(rtos, freertos_tasks_have_names_and_blocked_states)
{
    struct task idle, sensor;

    create(&idle, "IDLE");
    create(&sensor, "sensor");
    start();
    change_to(&idle);
    change_to(&sensor);
    change_to(&sensor); /* the kernel checks at each tick, and mostly does not switch */
    sim_enter(0x100);
    sim_exit(0x100);
    sensor.xStateListItem.container = &delayed;
    change_to(&idle);
    sensor.xStateListItem.container = &pxReadyTasksLists[PRIORITIES - 1];
    change_to(&sensor);
    change_to(&idle); /* time slice of the same priority */
    const struct heard *heard = flush();
    uint32_t idle_context = MP_CONTEXT_TASK((uint32_t)idle.uxTaskNumber),
             sensor_context = MP_CONTEXT_TASK((uint32_t)sensor.uxTaskNumber);
    cr_assert_eq(heard->n_names, 2);
    for (size_t i = 0; i < 2; i++) {
        bool is_idle = heard->names[i].context == idle_context;
        cr_assert(is_idle || heard->names[i].context == sensor_context);
        cr_assert_str_eq(heard->names[i].name, is_idle ? "IDLE" : "sensor");
        cr_assert_eq(heard->names[i].is_idle, is_idle);
    }
    static const bool waits[] = {false, false, true, false, false};
    cr_assert_eq(heard->n_switches, 5);
    for (size_t i = 0; i < 5; i++) {
        cr_assert_eq(heard->switches[i].context, i % 2 ? sensor_context : idle_context);
        cr_assert_eq(heard->switches[i].is_blocked, waits[i], "switch %zu", i);
    }
    cr_assert_eq(heard->n_pairs, 1);
    cr_assert_eq(heard->pairs[0].context, sensor_context);
    cr_assert_eq(heard->pairs[0].depth, 0);
}

Test(rtos, reused_task_numbers_begin_without_calls)
{
    struct task idle, worker;

    create(&idle, "IDLE");
    start();
    for (uint32_t i = 0; i < 4 * MPT_TASKS; i++) {
        char name[] = "even worker"; /* out of scope before it is sent */

        create(&worker, i & 1 ? strcpy(name, "odd worker") : name);
        cr_assert_neq(worker.uxTaskNumber, idle.uxTaskNumber);
        cr_assert_lt(worker.uxTaskNumber, MPT_TASKS - 1);
        change_to(&worker);
        sim_enter(0x100); /* and ends in it */
        sim_enter(0x200);
        sim.ticks += 1;
        sim_exit(0x200);
        traceTASK_DELETE(&worker);
        name[0] = '?';
        worker.xStateListItem.container = &delayed;
        change_to(&idle);
        const struct heard *heard = flush();
        cr_assert_eq(heard->n_pairs, 1);
        cr_assert_str_eq(name_of(heard, &worker), i & 1 ? "odd worker" : "even worker");
        cr_assert_eq(heard->pairs[0].depth, 1, "task %u runs in the calls of another", i);
        cr_assert(heard->switches[heard->n_switches - 1].is_blocked,
                  "a task that ends does not wait to go on");
    }
    cr_assert_eq(sim_pairs.follower.counters.other_depths, 0);
}

Test(rtos, tasks_beyond_the_limit_share_the_last_number)
{
    struct task tasks[MPT_TASKS];

    start();
    for (uint32_t i = 0; i < MPT_TASKS; i++) {
        create(&tasks[i], "one of many");
        cr_assert_eq(tasks[i].uxTaskNumber, i + 1 < MPT_TASKS - 1 ? i + 1 : MPT_TASKS - 1);
        cr_assert_eq(mpt_number_find(&tasks[i]), i + 1 < MPT_TASKS - 1 ? i + 1 : 0);
    }
    change_to(&tasks[MPT_TASKS - 1]);
    const struct heard *heard = flush();
    cr_assert_str_eq(heard->names[heard->n_names - 1].name, "more than MPT_TASKS");
    traceTASK_DELETE(&tasks[2]);
    struct task next;
    create(&next, "next");
    cr_assert_eq(next.uxTaskNumber, tasks[2].uxTaskNumber);
}
