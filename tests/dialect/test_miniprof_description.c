/* test_miniprof_description.c - DESCRIPTION packets as events: whole, truncated, of another form and beyond all
 * limits. */
#include "dialect/dialect.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "protocol/description.h"
#include "support/stream.h"

enum { BODY_AT = 2, NOT_BODY = 5 };

/* The reported events, copied while the batch is valid. */
struct heard {
    unsigned descriptions, others;
    struct event_description description;
    char first_name[64], first_unit[64];
};

static void hear(void *user, const struct event *events, size_t n)
{
    struct heard *heard = user;
    for (size_t i = 0; i < n; i++) {
        heard->others += events[i].kind != EVENT_DESCRIPTION;
        if (events[i].kind != EVENT_DESCRIPTION)
            continue;
        heard->descriptions++;
        heard->description = *events[i].description;
        if (!heard->description.setting_count)
            continue;
        const struct event_setting *first = heard->description.settings;
        snprintf(heard->first_name, sizeof heard->first_name, "%.*s", first->name_n, first->name);
        snprintf(heard->first_unit, sizeof heard->first_unit, "%.*s", first->unit_n, first->unit);
    }
}

/* Feeds the payload, from memory of exactly its size, to the dialect. */
static struct heard told(const uint8_t *payload, size_t n, struct dialect_health *health)
{
    const struct dialect *dialect = dialect_find("miniprof");
    void *state = calloc(1, dialect->state_size);
    cr_assert(dialect->start(state, &(struct dialect_settings){0}, NULL));
    struct stream stream = {0};
    stream_packet(&stream, MP_DESCRIPTION, payload, n);
    uint8_t *body = malloc(stream.n - NOT_BODY);
    memcpy(body, stream.bytes + BODY_AT, stream.n - NOT_BODY);
    struct heard heard = {0};
    struct event_out out = {.batch = hear, .user = &heard};
    dialect->decode(state, body, stream.n - NOT_BODY, &out);
    *health = *dialect->health(state);
    free(body);
    stream_fini(&stream);
    free(state);
    return heard;
}

/* Writes a description with that many settings to `out`; returns its size. */
static size_t write(uint8_t *out, uint8_t settings)
{
    const struct mp_description head = {6, 25000000, 64, 32, 3, 500, settings};
    size_t n = MP_DESCRIPTION_HEAD;
    mp_description_encode(&head, out);
    for (unsigned i = 0; i < settings; i++)
        n += mp_setting_encode(&(struct mp_setting){.key = (uint8_t)i,
                                                    .least = 1,
                                                    .most = 255,
                                                    .value = 20 + i,
                                                    .name = "packet",
                                                    .unit = "records"},
                               out + n);
    return n;
}

Test(miniprof_description, it_contains_capabilities_and_settings)
{
    uint8_t payload[128];
    struct dialect_health health;
    const struct heard heard = told(payload, write(payload, 2), &health);
    const struct event_description *said = &heard.description;
    cr_assert(heard.descriptions == 1 && heard.others == 0);
    cr_assert(said->versions == 6 && said->tick_hz == 25000000 && said->ring_calls == 64);
    cr_assert(said->stack_depth == 32 && said->tasks == 3 && said->packet_bytes == 500);
    cr_assert_eq(said->setting_count, 2);
    cr_assert_eq(said->hook_sixteenths, 0); /* which the first targets did not send */
    cr_assert(said->settings[1].key == 1 && said->settings[1].least == 1 && said->settings[1].most == 255 &&
              said->settings[1].value == 21);
    cr_assert_str_eq(heard.first_name, "packet");
    cr_assert_str_eq(heard.first_unit, "records");
    cr_assert(health.malformed == 0 && health.unsupported_version == 0);
}

Test(miniprof_description, hook_costs_follow_the_settings)
{
    uint8_t payload[128];
    struct dialect_health health;
    size_t n = write(payload, 2);
    n += mp_hook_ticks_encode(151, payload + n);
    cr_assert_eq(told(payload, n, &health).description.hook_sixteenths, 151);
    cr_assert_eq(told(payload, n - 1, &health).description.hook_sixteenths, 0);
    payload[n++] = 7; /* of a later form */
    const struct heard heard = told(payload, n, &health);
    cr_assert(heard.description.hook_sixteenths == 151 && heard.description.setting_count == 2);
    cr_assert_eq(health.malformed, 0);
}

