/* commands.h - the subcommands, `miniprofd WORD ...`. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "arguments/arguments.h"

/* A command. `run` gets the word in argv[0], and returns the exit status. */
struct command {
    const char *word;
    int (*run)(int argc, char *const *argv);
    const struct arguments *arguments; /* NULL for `help` */
};

/* Returns the command with that word, NULL when there is none. */
const struct command *command_named(const char *word);

/* Runs it with the given options and those of configuration files. Returns the exit status. */
int command_run(const struct command *command, int argc, char *const *argv);

/* True, with an error, when the word is probably a misspelt command. */
bool command_is_misspelt(const char *word, struct error *err);

#endif
