/* test_tfm_names.c - names files: their meaning, and refused ones. */
#include "dialect/tfm/names.h"

#include "base/sink.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "dialect/dialect.h"
#include "support/effort.h"

static const char demo[] =
    "{ \"clock_hz\": 100000000, \"calibration\": {\"0\": 7, \"3\": 23}, \"topics\": {\"0\": \"psa\"},"
    "  \"checkpoints\": {\"0/0\": \"connect start\", \"255/65535\": \"last\"},"
    "  \"pairs\": [ {\"name\": \"psa_connect\", \"topic\": 0, \"from\": 0, \"to\": 1}, {\"topic\": 1, "
    "\"from\": 2, \"to\": 2} ] }";

/* Pairs across topics and worlds: within one world, from one to the other, and in each. */
static const char across[] =
    "{\"pairs\": [{\"topic\": 3, \"from\": 1, \"to_topic\": 255, \"to\": 2},"
    "  {\"topic\": 3, \"from\": 1, \"to\": 2, \"world\": \"non-secure\"},"
    "  {\"topic\": 0, \"from\": 1, \"to\": 2, \"world\": \"secure\", \"to_world\": \"non-secure\"},"
    "  {\"topic\": 9, \"from\": 1, \"to_topic\": 0, \"to\": 2, \"world\": \"2\", \"to_world\": \"1\"}]}";

Test(tfm_names, a_file_is_a_plan)
{
    struct error err = {""};
    struct tfm_names *names = tfm_names_read("demo.json", demo, sizeof demo - 1, &err);
    cr_assert_not_null(names, "%s", err.text);
    const struct event_plan *plan = &names->plan;
    cr_assert_eq(names->clock_hz, 100000000);
    cr_assert(plan->calibration[0] == 7 && plan->calibration[1] == 0 && plan->calibration[3] == 23);
    cr_assert_eq(plan->name_count, 3);
    cr_assert(plan->names[0].is_topic && !strcmp(plan->names[0].name, "psa"));
    cr_assert(plan->names[2].topic == 255 && plan->names[2].checkpoint == 65535);
    cr_assert_eq(plan->pair_count, 2);
    cr_assert(!strcmp(plan->pairs[0].name, "psa_connect") && plan->pairs[0].to == 1);
    cr_assert(!plan->pairs[1].name && plan->pairs[1].topic == 1);
    tfm_names_free(names);
}

Test(tfm_names, a_pair_may_end_in_another_topic_and_in_the_other_world)
{
    static const struct event_pair expected[] = {
        {NULL, 3, 1, 2, 255, false, 0, 0},
        {NULL, 3, 1, 2, 3, true, 3, 3},
        {NULL, 0, 1, 2, 0, true, 0, 3},
        {NULL, 9, 1, 2, 0, true, 2, 1},
    };
    struct error err = {""};
    struct tfm_names *names = tfm_names_read("across.json", across, sizeof across - 1, &err);
    cr_assert_not_null(names, "%s", err.text);
    cr_assert_eq(names->plan.pair_count, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct event_pair *pair = &names->plan.pairs[i], *other = &expected[i];
        cr_assert(pair->topic == other->topic && pair->from == other->from && pair->to == other->to &&
                      pair->to_topic == other->to_topic,
                  "pair %zu", i + 1);
        cr_assert(pair->of_world == other->of_world && pair->calibration == other->calibration &&
                      pair->to_calibration == other->to_calibration,
                  "pair %zu", i + 1);
    }
    tfm_names_free(names);
}

Test(tfm_names, an_error_names_the_wrong_member)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "bad.json"},
        {"[]", "JSON object"},
        {"{\"clock_hz\": -1}", "clock_hz"},
        {"{\"clock_hz\": \"1\"}", "clock_hz"},
        {"{\"calibration\": {\"4\": 1}}", "calibration"},
        {"{\"calibration\": {\"0\": 4294967296}}", "calibration"},
        {"{\"calibration\": {\"x\": 1}}", "\"x\""},
        {"{\"topics\": {\"256\": \"t\"}}", "256"},
        {"{\"topics\": {\"1\": 2}}", "topics"},
        {"{\"checkpoints\": {\"1\": \"c\"}}", "checkpoints"},
        {"{\"checkpoints\": {\"1/65536\": \"c\"}}", "65536"},
        {"{\"checkpoints\": {\"1/2/3\": \"c\"}}", "1/2/3"},
        {"{\"pairs\": [{\"topic\": 0, \"from\": 1, \"to\": 2}, {\"topic\": 0, \"from\": 1}]}", "pair 2"},
        {"{\"pairs\": [5]}", "pair 1"},
        {"{\"pairs\": [{\"topic\": 0, \"from\": 1, \"to\": 2, \"to_topic\": 256}]}",
         "\"to_topic\" of pair 1"},
        {"{\"pairs\": [{\"topic\": 0, \"from\": 1, \"to\": 2, \"to_topic\": null}]}",
         "\"to_topic\" of pair 1"},
        {"{\"pairs\": [{\"topic\": 0, \"from\": 1, \"to\": 2, \"world\": \"both\"}]}", "\"world\" of pair 1"},
        {"{\"pairs\": [{\"topic\": 0, \"from\": 1, \"to\": 2, \"world\": 3}]}", "\"world\" of pair 1"},
        {"{\"pairs\": [{\"topic\": 0, \"from\": 1, \"to\": 2, \"world\": \"1\", \"to_world\": []}]}",
         "\"to_world\" of pair 1"},
        {"{\"pairs\": [{\"topic\": 0, \"from\": 1, \"to\": 2, \"to_world\": \"secure\"}]}", "no \"world\""},
        {"{\"calibration\": [1]}", "\"calibration\" must be an object"},
        {"{\"topics\": [\"x\"]}", "\"topics\" must be an object"},
        {"{\"checkpoints\": [\"x\"]}", "\"checkpoints\" must be an object"},
        {"{\"topics\": 5}", "\"topics\" must be an object"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error err = {""};
        cr_assert_null(tfm_names_read("bad.json", cases[i].text, strlen(cases[i].text), &err), "case %zu", i);
        cr_assert(strstr(err.text, "bad.json") && strstr(err.text, cases[i].says), "case %zu: %s", i,
                  err.text);
    }
}

