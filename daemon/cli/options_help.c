/* options_help.c - writes --help. */
#include "export/export.h"
#include "cli/options.h"

#include <stdio.h>

static void write_dialects(struct sink *sink)
{
    sink_text(sink, "\ndialects (--dialect), and their options (--dialect-opt):\n");
    for (size_t i = 0; dialect_registry[i]; i++) {
        const struct dialect *dialect = dialect_registry[i];
        arguments_write_entry(sink, dialect->id, dialect->summary);
        for (const struct dialect_option *option = dialect->options; option && option->key; option++) {
            char left[64];
            snprintf(left, sizeof left, "  %s=%s", option->key, option->fallback);
            arguments_write_entry(sink, left, option->help);
        }
    }
}

void options_write_help(struct sink *sink)
{
    arguments_write_help(&options_arguments, sink);
    write_dialects(sink);
    sink_text(sink, "\n  Packets of miniprof may carry the others: then their options are --dialect-opt "
                    "DIALECT.KEY=VALUE,\n"
                    "  such as syst.collateral=lib.xml.\n");
    sink_text(sink, "\nexport formats (--export):\n");
    for (size_t i = 0; exporter_registry[i]; i++)
        arguments_write_entry(sink, exporter_registry[i]->id, exporter_registry[i]->summary);
    sink_text(sink,
              "\nWhere an option is not given here, the first of these that has it counts: the environment "
              "(MINIPROFD_BAUD for\n--baud, MINIPROFD_NO_HTTP=1 for --no-http), the file of --config, "
              "$XDG_CONFIG_HOME/miniprofd/config.json\n(~/.config), /etc/miniprofd/config.json. Options "
              "that may be repeated add up, except for --elf.\n");
    sink_text(sink, "\nexit status: 0 done; 1 something failed, nothing was measured, or a --limit could not "
                    "be judged: a\n"
                    "  sentence on standard error says what; 2 wrong usage; with --no-http: 3 a --limit was "
                    "broken; 4 the\n"
                    "  profile is incomplete (--strict)\n");
}
