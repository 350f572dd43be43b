/* look.h - what a command line names is looked at. For this room only. */
#ifndef DOCTOR_LOOK_H
#define DOCTOR_LOOK_H

#include "base/elf_list.h"
#include "dialect/dialect.h"
#include "doctor/examine.h"
#include "source/source.h"

/* What the command line says. Text is the command line's. */
struct wanted {
    const char *port; /* NULL: the ports of this machine are looked at */
    struct elf_list elfs;
    bool has_elf; /* one was named, readable or not */
    uint32_t baud;
    enum source_line dtr, rts;
    const struct dialect *dialect; /* NULL: to be found out */
    uint32_t listen_ms;
    bool control; /* the device is asked */
    bool json;
};

/* The serial ports of this machine. */
void look_at_ports(struct examination *examination);

/* The source: there, allowed, free, at the right speed, what comes from it, and who answers there. */
void look_at_source(struct examination *examination, const struct wanted *wanted);

#endif
