/* check.h - `miniprofd check`: checks whether a program became slower, for build scripts. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

/* Does what the command line says; argv[0] is "check". Answers with the process's exit status: 0 nothing
 * became slower; 1 failed; 2 wrong usage; 3 something became slower; 4 inconclusive. All but 0 and 3 with
 * a sentence on standard error. */
int check_run(int argc, char *const *argv);

#endif
