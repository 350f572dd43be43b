/* test_config.c - settings of the device that the browser may change, by name and as bytes. */
#include "answer.h"
#include "own_site.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Opens a site with a device that has two settings. */
static void open_described(void)
{
    open_site();
    pthread_mutex_lock(&fixture.lock);
    fixture.target.description = (struct snapshot_description){
        .is_known = true,
        .setting_count = 2,
        .settings = {{.key = 2, .least = 0, .most = 1000, .value = 5, .name = "shortest", .unit = "us"},
                     {.key = 131, .least = 1, .most = UINT32_MAX, .value = 7, .name = "depth"}}};
    pthread_mutex_unlock(&fixture.lock);
    fixture_publish(&fixture);
}

TestSuite(config, .init = open_described, .fini = close_site);

static struct jsonio *set(const char *body)
{
    struct request request = {.content_type = "application/json", .body = body};
    return fixture_json(&fixture, "POST", "/api/v1/device/config", &request, &status);
}

static void expect_problem(const char *body, unsigned expected, const char *sentence)
{
    unsigned before = fixture.commands;
    struct jsonio *json = set(body);
    cr_expect_eq(status, expected, "%s: %u", body, status);
    cr_expect_str_eq(jsonio_text(jsonio_member(json, "detail")), sentence);
    cr_expect_eq(fixture.commands, before, "nothing was sent");
    jsonio_free(json);
}

Test(config, a_setting_is_set_by_its_name)
{
    struct jsonio *json = set("{\"name\": \"shortest\", \"value\": 1000}");
    cr_expect_eq(status, 200);
    cr_expect_eq(fixture.last_command.command, COMMAND_CONFIG);
    cr_expect_eq(fixture.last_command.payload_n, 5);
    cr_expect_arr_eq(fixture.last_command.payload, "\x02\xe8\x03\0\0", 5);
    cr_expect(jsonio_is_object(answer_member(json, "target", "description")));
    jsonio_free(json);
    jsonio_free(set("{\"value\": 4294967295, \"name\": \"depth\"}"));
    cr_expect_eq(status, 200);
    cr_expect_arr_eq(fixture.last_command.payload, "\x83\xff\xff\xff\xff", 5);
}

Test(config, a_bad_setting_gives_an_error)
{
    expect_problem("{\"name\": \"Depth\", \"value\": 1}", 400,
                   "The device has no setting 'Depth'; it has: shortest, depth.");
    expect_problem("{\"name\": \"shortest\", \"value\": 1001}", 400,
                   "shortest is from 0 to 1000 us, not 1001.");
    expect_problem("{\"name\": \"depth\", \"value\": 0}", 400, "depth is from 1 to 4294967295, not 0.");
    expect_problem("{\"name\": \"depth\", \"value\": 4294967296}", 400,
                   "depth is from 1 to 4294967295, not 4294967296.");
    fixture.answer = ORDER_REFUSED;
    jsonio_free(set("{\"name\": \"depth\", \"value\": 1}"));
    cr_expect_eq(status, 409);
    fixture.answer = ORDER_SILENT;
    jsonio_free(set("{\"name\": \"depth\", \"value\": 1}"));
    cr_expect_eq(status, 504);
    fixture.answer = ORDER_NO_DEVICE;
    jsonio_free(set("{\"name\": \"depth\", \"value\": 1}"));
    cr_expect_eq(status, 503);
}

Test(config, a_device_that_does_not_describe_itself_has_no_names)
{
    pthread_mutex_lock(&fixture.lock);
    fixture.target.description = (struct snapshot_description){0};
    pthread_mutex_unlock(&fixture.lock);
    fixture_publish(&fixture);
    expect_problem("{\"name\": \"depth\", \"value\": 1}", 409,
                   "The device does not say what can be set there.");
    pthread_mutex_lock(&fixture.lock);
    fixture.target.description.is_known = true;
    pthread_mutex_unlock(&fixture.lock);
    fixture_publish(&fixture);
    expect_problem("{\"name\": \"depth\", \"value\": 1}", 400, "The device has nothing that can be set.");
}

