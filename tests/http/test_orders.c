/* test_orders.c - orders of the browser: commands to the device, recordings, clearing. */
#include "answer.h"
#include "own_site.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(orders, .init = open_site, .fini = close_site);

static struct jsonio *post(const char *target, const char *body)
{
    struct request request = {.content_type = "application/json", .body = body};
    return fixture_json(&fixture, "POST", target, &request, &status);
}

Test(orders, a_command_reaches_the_device_and_its_answer_comes_back)
{
    static const struct {
        const char *target;
        uint8_t command;
    } commands[] = {{"start", 1}, {"stop", 2}, {"status", 3}, {"reset", 4}, {"metadata", 5}, {"config", 6}};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char target[64];
        snprintf(target, sizeof target, "/api/v1/device/%s", commands[i].target);
        struct jsonio *json = post(target, i % 2 ? "{}" : NULL);
        cr_expect_eq(status, 200, "%s", target);
        cr_expect_str_eq(jsonio_text(jsonio_member(json, "answer")), "ack");
        cr_expect(jsonio_is_object(jsonio_member(json, "target")));
        cr_expect_eq(fixture.last_command.command, commands[i].command);
        cr_expect_eq(fixture.last_command.payload_n, 0);
        jsonio_free(json);
    }
    static const struct {
        enum order_result result;
        unsigned status;
    } results[] = {{ORDER_REFUSED, 409}, {ORDER_SILENT, 504}, {ORDER_NO_DEVICE, 503}, {ORDER_BUSY, 503}};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        fixture.answer = results[i].result;
        struct jsonio *json = post("/api/v1/device/stop", "{}");
        cr_expect_eq(status, results[i].status);
        cr_expect_not_null(jsonio_text(jsonio_member(json, "detail")));
        jsonio_free(json);
    }
    mailbox_close(fixture.mailbox);
    jsonio_free(post("/api/v1/device/stop", "{}"));
    cr_expect_eq(status, 503, "stopping");
}

Test(orders, a_recording_is_begun_shown_and_ended)
{
    struct jsonio *json = get("/api/v1/status");
    cr_expect(jsonio_is_null(answer_member(json, "source", "recording")));
    jsonio_free(json);
    pthread_mutex_lock(&fixture.lock);
    fixture.source.recording = (struct snapshot_recording){
        .path = "/tmp/run \"1\".bin", .bytes = 1234, .bytes_lost = 56, .since_wall_ns = 1795176045123000000};
    pthread_mutex_unlock(&fixture.lock);
    static const char *const targets[] = {"/api/v1/record/start", "/api/v1/record/stop"};
    for (size_t i = 0; i < 2; i++) {
        json = post(targets[i], i ? NULL : "{}");
        cr_expect_eq(status, 200);
        cr_expect_str_eq(jsonio_text(jsonio_member(json, "path")), "/tmp/run \"1\".bin");
        cr_expect_eq(answer_number(jsonio_member(json, "bytes")), 1234);
        cr_expect_eq(answer_number(jsonio_member(json, "bytes_lost")), 56);
        cr_expect_str_eq(jsonio_text(jsonio_member(json, "since")), "2026-11-20T12:00:45.123Z");
        cr_expect(jsonio_is_null(jsonio_member(json, "error")));
        jsonio_free(json);
        cr_expect_eq(fixture.last_command.kind, i ? ORDER_RECORD_END : ORDER_RECORD);
        jsonio_free(post(targets[i], "{\"path\": \"/etc/passwd\"}"));
        cr_expect_eq(status, 400, "a name never comes from the browser");
    }
    pthread_mutex_lock(&fixture.lock);
    strcpy(fixture.source.recording.failure, "The disk is full.");
    pthread_mutex_unlock(&fixture.lock);
    fixture_publish(&fixture);
    json = get("/api/v1/snapshot");
    cr_expect_str_eq(jsonio_text(jsonio_member(answer_member(json, "source", "recording"), "error")),
                     "The disk is full.");
    jsonio_free(json);
    static const struct {
        enum order_result result;
        unsigned status;
    } results[] = {{ORDER_REFUSED, 409}, {ORDER_FAILED, 500}};
    for (size_t i = 0; i < 2; i++) {
        fixture.answer = results[i].result;
        fixture.why = (struct error){"Nothing is being recorded."};
        json = post("/api/v1/record/stop", "{}");
        cr_expect_eq(status, results[i].status);
        cr_expect_str_eq(jsonio_text(jsonio_member(json, "detail")), "Nothing is being recorded.");
        jsonio_free(json);
    }
}

Test(orders, a_body_is_an_empty_object_or_absent)
{
    static const char *const wrong[] = {"{", "[]", "null", "{\"x\": 1}", "{}{}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        jsonio_free(post("/api/v1/device/start", wrong[i]));
        cr_expect_eq(status, 400, "%s", wrong[i]);
    }
    cr_expect_eq(fixture.commands, 0);
}

Test(orders, clearing_empties_the_profile)
{
    struct test_random random = test_random_start("clear");
    fixture_feed(&fixture, &random, 100);
    jsonio_free(post("/api/v1/profile/clear", "{}"));
    cr_expect_eq(status, 200);
    struct snapshot *snapshot = board_read(fixture.board);
    cr_expect_eq(snapshot->cleared_at, snapshot->sequence);
    snapshot_unref(snapshot);
}
