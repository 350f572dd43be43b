/* look.h - examines what a command line names. For this room only. */
#ifndef DOCTOR_LOOK_H
#define DOCTOR_LOOK_H

#include "base/elf_list.h"
#include "dialect/dialect.h"
#include "doctor/examine.h"
#include "source/source.h"

/* The parsed command line, which owns the texts. */
struct wanted {
    const char *port; /* NULL: examine the ports of this machine */
    struct elf_list elfs;
    bool has_elf; /* a file was named, readable or not */
    uint32_t baud;
    enum source_line dtr, rts;
    const struct dialect *dialect; /* NULL: guess */
    uint32_t listen_ms;
    bool control; /* send commands to the device */
    bool json;
};

/* Examines the serial ports of this machine. */
void look_at_ports(struct examination *examination);

/* Examines the source: existence, permission, other users, baud rate, received data, and device. */
void look_at_source(struct examination *examination, const struct wanted *wanted);

#endif
