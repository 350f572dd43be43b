#include "made_profile.h"

#include "base/json.h"
#include "check/convert.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

const struct row usual_rows[] = {{"main", 10, 1000, 100}, {"loop", 100, 90, 20},  {"step", 200, 35, 15},
                                 {"crc", 400, 10, 10},    {"other", 100, 10, 10}, {0}};

static void write_made_tree(struct sink *sink, const struct row *rows)
{
    /* Each row is called by the one before, but "other" by the first. */
    sink_text(sink, ",\"call_tree\":{\"parent\":[-1");
    size_t n = 0;
    for (; rows[n].name; n++)
        sink_printf(sink, ",%zu", !strcmp(rows[n].name, "other") ? 1 : n);
    sink_text(sink, "],\"function\":[-1");
    for (size_t i = 0; i < n; i++)
        sink_printf(sink, ",%zu", i);
    sink_text(sink, "],\"calls\":[0");
    for (size_t i = 0; i < n; i++)
        sink_printf(sink, ",%llu", (unsigned long long)rows[i].calls);
    sink_text(sink, "],\"self_ticks\":[0");
    for (size_t i = 0; i < n; i++)
        sink_printf(sink, ",%llu", (unsigned long long)(rows[i].self * rows[i].calls + rows[i].extra));
    sink_text(sink, "]}}");
}

struct sink_buffer made_json(const struct row *rows, struct way way)
{
    struct sink_buffer out;
    sink_buffer_init(&out);
    struct json json = {.sink = &out.sink};
    json_object_open(&json, NULL);
    json_text(&json, "schema", "miniprofd.snapshot");
    json_u64(&json, "schema_version", 1);
    json_bool(&json, "complete", true);
    sink_printf(&out.sink,
                ",\"link\":{\"records\":1,\"records_lost\":0,\"losses_of_unknown_size\":0},\"target\":{"
                "\"elf_match\":null,\"ticks_per_second\":1000000,\"mode\":\"%s\",\"mcu_clock_hz\":%llu,"
                "\"description\":{\"versions\":[%llu],\"hook_ticks\":%.4f}}",
                way.mode ? way.mode : "stream", (unsigned long long)(way.clock ? way.clock : 1000000),
                (unsigned long long)(way.version ? way.version : 2),
                way.hook_ticks > 0 ? way.hook_ticks : 1.5);
    if (way.work)
        sink_printf(&out.sink,
                    ",\"measurement\":{\"work\":{\"function\":\"main\",\"calls\":%u,\"counted\":%u}}",
                    way.work, way.work);
    json_array_open(&json, "functions");
    for (const struct row *row = rows; row->name; row++) {
        json_object_open(&json, NULL);
        json_text(&json, "name", row->name);
        json_text(&json, "kind", "function");
        json_text(&json, "file", "app.c");
        json_u64(&json, "calls", row->calls);
        json_u64(&json, "total_ticks", row->total * row->calls + row->extra);
        json_u64(&json, "self_ticks", row->self * row->calls + row->extra);
        if (row->corrected)
            json_u64(&json, "corrected_self_ticks", row->corrected * row->calls);
        if (row->corrected)
            json_u64(&json, "corrected_total_ticks", row->corrected * row->calls);
        if (row->error)
            json_u64(&json, "corrected_error_ticks", row->error * row->calls);
        json_bool(&json, "corrected_is_rough", row->is_rough);
        if (row->deviation > 0)
            json_double(&json, "stddev_ticks", row->deviation, 3);
        static const char *const keys[] = {"p50_ticks", "p90_ticks", "p99_ticks", "max_ticks"};
        for (size_t i = 0; row->percentiles[0] && i < sizeof keys / sizeof *keys; i++)
            json_u64(&json, keys[i], row->percentiles[i]);
        if (row->shortest)
            json_u64(&json, "min_ticks", row->shortest);
        json_object_close(&json);
    }
    json_array_close(&json);
    write_made_tree(&out.sink, rows);
    return out;
}

struct measured made_profile(const struct row *rows, struct way way)
{
    struct measured measured;
    struct error err;
    struct sink_buffer out = made_json(rows, way);
    cr_assert(measured_parse(&measured, "made", out.bytes, out.n, &err), "%s", err.text);
    sink_buffer_fini(&out);
    return measured;
}

const char *said(const struct gate *gate, const struct report *form, const struct row *before,
                 struct way before_way, const struct row *after, struct way after_way)
{
    static char text[8192];
    struct measured sides[] = {made_profile(before, before_way), made_profile(after, after_way)};
    struct measured *const both[] = {&sides[0], &sides[1]};
    struct gate_result result;
    struct error err = {""};
    const struct gate_sides held = {.before = &sides[0], .after = &sides[1]};
    if (convert(gate, both, 2, &err) && gate_hold(gate, &held, &result, &err)) {
        struct sink_buffer out;
        sink_buffer_init(&out);
        form->write(gate, &result, &out.sink);
        snprintf(text, sizeof text, "%s", out.n ? out.bytes : "");
        sink_buffer_fini(&out);
        gate_result_fini(&result);
    } else {
        snprintf(text, sizeof text, "%s", err.text);
    }
    measured_fini(&sides[0]);
    measured_fini(&sides[1]);
    return text;
}

const char *told(const struct gate *gate, const struct row *before, const struct row *after)
{
    return said(gate, &report_text, before, (struct way){0}, after, (struct way){0});
}

void expect_text(const char *text, const char *expected)
{
    cr_expect_str_eq(text, expected);
}

void expect_part(const char *text, const char *part)
{
    cr_expect_not_null(strstr(text, part), "%s lacks %s", text, part);
}
