/* arguments_help.c - writes --help, and the answer to wrong usage. */
#include "arguments/arguments.h"

#include "base/error_end.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HELP_COLUMN = 31, HELP_WIDTH = 112, LEFT_SIZE = 80 };
enum { DONE = 0, FAILED = 1, USAGE = 2 };

/* Returns the part of `text` for one line: up to its end, a newline, or the last space that fits. */
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

void arguments_write_entry(struct sink *sink, const char *left, const char *help)
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

static void write_option(struct sink *sink, const struct argument_option *option)
{
    char left[LEFT_SIZE], letter[8] = "    ";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name, option->value ? " " : "",
             option->value ? option->value : "");
    arguments_write_entry(sink, left, option->help);
}

/* Writes lines with indentation. */
static void write_indented(struct sink *sink, const char *lines)
{
    while (*lines) {
        size_t n = strcspn(lines, "\n");
        sink_text(sink, "  ");
        sink_write(sink, lines, n);
        sink_char(sink, '\n');
        lines += n + (lines[n] == '\n');
    }
}

void arguments_write_usage(const struct arguments *command, struct sink *sink)
{
    sink_text(sink, command->usage);
}

void arguments_write_help(const struct arguments *command, struct sink *sink)
{
    arguments_write_usage(command, sink);
    sink_printf(sink, "\n%s", command->about);
    for (const struct argument_option *option = command->options; option->name; option++) {
        if (option->group)
            sink_printf(sink, "\n%s:\n", option->group);
        write_option(sink, option);
    }
    if (command->examples) {
        sink_text(sink, "\nExamples:\n");
        write_indented(sink, command->examples);
    }
    if (command->notes)
        sink_printf(sink, "\n%s", command->notes);
}

void arguments_write_table(const struct arguments *command, struct sink *sink)
{
    const char *group = "";
    for (const struct argument_option *option = command->options; option->name; option++) {
        group = option->group ? option->group : group;
        sink_printf(sink, "%s\t%.1s\t%s\t%s\t%s\t%.*s\n", option->name, &option->letter,
                    option->value ? option->value : "", option->words ? option->words : "", group,
                    (int)strcspn(option->help, "\n"), option->help);
    }
}

int arguments_refuse(const struct arguments *command, const struct error *err)
{
    struct sink_fd out;
    error_end(USAGE, err->text);
    sink_fd_init(&out, STDERR_FILENO);
    arguments_write_usage(command, &out.sink);
    sink_printf(&out.sink, "miniprofd %s%s--help says more.\n", command->command ? command->command : "",
                command->command ? " " : "");
    sink_fd_flush(&out);
    return USAGE;
}

int arguments_help(const struct arguments *command)
{
    struct sink_fd out;
    struct error err;
    sink_fd_init(&out, STDOUT_FILENO);
    arguments_write_help(command, &out.sink);
    if (sink_fd_flush(&out))
        return DONE;
    error_set_errno(&err, out.error_number, "Cannot write to standard output");
    return error_end(FAILED, err.text);
}
