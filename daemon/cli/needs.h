/* needs.h - finds the rights that the daemon needs for its options. */
#ifndef CLI_NEEDS_H
#define CLI_NEEDS_H

#include "cli/options.h"
#include "process/confinement.h"

/* Fills in `needs`. Its texts are borrowed from the arguments, or static. `token` is the file of a generated token,
 * which the program removes; "": none. */
void needs_of(const struct options *options, const char *token, struct confinement *needs);

#endif
