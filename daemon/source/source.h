/* source.h - where bytes come from: a serial port, a terminal, a socket, a file. A reader never learns
 * which.
 *
 * Nothing here waits: every call returns at once, and source_poll() says what to wait for. One thread uses a
 * source at a time; source_read_ahead() makes another one, of its own, which reads. */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SOURCE_PORT_PATH_SIZE = 256 };

/* What to do with DTR or RTS when a serial port is opened. Linux switches both on then, and they stay on when
 * it is closed: a board that is reset by that is reset by the first opening since it was plugged in only. */
enum source_line {
    SOURCE_LINE_KEEP, /* nothing */
    SOURCE_LINE_ON,
    SOURCE_LINE_OFF,
    SOURCE_LINE_PULSE, /* off for 0.1 s, then on, before anything is read */
};

/* Reads "keep", "on", "off" or "pulse"; false when it is none of them. */
bool source_line_named(const char *name, enum source_line *line);

struct source_settings {
    const char *spec; /* --port, see source_new() */
    uint32_t baud;    /* bits per second, for serial ports here and elsewhere, and terminals */
    double speed;     /* times the recorded pace, for recordings; 0: as fast as they can be read */
    bool drops;       /* a port of which the sender does not wait, though it looks as if it did; for tests */
    /* Of serial ports here and elsewhere: others are refused with them. Ptys have none, and are left alone. */
    enum source_line dtr, rts;
};

/* Understands `spec` without opening anything yet:
 *   serial:NAME, /dev/NAME, ttyNAME, COMn   a serial port or any other terminal
 *   tcp:HOST:PORT, unix:PATH                a byte stream
 *   rfc2217:HOST:PORT                       a serial port behind a server of RFC 2217
 *   file:PATH, -                            a capture, standard input
 * NULL with a sentence when it is none of these, or can never be opened. */
struct source *source_new(const struct source_settings *settings, struct error *err);

/* What a source is to the system, by its spec. */
enum source_kind {
    SOURCE_KIND_UNKNOWN,
    SOURCE_KIND_INPUT, /* standard input */
    SOURCE_KIND_FILE,
    SOURCE_KIND_PORT, /* a serial port or any other terminal */
    SOURCE_KIND_TCP,
    SOURCE_KIND_RFC2217,
    SOURCE_KIND_UNIX,
};

/* True when that source may have modem lines: it is a serial port, here or elsewhere, or nothing that
 * source_new() understands. */
bool source_has_lines(const char *spec);

/* The kind of the source that source_new() would make; *rest becomes what follows its prefix, within `spec`.
 */
enum source_kind source_kind_of(const char *spec, const char **rest);

/* True when such a source is a recording that says when its bytes came, so that settings.speed may apply. */
bool source_has_pace(const char *spec);

/* Where the device of a port is, by what follows the prefix of its spec. False when the path is too long. */
bool source_port_path(const char *name, char path[static SOURCE_PORT_PATH_SIZE]);

/* Closes it first. NULL is fine. */
void source_free(struct source *source);

/* Makes one attempt to open it. False: it is not available now, `err` says why and what to do, and one may
 * try again. True: it is open, or is on its way (tcp, rfc2217); then source_read() carries on and
 * source_is_open() tells. */
bool source_open(struct source *source, struct error *err);

/* True when there is nothing to open as yet: an adapter that is not plugged in. Asking costs a system call,
 * and nobody notices. False also where that is unknown. */
bool source_is_missing(const struct source *source);

/* Starts a thread that reads a live source into a ring of `room` bytes (0: 16 MiB) whenever it is open, so
 * that nothing but a full ring holds up who sends, and not even that where the sender would not wait
 * (source_dropped()). The rest stays as it is said here, except that
 * source_patience_ms() is longer, and source_arrival_us() is when the thread read. To be called once, before
 * it is opened; not for finite sources. False with a sentence; then it can be used as before. */
bool source_read_ahead(struct source *source, size_t room, struct error *err);

void source_close(struct source *source); /* also when it is not open */
bool source_is_open(const struct source *source);