Test(config, more_names_than_a_sentence_has_room_for_are_cut)
{
    pthread_mutex_lock(&fixture.lock);
    struct snapshot_description *description = &fixture.target.description;
    description->setting_count = EVENT_SETTINGS_MAX;
    for (unsigned i = 0; i < EVENT_SETTINGS_MAX; i++)
        snprintf(description->settings[i].name, sizeof description->settings[i].name,
                 "a long name of a setting, number %02u", i);
    pthread_mutex_unlock(&fixture.lock);
    fixture_publish(&fixture);
    struct jsonio *json = set("{\"name\": \"depth\", \"value\": 1}");
    const char *detail = jsonio_text(jsonio_member(json, "detail"));
    cr_expect_eq(status, 400);
    cr_assert_not_null(detail);
    cr_expect(strstr(detail, "number 00, a long name") && !strcmp(detail + strlen(detail) - 5, ", ..."), "%s",
              detail);
    jsonio_free(json);
}

Test(config, a_configuration_is_up_to_8_bytes_in_hex)
{
    jsonio_free(set("{\"payload\": \"00fF7a\"}"));
    cr_expect_eq(status, 200);
    cr_expect_eq(fixture.last_command.payload_n, 3);
    cr_expect_arr_eq(fixture.last_command.payload, "\x00\xff\x7a", 3);
    unsigned before = fixture.commands;
    static const char *const wrong[] = {"{\"payload\": \"0\"}",
                                        "{\"payload\": \"0g\"}",
                                        "{\"payload\": \"g0\"}",
                                        "{\"payload\": 1}",
                                        "{\"payload\": null}",
                                        "{\"payload\": \"00\", \"x\":1}",
                                        "{\"Payload\": \"00\"}",
                                        "{\"name\": \"depth\"}",
                                        "{\"value\": 1}",
                                        "{\"name\": 1, \"value\": 1}",
                                        "{\"name\": \"depth\", \"values\": 1}",
                                        "{\"name\": \"a name that is longer than any that a device may "
                                        "give to a setting of its own\", \"value\": 1}",
                                        "{\"name\": \"\", \"value\": 1}",
                                        "{\"name\": \"depth\", \"value\": \"8\"}",
                                        "{\"name\": \"depth\", \"value\": -1}",
                                        "{\"name\": \"depth\", \"value\": 1.5}",
                                        "{\"name\": \"depth\", \"value\": 8, \"payload\": \"00\"}",
                                        "{\"payload\": \"001122334455667788\"}",
                                        "[]",
                                        "{",
                                        "null",
                                        "{}{}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        jsonio_free(set(wrong[i]));
        cr_expect_eq(status, 400, "%s", wrong[i]);
    }
    const struct request start = {.content_type = "application/json", .body = "{\"payload\": \"00\"}"};
    jsonio_free(fixture_json(&fixture, "POST", "/api/v1/device/start", &start, &status));
    cr_expect_eq(status, 400, "only a configuration has a payload");
    cr_expect_eq(fixture.commands, before);
}

static struct jsonio *set_mode(const char *body)
{
    struct request request = {.content_type = "application/json", .body = body};
    return fixture_json(&fixture, "POST", "/api/v1/device/mode", &request, &status);
}

Test(config, the_mode_is_one_of_four_words)
{
    static const char *const words[] = {"auto", "calls", "stream", "tree"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char body[64];
        snprintf(body, sizeof body, "{\"mode\": \"%s\"}", words[i]);
        struct jsonio *json = set_mode(body);
        cr_expect_eq(status, 200);
        cr_expect_eq(fixture.last_command.kind, ORDER_MODE);
        cr_expect_eq(fixture.last_command.mode, (enum mode)i);
        cr_expect_str_eq(jsonio_text(answer_member(json, "target", "mode_wanted")), words[i]);
        jsonio_free(json);
    }
    unsigned before = fixture.commands;
    static const char *const wrong[] = {"",
                                        "{}",
                                        "[]",
                                        "{\"mode\": \"Stream\"}",
                                        "{\"mode\": 2}",
                                        "{\"mode\": null}",
                                        "{\"mode\": \"tree\", \"x\": 1}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        jsonio_free(set_mode(wrong[i]));
        cr_expect_eq(status, 400, "%s", wrong[i]);
    }
    cr_expect_eq(fixture.commands, before);
    fixture.answer = ORDER_SILENT;
    jsonio_free(set_mode("{\"mode\": \"tree\"}"));
    cr_expect_eq(status, 504);
}
