/* commands.c - what the program does besides profiling. */
#include "cli/commands.h"

#include "check/check.h"
#include "doctor/doctor.h"
#include "mcp/mcp.h"
#include "top/top.h"
#include "device_command/device_command.h"

#include <stddef.h>
#include <string.h>

static const struct command commands[] = {{"device", device_command_run},
                                          {"check", check_run},
                                          {"doctor", doctor_run},
                                          {"mcp", mcp_run},
                                          {"top", top_run}};

const struct command *command_named(const char *word)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(commands[i].word, word))
            return &commands[i];
    return NULL;
}
