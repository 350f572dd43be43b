/* sections.h - options of a command that stand in configuration files, in an object called like it. */
#ifndef CLI_SECTIONS_H
#define CLI_SECTIONS_H

#include "arguments/arguments.h"

/* A command line with these options. */
struct sections {
    int argc;
    char **argv; /* argc of them: the word, options of files, then what was given */
    struct section_option *options;
    size_t n;
};

/* Makes the command line of `command` from the one that was given, argv[0] its word, and the files: that of
 * MINIPROFD_CONFIG, the user's, then `system_file`. What is named on the command line or in a stronger file
 * counts alone. Of one that asks for help no file is read. False with a sentence; sections_free() in any
 * case. */
bool sections_read(struct sections *sections, const struct arguments *command, const char *system_file,
                   int argc, char *const *argv, struct error *err);
void sections_free(struct sections *sections);

#endif
