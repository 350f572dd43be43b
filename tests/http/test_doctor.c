/* test_doctor.c - checks the prerequisites of a profile in the running session. */
#include "base/jsonio.h"
#include "answer.h"
#include "own_site.h"

#include "support/two_functions.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const verdicts[] = {"ok", "warn", "fail"};

/* Opens a site with a healthy board, which has sent its metadata. */
static void open_well(void)
{
    open_site();
    fixture.source.state = STATE_CONNECTED;
    *fixture.source.detail = *fixture.source.elf_path = *fixture.source.elf_name = '\0';
    fixture.source.baud = 115200;
    fixture.source.listen_only = false;
    fixture.source.dialect = "miniprof";
    fixture.target = (struct snapshot_target){
        .has_metadata = true,
        .has_status = true,
        .profiling = true,
        .mcu_clock_hz = 48000000,
        .description = {.is_known = true, .versions = 0x0E, .ring_calls = 64, .stack_depth = 32, .tasks = 1}};
    const struct event call = {.kind = EVENT_CALL, .ticks = 100, .call = {0x8000101, 10}};
    pthread_mutex_lock(&fixture.lock);
    profile_apply(fixture.profile, &call, 1);
    pthread_mutex_unlock(&fixture.lock);
    fixture.link = (struct snapshot_link){
        .bytes = 4000, .packets = 70, .bytes_read = 4000, .records = 900, .has_packets = true};
}

TestSuite(doctor, .init = open_well, .fini = close_site);

static struct jsonio *examined(void)
{
    fixture.link.bytes--; /* publishing adds one */
    fixture_publish(&fixture);
    struct jsonio *json = get("/api/v1/doctor");
    cr_assert_eq(status, 200);
    return json;
}

/* The number of findings with this verdict; checks that each has one of the three, and a sentence. */
static unsigned count(const struct jsonio *json, const char *verdict)
{
    const struct jsonio *findings = jsonio_member(json, "findings");
    unsigned n = 0;
    cr_assert_gt(jsonio_count(findings), 0);
    for (size_t i = 0; i < jsonio_count(findings); i++) {
        const char *found = jsonio_text(jsonio_member(jsonio_at(findings, i), "verdict"));
        const char *text = jsonio_text(jsonio_member(jsonio_at(findings, i), "text"));
        bool known = false;
        for (size_t v = 0; v < sizeof verdicts / sizeof *verdicts; v++)
            known |= found && !strcmp(found, verdicts[v]);
        cr_assert(known && text && *text);
        n += !strcmp(found, verdict);
    }
    return n;
}

static void expect_finding(const struct jsonio *json, const char *verdict, const char *words)
{
    const struct jsonio *findings = jsonio_member(json, "findings");
    for (size_t i = 0; i < jsonio_count(findings); i++)
        if (!strcmp(jsonio_text(jsonio_member(jsonio_at(findings, i), "verdict")), verdict) &&
            strstr(jsonio_text(jsonio_member(jsonio_at(findings, i), "text")), words))
            return;
    cr_assert(false, "nothing is %s: %s", verdict, words);
}

static void only_fails(const char *words)
{
    struct jsonio *json = examined();
    cr_expect_eq(count(json, "fail"), 1);
    cr_expect_eq(answer_number(jsonio_member(json, "fails")), 1);
    expect_finding(json, "fail", words);
    jsonio_free(json);
}

Test(doctor, a_healthy_board_only_lacks_its_elf)
{
    struct jsonio *json = examined();
    cr_expect_eq(count(json, "fail"), 0);
    cr_expect_eq(count(json, "warn"), 1);
    expect_finding(json, "warn", "start miniprofd with --elf");
    expect_finding(json, "ok", "4000 bytes came; they are miniprof: 900 records in 70 packets");
    expect_finding(json, "ok", "at 115200 baud");
    expect_finding(json, "ok", "The device answers, and profiles");
    expect_finding(json, "ok", "its clock 48000000 Hz");
    jsonio_free(json);
}

Test(doctor, an_agent_without_a_description_is_a_warning)
{
    fixture.target.description.is_known = false;
    struct jsonio *json = examined();
    cr_expect_eq(count(json, "fail"), 0);
    cr_expect_eq(count(json, "warn"), 2);
    expect_finding(json, "warn", "agent");
    jsonio_free(json);
}

