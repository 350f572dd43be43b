/* test_systcsv.c - the columns of the SyS-T reference printer. */
#include "export/export.h"
#include "profile/profile.h"

#include <criterion/criterion.h>
#include <string.h>

static struct sink_buffer rows_of(const struct event *events, size_t n)
{
    const struct exporter *exporter = exporter_find("systcsv");
    struct profile *profile = profile_new(NULL);
    struct snapshot_source source = {.port = "file:x", .dialect = "syst", .provides = PROVIDES_MESSAGES};
    struct sink_buffer out;
    cr_assert_not_null(exporter);
    profile_apply(profile, events, n);
    struct snapshot *snapshot =
        profile_freeze(profile, &source, &(struct snapshot_target){0}, &(struct snapshot_link){0});
    sink_buffer_init(&out);
    exporter->write(snapshot, &out.sink);
    cr_assert_not(out.sink.failed);
    snapshot_unref(snapshot);
    profile_free(profile);
    return out;
}

static void expect(const struct event *event, const char *row)
{
    struct sink_buffer out = rows_of(event, 1);
    const char *second = strchr(out.bytes, '\n') + 1;
    cr_assert_str_eq(second, row, "%s", second);
    sink_buffer_fini(&out);
}

static struct event text(const char *words, const struct event_message *message)
{
    return (struct event){.kind = EVENT_TEXT,
                          .text = {.text = words,
                                   .n = (uint32_t)strlen(words),
                                   .severity = SEVERITY_INFO,
                                   .unit = 3,
                                   .message = message}};
}

Test(systcsv, the_first_line_names_the_columns)
{
    struct sink_buffer out = rows_of(NULL, 0);
    cr_assert_str_eq(out.bytes,
                     "Decode Status,Payload,Type,Severity,Origin,Unit,Message TimeStamp,Context TimeStamp,"
                     "Location,Raw Length,Checksum,Collateral\n");
    sink_buffer_fini(&out);
}

Test(systcsv, a_message_fills_all_columns)
{
    struct event_message message = {.status = "OK",
                                    .type = "CATALOG:ID32P32",
                                    .origin = "motor",
                                    .location = "./pump.c:64",
                                    .collateral = "demo.xml",
                                    .has_timestamp = true,
                                    .has_checksum = true,
                                    .timestamp = 0xABC,
                                    .context_timestamp = 5,
                                    .checksum = 0x1234ABCD,
                                    .raw_length = 48};
    struct event event = text("say \"hi\",\nthen go", &message);
    expect(
        &event,
        "OK,\"say \"\"hi\"\", then go\",CATALOG:ID32P32,INFO,motor,3,0x0000000000000ABC,0x0000000000000005,"
        "./pump.c:64,48,0x1234ABCD,demo.xml\n");
}

Test(systcsv, missing_fields_are_empty)
{
    struct event_message message = {.status = "TOO_SHORT", .type = "SHORT32", .raw_length = 3};
    struct event event = text("010203", &message);
    expect(&event, "TOO_SHORT,\"010203\",SHORT32,INFO,,3,,0x0000000000000000,,3,,\n");
    event = text("", NULL);
    expect(&event, "OK,\"\",,INFO,,3,,0x0000000000000000,,0,,\n");
}

Test(systcsv, names_with_commas_and_quotes_stay_one_cell)
{
    struct event_message message = {
        .status = "OK", .origin = "a,\"b\"", .location = "x\ny.c:1", .collateral = "c,d.xml"};
    struct event event = text("t", &message);
    expect(&event, "OK,\"t\",,INFO,\"a,\"\"b\"\"\",3,,0x0000000000000000,x y.c:1,0,,\"c,d.xml\"\n");
}

Test(systcsv, control_characters_are_replaced_except_tabs)
{
    struct event_message message = {.status = "OK", .origin = "a\rb", .location = "x\ty.c:1"};
    struct event event = text("a\tb\r\nc \x1B[1m \x7F\x01", &message);
    expect(&event, "OK,\"a\tb  c ?[1m ??\",,INFO,\"a b\",3,,0x0000000000000000,x\ty.c:1,0,,\n");
}

Test(systcsv, a_formula_stays_as_the_printer_has_it)
{
    struct event_message message = {.status = "OK", .origin = "=1+1"};
    struct event event = text("@SUM(1) ##[error]\"", &message);
    expect(&event, "OK,\"@SUM(1) ##[error]\"\"\",,INFO,=1+1,3,,0x0000000000000000,,0,,\n");
}
