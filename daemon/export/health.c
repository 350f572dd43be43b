/* health.c - writes "source", "target" and "link" of a snapshot as JSON. */
#include "base/clock.h"
#include "base/json.h"
#include "export/description_json.h"
#include "export/windows.h"
#include "export/export.h"
#include "export/figure.h"
#include "export/limits_json.h"
#include "snapshot/clock_doubt.h"
#include "snapshot/elf_files.h"
#include "snapshot/slowdown.h"

#include <assert.h>

static const char *const state_names[] = {
    [STATE_CONNECTING] = "connecting",
    [STATE_CONNECTED] = "connected",
    [STATE_LOST] = "lost",
    [STATE_ENDED] = "ended",
};

static const char *const elf_names[] = {
    [ELF_NONE] = "none",
    [ELF_OK] = "ok",
    [ELF_NO_SYMBOLS] = "no symbols",
    [ELF_UNREADABLE] = "unreadable",
    [ELF_READING] = "reading",
};

/* Indexed by the number of the bit. */
static const char *const provides_names[] = {"tree",        "arcs",     "samples",
                                             "checkpoints", "messages", "timeline"};

static_assert(sizeof state_names / sizeof *state_names == STATE_ENDED + 1, "each state has a name");
static_assert(sizeof elf_names / sizeof *elf_names == ELF_READING + 1, "each state has a name");
static_assert(PROVIDES_TREE == 1 && PROVIDES_ARCS == 2 && PROVIDES_SAMPLES == 4 && PROVIDES_MARKS == 8 &&
                  PROVIDES_MESSAGES == 16 && PROVIDES_TIMELINE == 32 &&
                  sizeof provides_names / sizeof *provides_names == 6,
              "each bit has its name at its place");

void export_recording(const struct snapshot_recording *recording, struct json *json)
{
    char since[CLOCK_ISO8601_SIZE];
    clock_iso8601(recording->since_wall_ns, since);
    json_text(json, "path", recording->path);
    json_u64(json, "bytes", recording->bytes);
    json_u64(json, "bytes_lost", recording->bytes_lost);
    json_text(json, "since", since);
    json_text(json, "error", *recording->failure ? recording->failure : NULL);
}

static void write_line(struct json *json, const char *key, bool known, bool is_on)
{
    if (known)
        json_bool(json, key, is_on);
    else
        json_null(json, key);
}

static void write_elf_file(const struct snapshot_elf_file *file, struct json *json)
{
    const struct elf_place *place = file->place;
    char offset[32];
    elf_place_offset(place, offset);
    json_object_open(json, NULL);
    json_text(json, "path", place->path);
    json_text(json, "offset", place->is_moved ? offset : NULL);
    json_u64(json, "functions", file->functions);
    json_object_close(json);
}

static void write_elf(const struct snapshot *snapshot, struct json *json)
{
    const struct snapshot_source *source = &snapshot->source;
    struct snapshot_elf_file files[ELF_LIST_MOST];
    size_t n = snapshot_elf_files(snapshot, files);
    json_object_open(json, "elf");
    json_text(json, "path", source->elf_path);
    json_text(json, "name", source->elf_name);
    json_text(json, "state", elf_names[source->elf_state]);
    json_u64(json, "functions", source->elf_functions);
    json_text(json, "error", *source->elf_failure ? source->elf_failure : NULL);
    json_array_open(json, "files");
    for (size_t i = 0; i < n; i++)
        write_elf_file(&files[i], json);
    json_array_close(json);
    json_object_close(json);
}

static void write_source(const struct snapshot *snapshot, struct json *json)
{
    const struct snapshot_source *source = &snapshot->source;
    json_object_open(json, "source");
    json_text(json, "port", source->port);
    json_text(json, "dialect", source->dialect);
    json_array_open(json, "dialect_provides");
    for (size_t i = 0; i < sizeof provides_names / sizeof *provides_names; i++)
        if (source->provides & 1u << i)
            json_text(json, NULL, provides_names[i]);
    json_array_close(json);
    json_text(json, "looks_like", source->looks_like);
    json_text(json, "state", state_names[source->state]);
    json_text(json, "detail", source->detail);
    json_bool(json, "listen_only", source->listen_only);
    json_known_u64(json, "baud", source->baud > 0, source->baud);
    json_known_u64(json, "baud_wanted", source->baud_wanted > 0, source->baud_wanted);
    json_text(json, "baud_problem", *source->baud_problem ? source->baud_problem : NULL);
    write_line(json, "dtr", source->has_lines, source->dtr);
    write_line(json, "rts", source->has_lines, source->rts);
    if (source->elf_state == ELF_NONE)
        json_null(json, "elf");
    else
        write_elf(snapshot, json);
    keeping_write(&source->keeping, json);
    if (!*source->recording.path) {
        json_null(json, "recording");
    } else {
        json_object_open(json, "recording");
        export_recording(&source->recording, json);
        json_object_close(json);
    }
    json_object_close(json);
}

