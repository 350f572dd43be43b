/* test_limits.c - limits in exports. */
#include "base/jsonio.h"
#include "export/export.h"
#include "support/frozen.h"

#include <string.h>

static uint32_t set(struct profile *profile, const char *text)
{
    struct bound bound;
    struct error err = {""};
    uint32_t id = 0;
    cr_assert(bound_parse(text, &bound, &err) && profile_add_bound(profile, &bound, &id, &err), "%s",
              err.text);
    return id;
}

static struct snapshot *some(void)
{
    struct profile *profile = profile_new(NULL);
    profile_set_clock(profile, 1000000);
    set(profile, "0x00002000:max<20us");
    set(profile, "\"a\\\xC3\xA9\":rate>1.5kHz");
    const struct event calls[] = {call(0x2000, 100, 30, 0), call(0x2000, 300, 90, 0),
                                  call(0x2000, 500, 25, 0)};
    profile_apply(profile, calls, 3);
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    profile_free(profile);
    return snapshot;
}

static const char *text_of(const struct jsonio *row, const char *key)
{
    return jsonio_text(jsonio_member(row, key));
}

static uint64_t number_of(const struct jsonio *row, const char *key)
{
    uint64_t value = 0;
    cr_assert(jsonio_u64(jsonio_member(row, key), &value), "%s", key);
    return value;
}

Test(limits, the_json_has_first_last_and_worst_breach)
{
    struct snapshot *snapshot = some();
    struct sink_buffer out;
    struct error err = {""};
    sink_buffer_init(&out);
    exporter_find("json")->write(snapshot, &out.sink);
    struct jsonio *json = jsonio_parse("it", out.bytes, out.n, &err);
    cr_assert_not_null(json, "%s", err.text);
    const struct jsonio *limits = jsonio_member(json, "limits");
    cr_assert_eq(jsonio_count(limits), 2);
    const struct jsonio *row = jsonio_at(limits, 0), *waits = jsonio_at(limits, 1);
    cr_expect_str_eq(text_of(row, "limit"), "0x00002000:max<20us");
    cr_expect_str_eq(text_of(row, "state"), "broken");
    cr_expect_str_eq(text_of(row, "unit"), "ns");
    cr_expect_eq(number_of(row, "judged"), 3);
    cr_expect_eq(number_of(row, "breaches"), 3);
    cr_expect_eq(number_of(jsonio_member(row, "first"), "ticks"), 130);
    cr_expect_eq(number_of(jsonio_member(row, "last"), "ticks"), 525);
    cr_expect_eq(number_of(jsonio_member(row, "worst"), "from"), 300);
    cr_expect_eq(text_of(jsonio_member(row, "worst"), "at")[10], 'T');
    cr_expect_str_eq(text_of(waits, "limit"), "\"a\\\xC3\xA9\":rate>1500/s");
    cr_expect_str_eq(text_of(waits, "state"), "waits");
    cr_expect_str_eq(text_of(waits, "detail"), "No call of it has been received yet.");
    cr_expect(jsonio_is_null(jsonio_member(waits, "first")) &&
              jsonio_is_null(jsonio_member(waits, "function")));
    jsonio_free(json);
    sink_buffer_fini(&out);
    snapshot_unref(snapshot);
}

Test(limits, are_metrics_with_their_text_as_label)
{
    struct snapshot *snapshot = some();
    struct sink_buffer out;
    sink_buffer_init(&out);
    exporter_find("prometheus")->write(snapshot, &out.sink);
    cr_expect_not_null(
        strstr(out.bytes, "\nminiprofd_limit_breaches_total{limit=\"0x00002000:max<20us\"} 3\n"));
    cr_expect_not_null(
        strstr(out.bytes, "\nminiprofd_limit_judged_total{limit=\"\\\"a\\\\\xC3\xA9\\\":rate>1500/s\"} 0\n"));
    sink_buffer_fini(&out);
    snapshot_unref(snapshot);
}
