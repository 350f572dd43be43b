/* export_systcsv.c - messages as CSV lines with the columns of the SyS-T reference printer.
 *
 * As in the printer, a line break becomes a space, so that a message is one line, and tabs stay. Unlike there,
 * characters that a terminal would act on are replaced (base/text.h). Texts that a spreadsheet takes for a
 * formula stay: programs compare this file with the printer's. */
#include "export/export.h"

#include "base/text.h"

#include <assert.h>
#include <string.h>

static const char *const severities[] = {
    [SEVERITY_MAX] = "MAX",         [SEVERITY_FATAL] = "FATAL", [SEVERITY_ERROR] = "ERROR",
    [SEVERITY_WARNING] = "WARNING", [SEVERITY_INFO] = "INFO",   [SEVERITY_USER1] = "USER1",
    [SEVERITY_USER2] = "USER2",     [SEVERITY_DEBUG] = "DEBUG"};
static_assert(sizeof severities / sizeof *severities == 8, "three bits of severity each have a name");

static void write_line_text(struct sink *sink, const char *text)
{
    for (size_t length; *text; text += length) {
        bool is_order;
        length = text_character(text, &is_order);
        if (*text == '"')
            sink_text(sink, "\"\"");
        else if (*text == '\n' || *text == '\r')
            sink_char(sink, ' ');
        else if (is_order && *text != '\t')
            sink_char(sink, '?');
        else
            sink_write(sink, text, length);
    }
}

/* Writes a name or a location, quoted only if needed, as the printer does. */
static void write_cell(struct sink *sink, const char *text)
{
    const char *quote = text && strpbrk(text, ",\"\r") ? "\"" : "";
    sink_text(sink, quote);
    write_line_text(sink, text ? text : "");
    sink_text(sink, quote);
}

static void write_message(const struct snapshot_message *message, struct sink *sink)
{
    write_cell(sink, message->status ? message->status : "OK");
    sink_text(sink, ",\"");
    write_line_text(sink, message->text);
    sink_text(sink, "\",");
    write_cell(sink, message->type);
    sink_printf(sink, ",%s,", severities[message->severity & 7]);
    write_cell(sink, message->origin_name);
    sink_printf(sink, ",%u,", message->unit);
    if (message->has_timestamp)
        sink_printf(sink, "0x%016llX", (unsigned long long)message->timestamp);
    sink_printf(sink, ",0x%016llX,", (unsigned long long)message->context_timestamp);
    write_cell(sink, message->location);
    sink_printf(sink, ",%u,", message->raw_length);
    if (message->has_checksum)
        sink_printf(sink, "0x%08X", message->checksum);
    sink_char(sink, ',');
    write_cell(sink, message->collateral);
    sink_char(sink, '\n');
}

static void write_systcsv(const struct snapshot *snapshot, struct sink *sink)
{
    sink_text(sink, "Decode Status,Payload,Type,Severity,Origin,Unit,Message TimeStamp,Context TimeStamp,"
                    "Location,Raw Length,Checksum,Collateral\n");
    for (uint32_t i = 0; i < snapshot->message_count; i++)
        write_message(snapshot->messages[i], sink);
}

const struct exporter exporter_systcsv = {
    .id = "systcsv",
    .title = "Messages (SyS-T columns)",
    .summary = "one line per message, in the columns of the MIPI SyS-T reference printer",
    .media_type = "text/csv; charset=utf-8",
    .extension = "csv",
    .needs = PROVIDES_MESSAGES,
    .write = write_systcsv,
};
