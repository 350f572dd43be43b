/* command_rows.h - the commands that have options, one row each. The table of commands.c and the sections of
 * configuration files are made of these rows.
 *
 * ROW(word, run, arguments): `miniprofd <word>` calls run(), with the options of `arguments`. */
#ifndef CLI_COMMAND_ROWS_H
#define CLI_COMMAND_ROWS_H

/* clang-format off */
#define COMMAND_ROWS(ROW)                                               \
    ROW("check", check_run, &check_arguments)                           \
    ROW("device", device_command_run, &device_command_arguments)        \
    ROW("doctor", doctor_run, &doctor_arguments)                        \
    ROW("mcp", mcp_run, &mcp_arguments)                                 \
    ROW("top", top_run, &top_arguments)
/* clang-format on */

#endif
