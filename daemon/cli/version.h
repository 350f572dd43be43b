/* version.h - prints --version. */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

#include "base/sink.h"

/* Writes name and version. With `is_verbose`, also writes the commit of the build, if known, and the loaded libraries,
 * by file names, which contain their versions. */
void version_write(struct sink *sink, bool is_verbose);

#endif
