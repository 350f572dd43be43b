/* source.h - a source of bytes: a serial port, a terminal, a socket or a file, with the same interface.
 *
 * No call blocks, and source_poll() returns what to wait for. Only one thread may use a source at a time;
 * source_read_ahead() starts a thread that reads it. */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SOURCE_PORT_PATH_SIZE = 256 };

/* The state of DTR or RTS after a serial port is opened. Linux switches both on then, and they stay on
 * after closing: a board that is reset by that is reset only by the first opening after it was plugged in. */
enum source_line {
    SOURCE_LINE_KEEP, /* nothing */
    SOURCE_LINE_ON,
    SOURCE_LINE_OFF,
    SOURCE_LINE_PULSE, /* off for 0.1 s, then on, before anything is read */
};

/* Parses "keep", "on", "off" or "pulse"; returns false for other names. */
bool source_line_named(const char *name, enum source_line *line);

struct source_settings {
    const char *spec; /* --port, see source_new() */
    uint32_t baud;    /* bits per second, for local and remote serial ports, and terminals */
    double speed;     /* playback speed of a recording, as a factor; 0: as fast as possible */
    bool drops;       /* treats the port's sender as one that does not wait; for tests */
    /* For local and remote serial ports; other sources are refused with them. Ptys have no lines, and are
     * left alone. */
    enum source_line dtr, rts;
};

/* Parses `spec` without opening anything yet:
 *   serial:NAME, /dev/NAME, ttyNAME, COMn   a serial port or any other terminal
 *   tcp:HOST:PORT, unix:PATH                a byte stream
 *   rfc2217:HOST:PORT                       a serial port behind a server of RFC 2217
 *   file:PATH, -                            a capture, standard input
 * Returns NULL with an error if it is none of these, or can never be opened. */
struct source *source_new(const struct source_settings *settings, struct error *err);

/* The kind of a source, by its spec. */
enum source_kind {
    SOURCE_KIND_UNKNOWN,
    SOURCE_KIND_INPUT, /* standard input */
    SOURCE_KIND_FILE,
    SOURCE_KIND_PORT, /* a serial port or any other terminal */
    SOURCE_KIND_TCP,
    SOURCE_KIND_RFC2217,
    SOURCE_KIND_UNIX,
};

/* True if that source may have modem lines: it is a local or remote serial port, or unknown to
 * source_new(). */
bool source_has_lines(const char *spec);

/* The kind of source for `spec`; *rest becomes the part after the prefix. */
enum source_kind source_kind_of(const char *spec, const char **rest);

/* True if such a source is a recording with arrival times, so that settings.speed may apply. */
bool source_has_pace(const char *spec);

/* The device path of a port, from the part of its spec after the prefix. Returns false if it is too long. */
bool source_port_path(const char *name, char path[static SOURCE_PORT_PATH_SIZE]);

/* Closes it first. Accepts NULL. */
void source_free(struct source *source);

/* Makes one attempt to open it. Returns false if it is not available now: `err` has the reason and a remedy,
 * and the caller may try again. Returns true if it is open, or being opened (tcp, rfc2217); then
 * source_read() continues, and source_is_open() shows the result. */
bool source_open(struct source *source, struct error *err);

/* True if there is nothing to open yet: an adapter that is not plugged in. The check is one system call
 * without side effects. False if unknown. */
bool source_is_missing(const struct source *source);

/* Starts a thread that reads a live source, whenever it is open, into a ring of `room` bytes (0: 16 MiB).
 * Then the sender is blocked only by a full ring, and never if it would not wait (source_dropped()). The
 * other functions work as described, except that source_patience_ms() is at least 20, and source_arrival_us()
 * is the time of the thread's read. To be called once, before opening; not for finite sources. Returns false
 * with an error on failure; the source is usable as before then. */
bool source_read_ahead(struct source *source, size_t room, struct error *err);

void source_close(struct source *source); /* also when it is not open */
bool source_is_open(const struct source *source);

