/* device_command.c - `miniprofd device`: sends one command to a device, and prints the result. */
#include "device_command/device_command.h"

#include "base/error_end.h"
#include "base/text.h"
#include "client/client.h"
#include "device_command/command_line.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1 };

/* After the baud rate was changed, prints that the old one no longer works. */
static void explain_baud(const struct device_command *asked)
{
    for (size_t i = 0; i < asked->settings_n && !asked->at; i++)
        if (!strcmp(asked->settings[i].name, "baud") && asked->settings[i].value != asked->baud)
            fprintf(stderr,
                    "miniprofd: The device answers at that rate, and is back at %u baud now, since nobody "
                    "talks to it; "
                    "miniprofd --baud-max has it there while it runs.\n",
                    asked->baud);
}

static int flush_output(struct sink_fd *out)
{
    struct error err;
    if (sink_fd_flush(out))
        return EXIT_DONE;
    error_set_errno(&err, out->error_number, "Cannot write to standard output");
    return error_end(EXIT_FAILED, err.text);
}

/* Writes JSON without orders (base/text.h), which it never needs: the server at --at is not trusted. */
static void write_json(struct sink *sink, const char *answer)
{
    for (size_t length; *answer; answer += length) {
        bool is_order;
        length = text_character(answer, &is_order);
        if (is_order && !strchr("\t\r\n", *answer))
            sink_char(sink, '?');
        else
            sink_write(sink, answer, length);
    }
    sink_char(sink, '\n');
}

int device_command_run(int argc, char *const *argv)
{
    struct device_command asked;
    struct error err = {""};
    struct sink_fd out;
    signal(SIGPIPE, SIG_IGN);
    sink_fd_init(&out, STDOUT_FILENO);
    if (!device_command_parse(&asked, argc, argv, &err) ||
        (asked.at && !client_address_is_good("--at", asked.at, &err)))
        return arguments_refuse(&device_command_arguments, &err);
    if (asked.help)
        return arguments_help(&device_command_arguments);
    char *answer =
        asked.at ? device_command_over_daemon(&asked, &err) : device_command_over_port(&asked, &err);
    if (!answer)
        return error_end(EXIT_FAILED, err.text);
    bool good = true;
    if (asked.json)
        write_json(&out.sink, answer);
    else
        good = device_command_show(answer, &out.sink, &err);
    free(answer);
    explain_baud(&asked);
    return good ? flush_output(&out) : error_end(EXIT_FAILED, err.text);
}
