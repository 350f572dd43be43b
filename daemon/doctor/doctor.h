/* doctor.h - `miniprofd doctor`: checks the prerequisites of a profile, and suggests fixes. */
#ifndef DOCTOR_DOCTOR_H
#define DOCTOR_DOCTOR_H

#include "arguments/arguments.h"

extern const struct arguments doctor_arguments;

/* Runs the command line; argv[0] is "doctor". Writes a line for each check to standard output. Returns the exit
 * status: 0 no check failed, 1 a check failed, 2 wrong usage. */
int doctor_run(int argc, char *const *argv);

#endif
