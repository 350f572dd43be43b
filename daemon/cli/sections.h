/* sections.h - reads options of a command from configuration files, from an object with its name. */
#ifndef CLI_SECTIONS_H
#define CLI_SECTIONS_H

#include "arguments/arguments.h"

/* A command line with these options. */
struct sections {
    int argc;
    char **argv; /* argc of them: the word, options of files, given options */
    struct section_option *options;
    size_t n;
};

/* Makes the command line of `command` from the given one, with its word in argv[0], and from files: that of
 * MINIPROFD_CONFIG, the user's, then `system_file`. An option of the command line, or of a file with higher precedence,
 * replaces that of others. With --help no file is read. False with an error. Call sections_free() in any case. */
bool sections_read(struct sections *sections, const struct arguments *command, const char *system_file,
                   int argc, char *const *argv, struct error *err);
void sections_free(struct sections *sections);

#endif
