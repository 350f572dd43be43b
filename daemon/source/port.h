/* port.h - error messages for a port that cannot be opened. Only for files of this room. */
#ifndef SOURCE_PORT_H
#define SOURCE_PORT_H

#include "base/error.h"

/* Sets the error for open() of the device at `path`, which failed with errno `code`, with a remedy. Returns
 * false, for use in a return statement. */
bool port_error_open(struct error *err, const char *path, int code);

#endif
