/* options_help.c - what --help tells. */
#include "export/export.h"
#include "cli/options_private.h"

#include <stdio.h>
#include <string.h>

void options_write_usage(struct sink *sink)
{
    sink_text(sink, "usage: miniprofd --port SOURCE [--elf FILE] [options]; miniprofd --help lists them\n"
                    "       miniprofd device ...; miniprofd device --help tells more\n"
                    "       miniprofd check ...; miniprofd check --help tells more\n"
                    "       miniprofd doctor ...; miniprofd doctor --help tells more\n"
                    "       miniprofd mcp ...; miniprofd mcp --help tells more\n"
                    "       miniprofd top ...; miniprofd top --help tells more\n");
}

enum { HELP_COLUMN = 27, HELP_WIDTH = 110 };

/* How much of `text` goes on one line: to its end, a newline, or the last space that fits. */
static size_t line_length(const char *text)
{
    enum { ROOM = HELP_WIDTH - HELP_COLUMN };
    size_t n = strcspn(text, "\n"), fits = 0;
    if (n <= ROOM)
        return n;
    for (size_t i = 0; i <= ROOM; i++)
        if (text[i] == ' ')
            fits = i;
    return fits > 0 ? fits : n;
}

/* `help` in a column of its own, beside `left`. */
static void write_entry(struct sink *sink, const char *left, const char *help)
{
    sink_printf(sink, "  %-*s", HELP_COLUMN - 2, left);
    bool beside = strlen(left) <= HELP_COLUMN - 4;
    while (*help) {
        if (!beside)
            sink_printf(sink, "\n%*s", HELP_COLUMN, "");
        beside = false;
        size_t n = line_length(help);
        sink_write(sink, help, n);
        help += n;
        if (*help == ' ' || *help == '\n')
            help++;
    }
    sink_char(sink, '\n');
}

static void write_dialects(struct sink *sink)
{
    sink_text(sink, "\ndialects (--dialect), and their options (--dialect-opt):\n");
    for (size_t i = 0; dialect_registry[i]; i++) {
        const struct dialect *dialect = dialect_registry[i];
        write_entry(sink, dialect->id, dialect->summary);
        for (const struct dialect_option *option = dialect->options; option && option->key; option++) {
            char left[64];
            snprintf(left, sizeof left, "  %s=%s", option->key, option->fallback);
            write_entry(sink, left, option->help);
        }
    }
}

void options_write_help(struct sink *sink)
{
    options_write_usage(sink);
    sink_text(sink, "\nA live profiler for microcontrollers: reads what the firmware tells over a serial "
                    "line, serves a flame graph\n"
                    "of it to the browser.\n\n");
    for (const struct option_row *row = option_rows; row->name; row++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", row->name, row->value ? " " : "",
                 row->value ? row->value : "");
        write_entry(sink, left, row->help);
    }
    write_dialects(sink);
    sink_text(sink, "\n  Packets of miniprof may carry the others: then their options are --dialect-opt "
                    "DIALECT.KEY=VALUE,\n"
                    "  such as syst.collateral=lib.xml.\n");
    sink_text(sink, "\nexport formats (--export):\n");
    for (size_t i = 0; exporter_registry[i]; i++)
        write_entry(sink, exporter_registry[i]->id, exporter_registry[i]->summary);
    sink_text(sink, "\nexit status: 0 done; 1 something failed, nothing was measured, or a --limit could not "
                    "be judged: a\n"
                    "  sentence on standard error says what; 2 wrong usage; with --no-http: 3 a --limit was "
                    "broken; 4 the\n"
                    "  profile is incomplete (--strict)\n");
}