Test(miniprof_description, a_truncated_one_is_malformed_and_extra_bytes_are_ignored)
{
    uint8_t payload[128];
    struct dialect_health health;
    size_t n = write(payload, 2);
    for (size_t cut = 0; cut < n; cut++) {
        cr_assert_eq(told(payload, cut, &health).descriptions, 0, "%zu bytes", cut);
        cr_assert_eq(health.malformed, 1, "%zu bytes", cut);
    }
    payload[n] = 0xEE;
    cr_assert_eq(told(payload, n + 1, &health).descriptions, 1);
    cr_assert_eq(health.malformed, 0);
}

Test(miniprof_description, another_form_is_counted_as_unsupported)
{
    uint8_t payload[128];
    struct dialect_health health;
    size_t n = write(payload, 1);
    payload[0] = 2;
    cr_assert_eq(told(payload, n, &health).descriptions, 0);
    cr_assert(health.unsupported_version == 1 && health.malformed == 0);
}

Test(miniprof_description, more_settings_and_longer_words_than_may_be_are_cut)
{
    static uint8_t payload[255 * 40];
    struct dialect_health health;
    size_t n = write(payload, 255);
    cr_assert_eq(told(payload, n, &health).description.setting_count, EVENT_SETTINGS_MAX);
    cr_assert_eq(health.malformed, 0);

    write(payload, 1);
    size_t word = MP_DESCRIPTION_HEAD + MP_SETTING_HEAD - 1;
    payload[word] = 200;
    memset(payload + word + 1, 'x', 200);
    payload[word + 201] = 0;
    const struct heard heard = told(payload, word + 202, &health);
    cr_assert_eq(heard.descriptions, 1);
    cr_assert_eq(strlen(heard.first_name), MP_SETTING_WORD);
    cr_assert_str_eq(heard.first_unit, "");
}

Test(miniprof_description, tree_hook_costs_follow_the_run)
{
    uint8_t payload[MP_DESCRIPTION_HEAD + MP_HOOK_FORMS * MP_HOOK_TICKS + MP_DESCRIPTION_RUN];
    struct dialect_health health;
    size_t n = write(payload, 0);
    n += mp_hook_ticks_encode(40, payload + n);
    mp_description_run_encode(&(struct mp_description_run){.boot = 77, .version = 3}, payload + n);
    n += MP_DESCRIPTION_RUN;
    for (uint16_t form = MP_HOOKS_TREE; form < MP_HOOK_FORMS; form++)
        n += mp_hook_ticks_encode(100 * form, payload + n);
    const struct event_description said = told(payload, n, &health).description;
    cr_assert(said.hook_sixteenths == 40 && said.hook_tree_sixteenths == 100 &&
              said.hook_lookup_sixteenths == 200 && said.hook_interrupt_sixteenths == 300);
    cr_assert_eq(told(payload, n - 1, &health).description.hook_interrupt_sixteenths, 0);
    cr_assert_eq(health.malformed, 0);
}

Test(miniprof_description, numbers_of_start_and_run_may_follow)
{
    uint8_t payload[MP_DESCRIPTION_HEAD + MP_HOOK_TICKS + MP_DESCRIPTION_RUN];
    struct dialect_health health;
    size_t n = write(payload, 0);
    n += mp_hook_ticks_encode(40, payload + n);
    cr_assert_not(told(payload, n, &health).description.run.is_told, "an older target");
    mp_description_run_encode(
        &(struct mp_description_run){.boot = 77, .run = 9, .is_on = true, .is_flat = true, .version = 3},
        payload + n);
    for (size_t cut = 0; cut < MP_DESCRIPTION_RUN; cut++)
        cr_assert_not(told(payload, n + cut, &health).description.run.is_told, "%zu bytes of it", cut);
    cr_assert_eq(told(payload, n + MP_DESCRIPTION_RUN, &health).description.hook_tree_sixteenths, 0);
    const struct event_run run = told(payload, n + MP_DESCRIPTION_RUN, &health).description.run;
    cr_assert(run.is_told && run.boot == 77 && run.number == 9 && run.is_on && run.is_flat &&
              run.mode == MODE_TREE && !run.counter_stands && !run.has_other_cores);
    payload[n + 4] |= 0x40;
    cr_assert(told(payload, n + MP_DESCRIPTION_RUN, &health).description.run.counter_stands);
    mp_description_run_add_cores(payload + n);
    cr_assert(told(payload, n + MP_DESCRIPTION_RUN, &health).description.run.has_other_cores);
    cr_assert_eq(health.malformed, 0);
}
