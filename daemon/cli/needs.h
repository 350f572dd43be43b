/* needs.h - the rights that the daemon needs for what its options ask of it. */
#ifndef CLI_NEEDS_H
#define CLI_NEEDS_H

#include "cli/options.h"
#include "process/confinement.h"

/* Fills `needs` in; texts are borrowed of the arguments, or last as long as the program. `token` is the file
 * of a token that the program has made and removes; "": there is none. */
void needs_of(const struct options *options, const char *token, struct confinement *needs);

#endif