/* What to wait for before the next source_read(). */
struct source_wait {
    int fd;         /* -1: no descriptor, only time passes */
    short events;   /* of poll() */
    int timeout_ms; /* read again after this long even if fd stays quiet; -1: never */
};
struct source_wait source_poll(const struct source *source);

/* What source_read() met. */
enum source_result {
    SOURCE_DATA,  /* some bytes are here */
    SOURCE_QUIET, /* none now */
    SOURCE_GONE,  /* unplugged, hung up or never came: `err` says which and what to do; close it, try again */
    SOURCE_ENDED, /* nothing will ever follow */
};

/* How long bytes may lie before reading them late holds up whoever sends them: a terminal keeps
 * 4 KiB, a Unix socket hardly 300 writes, which may be of one byte each (QEMU's are), and one of TCP 200 KiB.
 * 0: any time. It may change with each source_read(). */
uint32_t source_patience_ms(const struct source *source);

/* Reads up to `room` bytes, *n becomes how many. Also sends what source_write() could not yet. Of a recording
 * with a pace file (source/pace.h) one read holds what came within about a second. */
enum source_result source_read(struct source *source, void *bytes, size_t room, size_t *n, struct error *err);

/* When the last byte of the newest source_read() came, in microseconds of a clock that never goes back: the
 * monotonic clock of a live source (of what one read has, the first came 100 ms earlier at most), the time
 * since the recording began of a recording. SOURCE_ARRIVAL_UNKNOWN for captures without a pace file, for
 * standard input, and for what lies behind the last line of the pace. */
#define SOURCE_ARRIVAL_UNKNOWN UINT64_MAX
uint64_t source_arrival_us(const struct source *source);

/* How many bytes found no room in the ring, in all: those of a serial port, whose sender does not wait, so
 * that what is not read is lost in any case. Where it has grown with a source_read(), they are missing before
 * what that has read. Adapters that have the sender wait (CDC ACM), and all else that does, lose nothing. Of
 * a recording: how many are missing in it, as its pace file tells. */
uint64_t source_dropped(const struct source *source);

/* Sends n bytes, the rest later if the device does not take them all now. False, and nothing of it is sent:
 * the source cannot send, is not open, or too much waits already. */
bool source_write(struct source *source, const void *bytes, size_t n, struct error *err);

bool source_can_write(const struct source *source); /* false for files: there is nobody to talk to */
bool source_is_finite(
    const struct source *source); /* a file or standard input: it ends, and does not return */
/* When the open file was written last, in ns since 1970; 0 for what comes as it is said. */
uint64_t source_recorded_wall_ns(const struct source *source);
const char *source_spec(const struct source *source);
uint32_t source_baud(const struct source *source); /* as the driver reads it back, or the server says; 0: not
                                                      open, or has none */

/* How DTR and RTS of the open source are, when it was opened or looked at last. */
struct source_lines {
    bool known; /* false: it has none, or does not tell */
    bool dtr, rts;
};
struct source_lines source_lines(const struct source *source);

/* What people should know about the open source though bytes flow: a server that runs its port at another
 * rate, for example. A sentence that says what to do, "" for none; it may change with each source_read().
 * Good until the next source_remark(). */
const char *source_remark(const struct source *source);

/* Has an open source run at another rate from now on, which is forgotten when it closes: it is opened at that
 * of its settings. False, with a sentence, when it has none or cannot have that one; nothing was changed. */
bool source_set_baud(struct source *source, uint32_t baud, struct error *err);

/* True when `path` is the very file that the source reads. */
bool source_reads_file(const struct source *source, const char *path);

/* A serial port of this machine. Text is as text_plain() has it, "" where unknown. */
struct source_port {
    char name[64];
    char description[128];
    char usb_serial[64];
    bool has_usb_id;
    uint16_t usb_vid, usb_pid;
};

/* Lists the ports there are, for --list-ports; the caller frees *ports. False when the list is
 * not available. */
bool source_list_ports(struct source_port **ports, size_t *n, struct error *err);

#endif
