/* show.c - prints a device's status and description as text. */
#include "device_command/command_line.h"

#include "base/jsonio.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LABEL = 14, CELLS = 4 };

/* Returns the number of characters of valid UTF-8. */
static size_t columns_of(const char *text)
{
    size_t columns = 0;
    for (; *text; text++)
        columns += (*text & 0xC0) != 0x80;
    return columns;
}

/* Writes the device's text (UTF-8), made plain and padded to `width`. */
static void write_word(struct sink *sink, const char *text, size_t width)
{
    text_write_plain(sink, text);
    for (size_t columns = columns_of(text); columns < width; columns++)
        sink_char(sink, ' ');
}

static void write_row_label(struct sink *sink, const char *text)
{
    sink_printf(sink, "%-*s", LABEL, text);
}

static void write_number(struct sink *sink, const char *name, const struct jsonio *object, const char *key,
                         const char *unit)
{
    uint64_t value;
    if (!jsonio_u64(jsonio_member(object, key), &value))
        return;
    write_row_label(sink, name);
    sink_printf(sink, "%" PRIu64 " %s\n", value, unit);
}

static void write_state(struct sink *sink, const struct jsonio *target)
{
    bool profiling;
    uint64_t usage = 0, overflows = 0, captured = 0;
    const char *mode = jsonio_text(jsonio_member(target, "mode"));
    if (!jsonio_bool(jsonio_member(target, "profiling"), &profiling))
        return;
    write_row_label(sink, "profiling");
    sink_text(sink, profiling ? "yes" : "no");
    sink_text(sink, profiling && mode ? ", mode " : "");
    write_word(sink, profiling && mode ? mode : "", 0);
    sink_char(sink, '\n');
    jsonio_u64(jsonio_member(target, "buffer_usage_percent"), &usage);
    jsonio_u64(jsonio_member(target, "buffer_overflows"), &overflows);
    jsonio_u64(jsonio_member(target, "records_captured"), &captured);
    write_row_label(sink, "buffer");
    sink_printf(sink, "%" PRIu64 " %% full, %" PRIu64 " overflows, %" PRIu64 " records captured\n", usage,
                overflows, captured);
}

static void write_modes(struct sink *sink, const struct jsonio *description)
{
    static const char *const names[MODES] = {NULL, "calls", "stream", "tree"};
    const struct jsonio *versions = jsonio_member(description, "versions");
    write_row_label(sink, "modes");
    const struct jsonio *first = jsonio_first(versions);
    for (const struct jsonio *one = first; one; one = jsonio_next(one)) {
        uint64_t version = 0;
        jsonio_u64(one, &version);
        if (one != first)
            sink_text(sink, ", ");
        if (version > 0 && version < MODES)
            sink_text(sink, names[version]);
        else
            sink_printf(sink, "version %" PRIu64, version);
    }
    sink_char(sink, '\n');
}

/* The table of settings: all cells are formatted first, to find the widths of columns. */
struct row {
    char cell[CELLS][96];
};

static struct row row_of(const struct jsonio *setting)
{
    uint64_t least = 0, most = 0, value = 0;
    struct row row = {{""}};
    const char *name = jsonio_text(jsonio_member(setting, "name"));
    const char *unit = jsonio_text(jsonio_member(setting, "unit"));
    jsonio_u64(jsonio_member(setting, "least"), &least);
    jsonio_u64(jsonio_member(setting, "most"), &most);
    jsonio_u64(jsonio_member(setting, "value"), &value);
    snprintf(row.cell[0], sizeof row.cell[0], "%s", name ? name : "");
    snprintf(row.cell[1], sizeof row.cell[1], "%" PRIu64, value);
    snprintf(row.cell[2], sizeof row.cell[2], "%s", unit ? unit : "");
    snprintf(row.cell[3], sizeof row.cell[3], "%" PRIu64 " to %" PRIu64, least, most);
    return row;
}

