/* commands.h - `miniprofd WORD ...`: what the program does besides profiling. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

/* A command: argv[0] is its word; answers with the process's exit status. */
struct command {
    const char *word;
    int (*run)(int argc, char *const *argv);
};

/* The command of that word; NULL when there is none. */
const struct command *command_named(const char *word);

#endif
