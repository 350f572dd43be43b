/* ports.h - lists the serial ports as text or JSON. */
#ifndef CLI_PORTS_H
#define CLI_PORTS_H

#include "base/error.h"
#include "base/sink.h"

/* Writes one line per port, or one JSON array of objects. False when the ports cannot be listed. */
bool ports_write(struct sink *sink, bool json, struct error *err);

#endif