static void write_settings(struct sink *sink, const struct jsonio *settings)
{
    struct row rows[1 + EVENT_SETTINGS_MAX] = {{{"setting", "value", "unit", "range"}}};
    size_t n = 1, width[CELLS] = {0};
    const struct jsonio *setting = jsonio_first(settings);
    for (; setting && n < sizeof rows / sizeof *rows; setting = jsonio_next(setting))
        rows[n++] = row_of(setting);
    for (size_t i = 0; i < n; i++)
        for (size_t cell = 0; cell < CELLS; cell++)
            if (columns_of(rows[i].cell[cell]) > width[cell])
                width[cell] = columns_of(rows[i].cell[cell]);
    sink_char(sink, '\n');
    for (size_t i = 0; i < n; i++) {
        write_word(sink, rows[i].cell[0], width[0] + 2);
        sink_printf(sink, "%*s", (int)width[1], rows[i].cell[1]); /* right-aligned digits */
        sink_text(sink, "  ");
        write_word(sink, rows[i].cell[2], width[2] + 2);
        write_word(sink, rows[i].cell[3], 0);
        sink_char(sink, '\n');
    }
}

/* Prints the cost of measuring a call. */
static void write_hooks(struct sink *sink, const struct jsonio *description)
{
    double ticks = 0;
    uint64_t hz = 0;
    if (!jsonio_double(jsonio_member(description, "hook_ticks"), &ticks))
        return;
    write_row_label(sink, "hooks");
    sink_printf(sink, "%.4g ticks a call", ticks);
    if (jsonio_u64(jsonio_member(description, "tick_hz"), &hz) && hz > 0)
        sink_printf(sink, ", %.3g us", ticks * 1e6 / (double)hz);
    sink_char(sink, '\n');
}

static void write_trigger(struct sink *sink, const struct jsonio *trigger)
{
    const char *when = jsonio_text(jsonio_member(trigger, "when"));
    const char *state = jsonio_text(jsonio_member(trigger, "state"));
    const char *detail = jsonio_text(jsonio_member(trigger, "detail"));
    if (!when || !state)
        return;
    write_row_label(sink, "trigger");
    write_word(sink, when, 0);
    sink_text(sink, ", ");
    write_word(sink, state, 0);
    if (detail)
        sink_text(sink, ": ");
    write_word(sink, detail ? detail : "", 0);
    sink_char(sink, '\n');
}

static void write_description(struct sink *sink, const struct jsonio *description)
{
    const struct jsonio *settings = jsonio_member(description, "settings");
    if (!jsonio_is_object(description)) {
        write_row_label(sink, "settings");
        sink_text(sink, "not known, the device does not describe itself\n");
        return;
    }
    write_modes(sink, description);
    write_number(sink, "stream", description, "tick_hz", "ticks per second");
    write_number(sink, "ring", description, "ring_calls", "calls");
    write_number(sink, "stack", description, "stack_depth", "calls");
    write_number(sink, "tasks", description, "tasks", "told apart");
    write_number(sink, "packet", description, "packet_bytes", "bytes");
    write_hooks(sink, description);
    if (jsonio_count(settings) > 0)
        write_settings(sink, settings);
}

bool device_command_show(const char *answer, struct sink *sink, struct error *err)
{
    struct jsonio *top = jsonio_parse("The answer", answer, strlen(answer), err);
    const struct jsonio *target = jsonio_member(top, "target");
    bool good = jsonio_is_object(target);
    if (good) {
        const char *version = jsonio_text(jsonio_member(target, "fw_version"));
        write_row_label(sink, "firmware");
        write_word(sink, version ? version : "not known", 0);
        sink_char(sink, '\n');
        write_number(sink, "processor", target, "mcu_clock_hz", "Hz");
        write_state(sink, target);
        write_trigger(sink, jsonio_member(target, "trigger"));
        write_description(sink, jsonio_member(target, "description"));
    } else {
        error_set(err, "The answer says nothing of a device; is it a miniprofd that answers there?");
    }
    jsonio_free(top);
    return good;
}
