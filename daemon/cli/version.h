/* version.h - what --version prints. */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

#include "base/sink.h"

/* Writes name and version; with `is_verbose` the commit that it was built from, where that is known, and the
 * libraries that this process has loaded, by the names of their files, which have their versions. */
void version_write(struct sink *sink, bool is_verbose);

#endif