/* The events to wait for before the next source_read(). */
struct source_wait {
    int fd;         /* -1: no descriptor, only the timeout */
    short events;   /* of poll() */
    int timeout_ms; /* read again after this time even if fd is not ready; -1: never */
};
struct source_wait source_poll(const struct source *source);

/* The result of source_read(). */
enum source_result {
    SOURCE_DATA,  /* some bytes */
    SOURCE_QUIET, /* none now */
    SOURCE_GONE,  /* unplugged, closed or failed to open: `err` has reason and remedy; close it, try again */
    SOURCE_ENDED, /* no more bytes, ever */
};

/* The time by which reading may be delayed without blocking the sender: a terminal buffers 4 KiB, a Unix
 * socket hardly 300 writes, which may be of one byte each (as from QEMU), and one of TCP 200 KiB. 0: any
 * time. It can change with each source_read(). */
uint32_t source_patience_ms(const struct source *source);

/* Reads up to `room` bytes; *n becomes their number. Also sends what source_write() could not send yet. From
 * a recording with a pace file (source/pace.h), one read has the bytes of about a second. */
enum source_result source_read(struct source *source, void *bytes, size_t room, size_t *n, struct error *err);

/* When the last byte of the last source_read() arrived, in microseconds. For a live source, by the monotonic
 * clock (the first byte of a read arrived at most 100 ms earlier). For a recording, since it began.
 * SOURCE_ARRIVAL_UNKNOWN for captures without a pace file, for standard input, and for bytes after the last
 * line of the pace file. */
#define SOURCE_ARRIVAL_UNKNOWN UINT64_MAX
uint64_t source_arrival_us(const struct source *source);

/* The total number of bytes that did not fit into the ring: of a serial port whose sender does not wait, so
 * that unread bytes are lost anyway. Bytes added by a source_read() are missing before those it returned.
 * Sources that make the sender wait, such as CDC ACM adapters, lose none. For a recording: the missing bytes
 * in its pace file. */
uint64_t source_dropped(const struct source *source);

/* Sends n bytes, some of them later if the device does not accept all now. Returns false, and sends nothing,
 * if the source cannot send, is not open, or has too many bytes waiting. */
bool source_write(struct source *source, const void *bytes, size_t n, struct error *err);

bool source_can_write(const struct source *source); /* false for files */
bool source_is_finite(
    const struct source *source); /* a file or standard input: it ends, and cannot be reopened */
/* The modification time of the open file, in ns since 1970; 0 for live sources and pipes. */
uint64_t source_recorded_wall_ns(const struct source *source);
const char *source_spec(const struct source *source);
uint32_t source_baud(const struct source *source); /* as reported by driver or server; 0: not open, or none */

/* DTR and RTS of the open source, when it was opened or last checked. */
struct source_lines {
    bool known; /* false: it has none, or does not report them */
    bool dtr, rts;
};
struct source_lines source_lines(const struct source *source);

/* A warning for the user about the open source, for example if a server runs its port at another rate: a
 * sentence with a remedy, "" for none. It can change with each source_read(). Valid until the next
 * source_remark(). */
const char *source_remark(const struct source *source);

/* Sets the rate of an open source, until it is closed: it is opened at that of its settings. Returns false
 * with an error, and changes nothing, if it has no rate or does not support this one. */
bool source_set_baud(struct source *source, uint32_t baud, struct error *err);

/* True if `path` is the file that the source reads. */
bool source_reads_file(const struct source *source, const char *path);

/* A serial port of this machine. Texts are as from text_plain(), "" if unknown. */
struct source_port {
    char name[64];
    char description[128];
    char usb_serial[64];
    bool has_usb_id;
    uint16_t usb_vid, usb_pid;
};

/* Lists the ports, for --list-ports; the caller frees *ports. Returns false if the list is unavailable. */
bool source_list_ports(struct source_port **ports, size_t *n, struct error *err);

#endif
