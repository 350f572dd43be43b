/* doctor.h - `miniprofd doctor`: looks whether everything that a profile needs is there, and says what to do
 * where it is not. */
#ifndef DOCTOR_DOCTOR_H
#define DOCTOR_DOCTOR_H

#include "arguments/arguments.h"

extern const struct arguments doctor_arguments;

/* Does what the command line says; argv[0] is "doctor". Writes a line for each thing that it looked at to
 * standard output. Answers with the process's exit status: 0 nothing fails; 1 something does; 2
 * wrong usage. */
int doctor_run(int argc, char *const *argv);

#endif