/* A search from the start for each of them would take hours. */
Test(tfm_names, many_names_and_pairs_are_read_in_one_go)
{
    const unsigned many = test_effort(20000, 60000);
    struct sink_buffer text;
    struct error err = {""};
    sink_buffer_init(&text);
    sink_text(&text.sink, "{\"checkpoints\": {");
    for (unsigned i = 0; i < many; i++)
        sink_printf(&text.sink, "%s\"1/%u\": \"c\"", i > 0 ? "," : "", i);
    sink_text(&text.sink, "}, \"pairs\": [");
    for (unsigned i = 0; i < 4 * many; i++)
        sink_printf(&text.sink, "%s{\"topic\": 1, \"from\": %u, \"to\": 2}", i > 0 ? "," : "", i % many);
    sink_text(&text.sink, "]}");
    struct tfm_names *names = tfm_names_read("many.json", text.bytes, text.n, &err);
    cr_assert_not_null(names, "%s", err.text);
    cr_expect_eq(names->plan.name_count, many);
    cr_expect_eq(names->plan.pair_count, 4 * many);
    tfm_names_free(names);
    sink_buffer_fini(&text);
}

static void take(void *user, const struct event *events, size_t n)
{
    unsigned *seen = user;
    for (size_t i = 0; i < n; i++) {
        *seen = *seen * 100 + events[i].kind;
        if (events[i].kind == EVENT_PLAN)
            cr_assert(events[i].plan->calibration[0] == 7 && events[i].plan->pair_count == 2);
        if (events[i].kind == EVENT_CLOCK)
            cr_assert_eq(events[i].clock.ticks_per_second, 100000000);
    }
}

Test(tfm_names, the_plan_and_the_clock_go_ahead_of_the_first_mark)
{
    const struct dialect *dialect = dialect_find("tfm");
    struct error err = {""};
    struct tfm_names *names = tfm_names_read("demo.json", demo, sizeof demo - 1, &err);
    void *state = calloc(1, dialect->state_size);
    unsigned seen = 0;
    struct event_out out = {take, &seen};
    cr_assert(dialect->start(state, &(struct dialect_settings){.companion = names}, &err));
    dialect->decode(state, (const uint8_t *)"1,2\n1,3\n", 8, &out);
    cr_assert_eq(seen, ((EVENT_PLAN * 100 + EVENT_CLOCK) * 100 + EVENT_MARK) * 100 + EVENT_MARK);
    free(state);
    tfm_names_free(names);
}

static void take_counter(void *user, const struct event *events, size_t n)
{
    uint8_t *counter = user;
    for (size_t i = 0; i < n; i++)
        if (events[i].kind == EVENT_MARK)
            *counter = events[i].mark.counter;
}

/* Two alternating topics have no two consecutive entries of one topic. */
Test(tfm_names, where_a_pair_is_of_two_topics_both_say_which_way_the_counter_runs)
{
    const struct dialect *dialect = dialect_find("tfm");
    static const char lines[] = "301,9000\n201,8F00\n301,8E00\n201,8D00\n301,8C00\n";
    static const char *const texts[] = {across, demo};
    static const enum event_counter expected[] = {COUNTER_DOWN, COUNTER_EITHER};
    for (size_t i = 0; i < 2; i++) {
        struct error err = {""};
        struct tfm_names *names = tfm_names_read("names.json", texts[i], strlen(texts[i]), &err);
        void *state = calloc(1, dialect->state_size);
        uint8_t counter = COUNTER_UP;
        struct event_out out = {take_counter, &counter};
        cr_assert(dialect->start(state, &(struct dialect_settings){.companion = names}, &err));
        dialect->decode(state, (const uint8_t *)lines, sizeof lines - 1, &out);
        cr_assert_eq(counter, expected[i], "%s", texts[i]);
        free(state);
        tfm_names_free(names);
    }
}

Test(tfm_names, a_missing_file_is_named)
{
    const struct dialect *dialect = dialect_find("tfm");
    static const char *const paths[] = {"/nonexistent/names.json", "/dev/zero"};
    for (size_t i = 0; i < 2; i++) {
        struct dialect_setting setting = {"names", paths[i]};
        struct error err = {""};
        void *companion = NULL;
        cr_assert_not(
            dialect->load(&(struct dialect_settings){.settings = &setting, .n = 1}, &companion, &err));
        cr_assert(strstr(err.text, paths[i]), "%s", err.text);
    }
}
