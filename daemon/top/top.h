/* top.h - `miniprofd top`: the busiest functions, tasks and the link in a terminal. */
#ifndef TOP_TOP_H
#define TOP_TOP_H

/* Runs the command; argv[0] is "top". Returns the exit status. */
int top_run(int argc, char *const *argv);

#endif