static void write_target(const struct snapshot_target *target, struct json *json)
{
    bool metadata = target->has_metadata, status = target->has_status;
    json_object_open(json, "target");
    json_text(json, "fw_version", metadata ? target->fw_version : NULL);
    json_known_u64(json, "mcu_clock_hz", metadata, target->mcu_clock_hz);
    json_known_u64(json, "timer_hz", metadata, target->timer_hz);
    json_known_u64(json, "ticks_per_second", target->ticks_per_second > 0, target->ticks_per_second);
    if (target->clock.has_ratio)
        json_double(json, "clock_ratio", target->clock.ratio, 3);
    else
        json_null(json, "clock_ratio");
    char doubt[CLOCK_DOUBT_SIZE];
    json_text(json, "clock_doubt", snapshot_clock_doubt(target, doubt) ? doubt : NULL);
    if (metadata)
        json_hex(json, "elf_build_id", target->elf_build_id, 8);
    else
        json_null(json, "elf_build_id");
    if (target->has_match)
        json_bool(json, "elf_match", target->elf_match);
    else
        json_null(json, "elf_match");
    if (status)
        json_bool(json, "profiling", target->profiling);
    else
        json_null(json, "profiling");
    json_known_u64(json, "buffer_overflows", status, target->buffer_overflows);
    json_known_u64(json, "records_captured", status, target->records_captured);
    json_known_u64(json, "buffer_usage_percent", status, target->buffer_usage_percent);
    description_write(target, json);
    trigger_write(&target->trigger, json);
    json_object_close(json);
}

static void write_link(const struct snapshot_link *link, struct json *json)
{
    json_object_open(json, "link");
    for (const struct figure *figure = figures_link; figure->key; figure++)
        figure_write(figure, link, figure_link_known(figure, link), json);
    json_object_close(json);
}

/* Writes the accounts of one unit. "incomplete_because" has sentences for what is missing. */
static void write_accounts(const struct ledger *ledger, const char *name, enum ledger_unit unit,
                           struct json *json)
{
    json_object_open(json, name);
    for (int i = 0; i < ACCOUNTS; i++)
        if (ledger_rows[i].unit == unit)
            json_u64(json, ledger_rows[i].key, ledger->booked[i]);
    json_object_close(json);
}

static void write_ledger(const struct ledger *ledger, struct json *json)
{
    json_object_open(json, "ledger");
    write_accounts(ledger, "bytes", LEDGER_BYTES, json);
    write_accounts(ledger, "calls", LEDGER_CALLS, json);
    write_accounts(ledger, "ticks", LEDGER_TICKS, json);
    json_bool(json, "adds_up", ledger->broken == 0);
    json_object_close(json);
}

static void write_slowdown(const struct snapshot *snapshot, struct json *json)
{
    const struct snapshot_slowdown slowdown = snapshot_slowdown(snapshot);
    bool is_known = !slowdown.unknown;
    char words[SLOWDOWN_SIZE];
    snapshot_slowdown_words(&slowdown, words);
    json_object_open(json, "slowdown");
    if (is_known)
        json_double(json, "factor", slowdown.factor, 3);
    else
        json_null(json, "factor");
    json_bool(json, "at_least", slowdown.is_least);
    json_known_u64(json, "hook_ticks", is_known, slowdown.hook_ticks);
    json_known_u64(json, "ticks", is_known, slowdown.ticks);
    json_known_u64(json, "short_functions", is_known, slowdown.short_functions);
    json_known_u64(json, "short_hook_ticks", is_known, slowdown.short_hook_ticks);
    json_text(json, "words", words);
    json_object_close(json);
}

void export_health(const struct snapshot *snapshot, struct json *json)
{
    write_source(snapshot, json);
    write_target(&snapshot->target, json);
    write_link(&snapshot->link, json);
    write_ledger(&snapshot->ledger, json);
    write_slowdown(snapshot, json);
}
