/* examine.h - the parts that are looked at, one after the other. For this room only. */
#ifndef DOCTOR_EXAMINE_H
#define DOCTOR_EXAMINE_H

#include "doctor/report.h"

#include "dialect/dialect.h"
#include "snapshot/snapshot.h"

/* What the command line says. Text is the command line's. */
struct wanted {
    const char *port; /* NULL: the ports of this machine are looked at */
    const char *elf;  /* NULL: none */
    uint32_t baud;
    const struct dialect *dialect; /* NULL: to be found out */
    uint32_t listen_ms;
    bool control; /* the device is asked */
};

/* The serial ports of this machine. */
void examine_ports(struct report *report);

/* The ELF: whether it can be read, has symbols, lines, and code that is instrumented. False when a session
 * cannot have it. */
bool examine_elf(struct report *report, const char *path);

/* The source: there, allowed, free, at the right speed, what comes from it, and who answers there. */
void examine_source(struct report *report, const struct wanted *wanted);

/* What somebody at the source said of himself, and whether the ELF is his; `wanted` as above. */
void examine_device(struct report *report, const struct wanted *wanted, const struct snapshot *snapshot);

#endif
