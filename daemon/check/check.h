/* check.h - `miniprofd check`: checks whether a program became slower, for build scripts. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

/* Runs the command line; argv[0] is "check". Returns the exit status: 0 nothing became slower, 1 failed, 2 wrong
 * usage, 3 something became slower, 4 inconclusive. All but 0 and 3 come with an error on standard error. */
int check_run(int argc, char *const *argv);

#endif
