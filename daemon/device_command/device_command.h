/* device_command.h - `miniprofd device`: sends one command to a device, over its port or through its daemon. */
#ifndef DEVICE_COMMAND_DEVICE_COMMAND_H
#define DEVICE_COMMAND_DEVICE_COMMAND_H

/* Runs the command line; argv[0] is "device". Returns the exit status: 0 done, 1 failed, 2 wrong usage. The last two
 * come with an error on standard error. */
int device_command_run(int argc, char *const *argv);

#endif
