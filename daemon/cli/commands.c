/* commands.c - runs the subcommands. */
#include "cli/commands.h"

#include "arguments/suggestion.h"
#include "base/error_end.h"
#include "check/check.h"
#include "check/check_options.h"
#include "cli/command_rows.h"
#include "cli/defaults.h"
#include "cli/options.h"
#include "cli/sections.h"
#include "device_command/command_line.h"
#include "device_command/device_command.h"
#include "doctor/doctor.h"
#include "mcp/mcp.h"
#include "top/top.h"
#include "top/top_options.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

static int help_run(int argc, char *const *argv);

#define COMMAND_ROW(word, run, arguments) {word, run, arguments},
static const struct command commands[] = {COMMAND_ROWS(COMMAND_ROW){"help", help_run, NULL}};
enum { COMMANDS = sizeof commands / sizeof *commands };

const struct command *command_named(const char *word)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (!strcmp(commands[i].word, word))
            return &commands[i];
    return NULL;
}

int command_run(const struct command *command, int argc, char *const *argv)
{
    struct sections sections;
    struct error err = {""};
    if (!command->arguments)
        return command->run(argc, argv);
    int status = sections_read(&sections, command->arguments, DEFAULTS_SYSTEM_FILE, argc, argv, &err)
                     ? command->run(sections.argc, sections.argv)
                     : arguments_refuse(command->arguments, &err);
    sections_free(&sections);
    return status;
}

bool command_is_misspelt(const char *word, struct error *err)
{
    for (size_t i = 0; i < COMMANDS && *word != '-'; i++)
        if (suggestion_is_likely(word, strlen(word), commands[i].word)) {
            error_set(err, "There is no command '%.100s'; did you mean '%s'?", word, commands[i].word);
            return true;
        }
    return false;
}

/* ---- miniprofd help ---- */

struct help_options {
    const char *word; /* the command; NULL: the program itself */
    bool is_table;
};

static bool take_command(void *user, const char *word, struct error *err)
{
    struct help_options *options = user;
    options->word = word;
    if (command_named(word))
        return true;
    return !command_is_misspelt(word, err) && error_set(err, "There is no command '%.100s'.", word);
}

static const struct argument_option help_rows[] = {
    {"options", .member = offsetof(struct help_options, is_table),
     .help =
         "print the options alone, for scripts: name, letter, value, values there are, group, and what it "
         "does, with tabs between"},
    {0},
};

static const struct arguments help_arguments = {
    .command = "help",
    .usage = "usage: miniprofd help [--options] [COMMAND]\n",
    .about = "Prints what the program takes, or the command.\n",
    .options = help_rows,
    .operand = take_command,
};

/* Prints the help of the program itself. */
static int print_help(void)
{
    struct sink_fd out;
    struct error err;
    sink_fd_init(&out, STDOUT_FILENO);
    options_write_help(&out.sink);
    if (sink_fd_flush(&out))
        return 0;
    error_set_errno(&err, out.error_number, "Cannot write to standard output");
    return error_end(1, err.text);
}

static int print_table(const struct arguments *arguments)
{
    struct sink_fd out;
    sink_fd_init(&out, STDOUT_FILENO);
    arguments_write_table(arguments, &out.sink);
    return sink_fd_flush(&out) ? 0 : error_end(1, "Cannot write to standard output.");
}

static int help_run(int argc, char *const *argv)
{
    struct help_options options = {0};
    struct error err;
    if (!arguments_parse(&help_arguments, &options, argc, argv, &err))
        return arguments_refuse(&help_arguments, &err);
    const struct command *command = options.word ? command_named(options.word) : NULL;
    const struct arguments *arguments = !command             ? &options_arguments
                                        : command->arguments ? command->arguments
                                                             : &help_arguments;
    if (options.is_table)
        return print_table(arguments);
    return command ? arguments_help(arguments) : print_help();
}
