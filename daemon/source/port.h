/* port.h - the sentences for a port that cannot be opened; for the files of this room only. */
#ifndef SOURCE_PORT_H
#define SOURCE_PORT_H

#include "base/error.h"

/* Says why open() of the device at `path` failed with errno `code`, and what to do about it. Returns false,
 * so that a failing function can return it. */
bool port_error_open(struct error *err, const char *path, int code);

#endif
