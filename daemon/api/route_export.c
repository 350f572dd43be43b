/* route_export.c - the routes that export the profile, or a range of it, in some format. */
#include "export/export.h"

#include "base/clock.h"
#include "api/download.h"
#include "api/query.h"
#include "api/range.h"
#include "api/routes.h"
#include "snapshot/elf_files.h"

#include <stdio.h>
#include <string.h>

static void answer_snapshot(struct site *site, const struct request *request, struct response *response)
{
    struct snapshot *snapshot = range_snapshot(site, request, response);
    if (!snapshot)
        return;
    if (snapshot->range.is_set) {
        download_start(exporter_find("json"), snapshot, request, response);
        return;
    }
    response->media_type = "application/json";
    response->shared = cache_snapshot(site->cache, snapshot);
    response->body.sink.failed = response->shared == NULL;
    snapshot_unref(snapshot);
}

enum { FIRMWARE_SIZE = 32, VERSION_SIZE = 24, DATE_SIZE = 16 };

/* Copies n bytes of `text`. Characters that are not portable in file names become '_'. */
static void copy_plain(char *to, size_t size, const char *text, size_t n)
{
    size_t i = 0;
    for (; i < n && i + 1 < size; i++) {
        unsigned char c = (unsigned char)text[i];
        bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '+' ||
                     c == '_' || c == '-' || (c == '.' && i > 0);
        to[i] = plain ? (char)c : '_';
    }
    to[i] = '\0';
}

/* Makes "motor" of ".../motor.elf"; "miniprofd" without an ELF. */
static void firmware_name(const char *elf_path, char name[static FIRMWARE_SIZE])
{
    const char *path = *elf_path ? elf_path : "miniprofd";
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path, *dot = strrchr(file, '.');
    copy_plain(name, FIRMWARE_SIZE, file, dot && dot > file ? (size_t)(dot - file) : strlen(file));
}

/* Writes the date as "20261120-120045" in UTC. */
static void date_name(uint64_t wall_ns, char name[static DATE_SIZE])
{
    char iso[CLOCK_ISO8601_SIZE];
    clock_iso8601(wall_ns, iso);
    snprintf(name, DATE_SIZE, "%.4s%.2s%.2s-%.2s%.2s%.2s", iso, iso + 5, iso + 8, iso + 11, iso + 14,
             iso + 17);
}

/* Makes the file's name of the firmware's name and version, the date, and the range. */
static void name_file(const struct snapshot *snapshot, const char *extension, struct response *response)
{
    char firmware[FIRMWARE_SIZE], version[VERSION_SIZE] = "", date[DATE_SIZE], range[64] = "";
    const char *told = snapshot->target.fw_version;
    firmware_name(snapshot_elf_path(snapshot), firmware);
    if (*told)
        copy_plain(version, sizeof version, told, strlen(told));
    date_name(snapshot->captured_at_wall_ns, date);
    if (snapshot->range.is_set)
        snprintf(range, sizeof range, "-from-%llu-to-%llu", (unsigned long long)snapshot->range.from_ticks,
                 (unsigned long long)snapshot->range.to_ticks);
    response_header(response, "Content-Disposition", "attachment; filename=\"%s%s%s-%s%s.%s\"", firmware,
                    *version ? "-" : "", version, date, range, extension);
}

static void answer_export(struct site *site, const struct request *request, struct response *response)
{
    const struct exporter *exporter = exporter_find(request->argument);
    if (!exporter) {
        response_problem(response, 404,
                         "There is no export '%.64s'. GET /api/v1/status lists those there are.",
                         request->argument);
        return;
    }
    struct snapshot *snapshot = range_snapshot(site, request, response);
    if (!snapshot)
        return;
    struct error reason;
    if (!exporter_can(exporter, snapshot, &reason)) {
        response_problem(response, 409, "%s", reason.text);
    } else if (range_take_slot(site, response)) {
        name_file(snapshot, exporter->extension, response);
        download_start(exporter, snapshot, request, response);
        return;
    }
    snapshot_unref(snapshot);
}

const struct route routes_export[] = {
    {.method = "GET",
     .path = "/api/v1/snapshot",
     .answer = answer_snapshot,
     .id = "snapshot",
     .summary = "The whole snapshot; with from or to only what ran in that stretch of time, as far as the "
                "timeline still holds it. It then has the member range.",
     .media_type = ROUTE_JSON,
     .schema = "snapshot",
     .query = QUERY_RANGE,
     .errors = {400, 410, 503}},
    {.method = "GET",
     .path = "/api/v1/export/{format}",
     .answer = answer_export,
     .id = "export",
     .summary = "The profile in another tool's format, as a file. The status lists the formats.",
     .media_type = "application/octet-stream",
     .argument = {"format", "The id of the format."},
     .query = QUERY_RANGE,
     .errors = {400, 404, 409, 410, 503}},
    {0},
};