Test(doctor, an_elf_is_examined)
{
    char path[] = "/tmp/test_\x1b.XXXXXX";
    size_t n;
    uint8_t *elf = two_functions_elf(true, &n);
    int fd = mkstemp(path);
    struct error err = {""};
    cr_assert(fd >= 0 && write(fd, elf, n) == (ssize_t)n && close(fd) == 0);
    struct symtab *symtab = symtab_load(path, &err);
    cr_assert_not_null(symtab, "%s", err.text);
    unlink(path);
    pthread_mutex_lock(&fixture.lock);
    profile_set_symbols(fixture.profile, symtab);
    pthread_mutex_unlock(&fixture.lock);
    snprintf(fixture.source.elf_name, sizeof fixture.source.elf_name, "fw\x1b.elf");
    fixture.target.has_match = true;
    fixture.target.elf_build_id = 0xABCD;
    only_fails("fw?.elf is not the program that runs, which has the build id 0000abcd");
    fixture.target.elf_match = true;
    struct jsonio *json = examined();
    expect_finding(json, "ok", "/tmp/test_?.");
    expect_finding(json, "ok", "has the symbols of 2 functions");
    expect_finding(json, "ok", "is the program that runs");
    cr_expect_eq(count(json, "warn"), 0, "calls came, so there is a hook, whatever its name");
    jsonio_free(json);
    pthread_mutex_lock(&fixture.lock);
    profile_clear(fixture.profile);
    pthread_mutex_unlock(&fixture.lock);
    json = examined();
    expect_finding(json, "warn", "compile with -finstrument-functions");
    jsonio_free(json);
    fixture.source.dialect = "tfm";
    json = examined();
    cr_expect_eq(count(json, "warn"), 0, "checkpoints need no hooks");
    jsonio_free(json);
    symtab_unref(symtab);
    free(elf);
}

Test(doctor, an_unreadable_elf_fails)
{
    snprintf(fixture.source.elf_name, sizeof fixture.source.elf_name, "gone.elf");
    only_fails("gone.elf could not be read");
}

Test(doctor, an_elf_that_changed_is_not_taken_for_the_one_that_was_read)
{
    snprintf(fixture.source.elf_name, sizeof fixture.source.elf_name, "fw.elf");
    snprintf(fixture.source.elf_failure, sizeof fixture.source.elf_failure, "it is truncated");
    fixture.source.elf_state = ELF_UNREADABLE;
    only_fails("fw.elf has changed and could not be read (it is truncated), so names are those of the "
               "program before");
    fixture.source.elf_state = ELF_READING;
    struct jsonio *json = examined();
    expect_finding(json, "warn", "fw.elf has changed and is being read");
    jsonio_free(json);
}

Test(doctor, a_lost_line_fails_beside_earlier_results)
{
    fixture.source.state = STATE_LOST;
    snprintf(fixture.source.detail, sizeof fixture.source.detail, "/dev/ttyACM0 was unplugged.");
    fixture.target.has_status = false;
    only_fails("/dev/ttyACM0 was unplugged.");
}

Test(doctor, a_device_that_was_asked_a_moment_ago_is_not_at_fault)
{
    fixture.target.has_status = false;
    struct jsonio *json = examined();
    cr_expect_eq(count(json, "fail"), 0);
    expect_finding(json, "warn", "has not said yet whether it profiles; ask again");
    jsonio_free(json);
    snprintf(fixture.source.detail, sizeof fixture.source.detail, "The device sends but does not answer.");
    json = examined();
    expect_finding(json, "warn", "The device sends but does not answer; check the wire");
    jsonio_free(json);
    fixture.source.detail[0] = '\0';
    fixture.target = (struct snapshot_target){0};
    fixture.link = (struct snapshot_link){0};
    json = examined();
    cr_expect_eq(count(json, "fail"), 0);
    expect_finding(json, "warn", "nothing came yet; ask again");
    jsonio_free(json);
}

Test(doctor, a_silent_or_unreadable_line_fails)
{
    fixture.target = (struct snapshot_target){0};
    fixture.link = (struct snapshot_link){0};
    snprintf(fixture.source.detail, sizeof fixture.source.detail, "The device does not answer.");
    only_fails("Not one byte came");
    fixture.source.detail[0] = '\0';
    fixture.source.listen_only = true;
    only_fails("--no-control");
    fixture.link.bytes = 5000;
    only_fails("5000 bytes came. None of them make sense");
    fixture.source.looks_like = "gprof";
    only_fails("--dialect gprof");
    fixture.source.state = STATE_ENDED;
    fixture.source.looks_like = NULL;
    fixture.link.bytes = 0;
    only_fails("is empty");
}

