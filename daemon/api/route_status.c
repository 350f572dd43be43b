/* route_status.c - the status of the daemon, its source and target, in brief. */
#include "api/route_status.h"

#include "base/clock.h"
#include "base/json.h"
#include "process/pulse.h"
#include "export/export.h"
#include "api/query.h"
#include "api/routes.h"
#include "api/site.h"

#include <string.h>

static void write_exports(const struct snapshot *snapshot, struct json *json)
{
    json_array_open(json, "exports");
    for (const struct exporter *const *next = exporter_registry; *next; next++) {
        const struct exporter *exporter = *next;
        struct error reason;
        bool available = exporter_can(exporter, snapshot, &reason);
        json_object_open(json, NULL);
        json_text(json, "id", exporter->id);
        json_text(json, "title", exporter->title);
        json_text(json, "summary", exporter->summary);
        json_text(json, "extension", exporter->extension);
        json_text(json, "media_type", exporter->media_type);
        json_bool(json, "available", available);
        json_text(json, "reason", available ? NULL : reason.text);
        json_object_close(json);
    }
    json_array_close(json);
}

void status_write(const struct site *site, const struct snapshot *snapshot, struct json *json)
{
    json_object_open(json, NULL);
    json_text(json, "version", site->settings.version);
    json_u64(json, "sequence", snapshot->sequence);
    write_exports(snapshot, json);
    json_array_open(json, "dialects");
    for (size_t i = 0; i < site->settings.dialect_n; i++) {
        const struct http_dialect *dialect = &site->settings.dialects[i];
        json_object_open(json, NULL);
        json_text(json, "id", dialect->id);
        json_text(json, "title", dialect->title);
        json_text(json, "summary", dialect->summary);
        json_object_close(json);
    }
    json_array_close(json);
    export_health(snapshot, json);
    json_object_close(json);
}

/* Adds bytes to an FNV-1a hash. */
static uint64_t mark_bytes(uint64_t mark, const void *bytes, size_t n)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < n; i++)
        mark = (mark ^ byte[i]) * 0x100000001B3u;
    return mark;
}

static uint64_t mark_u64(uint64_t mark, uint64_t value)
{
    return mark_bytes(mark, &value, sizeof value);
}

static uint64_t mark_text(uint64_t mark, const char *text)
{
    return text ? mark_bytes(mark, text, strlen(text) + 1) : mark_u64(mark, 0);
}

static uint64_t mark_description(uint64_t mark, const struct snapshot_description *description)
{
    const uint32_t figures[] = {description->is_known,
                                description->versions,
                                description->tick_hz,
                                description->ring_calls,
                                description->stack_depth,
                                description->tasks,
                                description->packet_bytes,
                                description->hook_sixteenths,
                                description->hook_tree_sixteenths,
                                description->hook_lookup_sixteenths,
                                description->hook_interrupt_sixteenths,
                                description->setting_count};
    mark = mark_bytes(mark, figures, sizeof figures);
    for (uint32_t i = 0; i < description->setting_count; i++) {
        const struct snapshot_setting *setting = &description->settings[i];
        const uint32_t range[] = {setting->least, setting->most, setting->value};
        mark = mark_text(mark, setting->name);
        mark = mark_text(mark, setting->unit);
        mark = mark_bytes(mark, range, sizeof range);
    }
    return mark;
}

uint64_t status_mark(const struct snapshot *snapshot)
{
    const struct snapshot_source *source = &snapshot->source;
    const struct snapshot_target *target = &snapshot->target;
    uint64_t mark = 0xCBF29CE484222325u;
    mark = mark_text(mark, source->port);
    mark = mark_text(mark, source->dialect);
    mark = mark_text(mark, source->looks_like);
    mark = mark_text(mark, source->detail);
    mark = mark_text(mark, source->baud_problem);
    mark = mark_text(mark, source->elf_name);
    mark = mark_text(mark, source->elf_failure);
    mark = mark_u64(mark, source->provides);
    mark = mark_u64(mark, source->baud);
    mark = mark_u64(mark, source->has_lines | source->dtr << 1 | source->rts << 2);
    mark = mark_u64(mark,
                    (uint64_t)source->state << 16 | (uint64_t)source->elf_state << 8 | source->listen_only);
    mark = mark_u64(mark, source->elf_functions);
    mark = mark_u64(mark, target->has_metadata | target->has_status << 1 | target->has_match << 2 |
                              target->elf_match << 3 | target->profiling << 4);
    mark = mark_text(mark, target->fw_version);
    mark = mark_u64(mark, target->mcu_clock_hz);
    mark = mark_u64(mark, target->timer_hz);
    mark = mark_u64(mark, target->ticks_per_second);
    mark = mark_u64(mark, target->elf_build_id);
    mark = mark_u64(mark,
                    target->clock.is_off | target->clock.stands << 1 | target->clock.is_told_to_stand << 2);
    mark = mark_u64(mark, (uint64_t)target->mode << 8 | target->mode_wanted);
    mark = mark_description(mark, &target->description);
    mark = mark_u64(mark, (uint64_t)target->tree.nodes << 32 | target->tree.needed);
    mark = mark_u64(mark, target->tree.lacking_ticks);
    mark = mark_u64(mark, target->tree.evictions);
    for (const struct exporter *const *exporter = exporter_registry; *exporter; exporter++)
        mark = mark_u64(mark, exporter_can(*exporter, snapshot, NULL));
    return mark ? mark : 1;
}

static void answer_healthz(struct site *site, const struct request *request, struct response *response)
{
    const struct pulse *pulse = site->settings.pulse;
    uint64_t stuck_ms = pulse ? pulse_stuck_ms(pulse, clock_monotonic_ms()) : 0;
    if (stuck_ms > 0) {
        response_problem(response, 503,
                         "The thread that reads the device has been at one piece of work for %llu s; what is "
                         "shown is as old.",
                         (unsigned long long)(stuck_ms / 1000));
        return;
    }
    response->media_type = "text/plain; charset=utf-8";
    sink_text(&response->body.sink, "ok\n");
}

static void answer_status(struct site *site, const struct request *request, struct response *response)
{
    struct snapshot *snapshot = query_none(request, response) ? site_snapshot(site, response) : NULL;
    if (!snapshot)
        return;
    struct json json = response_json(response);
    status_write(site, snapshot, &json);
    snapshot_unref(snapshot);
}

const struct route routes_status[] = {
    {.method = "GET",
     .path = "/healthz",
     .answer = answer_healthz,
     .id = "health",
     .summary = "Reports whether the process can serve, and its thread that reads the device gets on: 503 "
                "when that has "
                "been at one piece of work for 5 seconds. Asks for no token.",
     .media_type = "text/plain",
     .errors = {503}},
    {.method = "GET",
     .path = "/api/v1/status",
     .answer = answer_status,
     .id = "status",
     .summary = "Source, target, link, version, and the exports and dialects there are. Small and cheap.",
     .media_type = ROUTE_JSON,
     .schema = "status",
     .errors = {503}},
    {0},
};
