/* commands.h - `miniprofd WORD ...`: what the program does besides profiling. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "arguments/arguments.h"

/* A command: argv[0] is its word; answers with the process's exit status. */
struct command {
    const char *word;
    int (*run)(int argc, char *const *argv);
    const struct arguments *arguments; /* NULL: of `help` */
};

/* The command of that word; NULL when there is none. */
const struct command *command_named(const char *word);

/* Runs it, with options of configuration files beside those given. Answers with the process's exit status. */
int command_run(const struct command *command, int argc, char *const *argv);

/* True when a word that is no command was probably meant as one; then with a sentence. */
bool command_is_misspelt(const char *word, struct error *err);

#endif