Test(doctor, the_state_of_the_modem_lines_is_explained)
{
    static const struct {
        bool dtr, rts;
        const char *verdict_with_bytes, *verdict_without, *says;
    } cases[] = {
        {true, true, "ok", "ok", "DTR and RTS are on, as Linux sets them"},
        {false, false, "ok", "warn", "DTR and RTS are off."},
        {true, false, "ok", "warn", "starts its boot loader at the next reset"},
        {false, true, "ok", "warn", "is held in reset by that"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture.source.has_lines = true;
        fixture.source.dtr = cases[i].dtr;
        fixture.source.rts = cases[i].rts;
        fixture.link.bytes = 4000;
        struct jsonio *json = examined();
        expect_finding(json, cases[i].verdict_with_bytes, cases[i].says);
        jsonio_free(json);
        fixture.link = (struct snapshot_link){.bytes = 0, .has_packets = true};
        fixture.target.has_status = false;
        json = examined();
        expect_finding(json, cases[i].verdict_without, cases[i].says);
        jsonio_free(json);
        fixture.target.has_status = true;
    }
}

Test(doctor, losses_are_reported_with_advice)
{
    fixture.link.has_line_use = true;
    fixture.link.line_use_percent = 96;
    fixture.link.crc_errors = 3;
    fixture.link.records_lost = 7;
    fixture.link.unsupported_version = 1;
    struct jsonio *json = examined();
    cr_expect_eq(count(json, "warn"), 5);
    expect_finding(json, "warn", "The line is used to 96 %, so calls may soon be lost. Use a faster line");
    expect_finding(json, "warn", "4 packets came damaged, or could not be read. Check ground and wiring");
    expect_finding(json, "warn",
                   "If the server speaks Telnet, use --port rfc2217:, since"); /* it came by tcp: */
    expect_finding(json, "warn", "7 records of calls were lost. Use a faster line");
    expect_finding(json, "warn", "update it");
    jsonio_free(json);
}

/* USB and pseudo terminals accept any rate, and losses before this profile do not count. */
Test(doctor, normal_conditions_are_no_warnings)
{
    fixture.link.has_line_use = true;
    fixture.link.line_use_percent = 540;
    fixture.target.buffer_overflows = 7;
    struct jsonio *json = examined();
    cr_expect_eq(count(json, "warn"), 1);
    expect_finding(json, "warn", "--elf");
    expect_finding(json, "ok", "this port holds to no baud rate");
    jsonio_free(json);
}

/* Functions with addresses need an ELF for their names, whatever the dialect. */
Test(doctor, a_dialect_without_packets_can_be_healthy)
{
    static const char *const dialects[] = {"gprof", "fprime", "tfm", "syst"};
    fixture.source.listen_only = true;
    fixture.target = (struct snapshot_target){0};
    fixture.link = (struct snapshot_link){.bytes = 110000, .records = 22624};
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++) {
        fixture.source.dialect = dialects[i];
        struct jsonio *json = examined();
        cr_expect_eq(count(json, "fail") + count(json, "warn"), 1, "%s", dialects[i]);
        expect_finding(json, "warn", "--elf");
        expect_finding(json, "ok", ": 22624 records.");
        fixture.link.bytes++; /* as it was */
        jsonio_free(json);
    }
}

Test(doctor, a_wrong_checksum_method_is_named)
{
    fixture.target = (struct snapshot_target){0};
    fixture.link = (struct snapshot_link){.bytes = 9000, .crc_errors = 40, .big_endian_crc_hints = 40};
    struct jsonio *json = examined();
    expect_finding(json, "fail", "40 packets would be right with the bytes of their checksum swapped");
    fixture.link = (struct snapshot_link){.bytes = 9000, .crc_errors = 40, .headerless_crc_hints = 40};
    jsonio_free(json);
    json = examined();
    expect_finding(json, "fail", "left the header out");
    jsonio_free(json);
}

Test(doctor, queries_are_refused_and_two_requests_run_at_a_time)
{
    jsonio_free(get("/api/v1/doctor?of=me"));
    cr_expect_eq(status, 400);
    atomic_store(&fixture.site.examinations, 2);
    jsonio_free(get("/api/v1/doctor"));
    cr_expect_eq(status, 503);
    atomic_store(&fixture.site.examinations, 1);
    jsonio_free(get("/api/v1/doctor"));
    cr_expect_eq(status, 200);
    cr_expect_eq(atomic_load(&fixture.site.examinations), 1);
}
