/* test_exports.c - exports as answers. */
#include "answer.h"
#include "own_site.h"

#include "export/export.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(exports, .init = open_site, .fini = close_site);

Test(exports, routes_return_the_bytes_of_the_exporters)
{
    struct test_random random = test_random_start("exports");
    fixture_feed(&fixture, &random, 300);
    struct jsonio *json = get("/api/v1/snapshot");
    cr_expect_str_eq(jsonio_text(jsonio_member(json, "schema")), "miniprofd.snapshot");
    cr_expect_eq(answer_number(jsonio_member(json, "sequence")), 2);
    jsonio_free(json);
    json = get("/api/v1/status");
    const struct jsonio *exports = jsonio_member(json, "exports");
    struct snapshot *snapshot = board_read(fixture.board);
    for (size_t i = 0; i < jsonio_count(exports); i++) {
        const struct jsonio *export = jsonio_at(exports, i);
        char target[64];
        bool available = false;
        jsonio_bool(jsonio_member(export, "available"), &available);
        snprintf(target, sizeof target, "/api/v1/export/%s", jsonio_text(jsonio_member(export, "id")));
        struct response response = fixture_ask(&fixture, "GET", target, NULL);
        cr_expect_eq(response.status, available ? 200 : 409, "%s", target);
        if (available) {
            const char *as = response_header_value(&response, "Content-Disposition");
            cr_expect(as && strstr(as, "attachment; filename=\"miniprofd-20"), "%s", target);
            cr_expect_str_eq(response.media_type, jsonio_text(jsonio_member(export, "media_type")));
            struct sink_buffer written;
            sink_buffer_init(&written);
            exporter_find(jsonio_text(jsonio_member(export, "id")))->write(snapshot, &written.sink);
            cr_expect(fixture_drain(&response) && response.body.n == written.n && written.n > 20 &&
                          memcmp(response.body.bytes, written.bytes, written.n) == 0,
                      "%s", target);
            sink_buffer_fini(&written);
        }
        response_fini(&response);
    }
    snapshot_unref(snapshot);
    jsonio_free(json);
    json = get("/api/v1/export/nothing");
    cr_expect_eq(status, 404);
    jsonio_free(json);
}

Test(exports, the_number_of_exports_at_a_time_is_limited)
{
    struct response sent[4], refused;
    for (int i = 0; i < 4; i++) {
        sent[i] = fixture_ask(&fixture, "GET", "/api/v1/export/json", NULL);
        cr_expect_eq(sent[i].status, 200);
    }
    for (int i = 0; i < 3; i++) {
        refused = fixture_ask(&fixture, "GET", "/api/v1/export/json", NULL);
        cr_expect_eq(refused.status, 503);
        cr_expect_not_null(response_header_value(&refused, "Retry-After"));
        response_fini(&refused);
    }
    for (int i = 0; i < 4; i++)
        response_fini(&sent[i]);
    cr_expect_eq(fixture.site.exports, 0);
    struct response again = fixture_ask(&fixture, "GET", "/api/v1/export/json", NULL);
    cr_expect_eq(again.status, 200);
    response_fini(&again);
}

Test(exports, an_impossible_export_gives_a_reason)
{
    fixture.source.provides = 0;
    fixture_publish(&fixture);
    static const char *const targets[] = {"/api/v1/export/pprof", "/debug/pprof/profile?seconds=3600"};
    for (size_t i = 0; i < 2; i++) {
        struct jsonio *json = get(targets[i]);
        cr_expect_eq(status, 409, "%s", targets[i]);
        cr_expect_not_null(jsonio_text(jsonio_member(json, "detail")));
        jsonio_free(json);
    }
    cr_expect_eq(fixture.site.profiles, 0);
}

Test(exports, a_file_is_named_by_firmware_version_and_date)
{
    static const struct {
        const char *elf, *version, *begin;
    } cases[] = {
        {"", "", "\"miniprofd-20"},
        {"/build/motor.elf", "v1.4.2", "\"motor-v1.4.2-20"},
        {"motor", "", "\"motor-20"},
        {"/build/.elf", "", "\"_elf-20"},
        {"a+b_c/[Z]{z}`@.elf", "V9+1_x", "\"_Z__z___-V9+1_x-20"},
        {"../x y\"/.hid\ren.axf", "1/2\r\n\"; ü", "\"_hid_en-1_2_______-20"},
        {"a-name-that-is-longer-than-thirty-two-bytes.elf", "123456789 123456789 123456789",
         "\"a-name-that-is-longer-than-thir-"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(fixture.source.elf_path, sizeof fixture.source.elf_path, "%s", cases[i].elf);
        snprintf(fixture.target.fw_version, sizeof fixture.target.fw_version, "%s", cases[i].version);
        fixture_publish(&fixture);
        struct response response =
            fixture_ask(&fixture, "GET", "/api/v1/export/json?from=0&to=18446744073709551615", NULL);
        const char *as = response_header_value(&response, "Content-Disposition");
        cr_assert_not_null(as);
        cr_expect(strstr(as, cases[i].begin), "%s: %s", cases[i].elf, as);
        cr_expect_str_eq(as + strlen(as) - strlen(".json\""), ".json\"", "it is whole");
        response_fini(&response);
    }
}
