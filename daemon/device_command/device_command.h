/* device_command.h - `miniprofd device`: talks to a device once, over its port or through the daemon that has
 * it. */
#ifndef DEVICE_COMMAND_DEVICE_COMMAND_H
#define DEVICE_COMMAND_DEVICE_COMMAND_H

/* Does what the command line says; argv[0] is "device". Answers with the process's exit status: 0 done; 1
 * with a sentence on standard error; 2 wrong usage, likewise. */
int device_command_run(int argc, char *const *argv);

#endif
