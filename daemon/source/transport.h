/* transport.h - what each kind of source brings along; for the files of this room only. */
#ifndef SOURCE_TRANSPORT_H
#define SOURCE_TRANSPORT_H

#include "source/source.h"

#include <sys/types.h>

enum {
    SOURCE_SPEC_SIZE = 4096 + 16, /* the longest path and a prefix */
    SOURCE_OUTGOING_SIZE = 256,   /* some twenty commands */
};

/* The common part: first member of each transport's own struct. */
struct source {
    const struct source_ops *ops;
    char spec[SOURCE_SPEC_SIZE];
    bool is_open;                           /* bytes can flow */
    uint32_t baud;                          /* read back */
    uint8_t outgoing[SOURCE_OUTGOING_SIZE]; /* written by the user, not yet taken by the system */
    size_t outgoing_n;
    uint64_t recorded_wall_ns; /* see source_recorded_wall_ns() */
    uint64_t arrival_us;       /* see source_arrival_us(); set by read() of finite sources only */
    uint64_t dropped;          /* see source_dropped(); set by read() of finite sources only */
    struct error remark;       /* see source_remark() */
    unsigned remarks;          /* how often the remark has changed while nothing was read */
    int side_fd;               /* readable: read() has something to do besides; -1: there is none */
    struct source_lines lines; /* see source_lines() */
    bool drops;                /* nobody waits when it is not read, see source_dropped(); set by open() */
    uint32_t patience_ms;  /* how late it may be read; begins as the transport says, which may change it */
    struct reader *reader; /* see source_read_ahead(); NULL: it is read when it is asked for */
};

struct source_ops {
    bool finite;
    uint32_t patience_ms; /* see source_patience_ms() */
    void (*free)(struct source *source);
    bool (*open)(struct source *source, struct error *err); /* sets is_open now, or in read() */
    void (*close)(struct source *source);                   /* undoes whatever open() and read() did so far */
    struct source_wait (*poll)(const struct source *source);
    enum source_result (*read)(struct source *source, void *bytes, size_t room, size_t *n, struct error *err);

    /* See source_is_missing(). NULL: nobody can tell without opening it. */
    bool (*is_missing)(const struct source *source);

    /* How many bytes the system took, maybe 0; -1 when the other end is gone, which read() will notice too.
     * NULL: this kind cannot send. */
    ssize_t (*write)(struct source *source, const void *bytes, size_t n);

    /* Sets the rate of an open line and says, in source->baud, what the driver made of it. NULL: there is
     * none. */
    void (*set_baud)(struct source *source, uint32_t baud);
};

/* Sends what waits, as far as the system takes it. */
void source_send_outgoing(struct source *source);

/* Each takes the part of the spec that is its own, which lies in settings->spec. NULL with a sentence when
 * that can never be opened. */
struct source *port_source_new(const struct source_settings *settings, const char *name, struct error *err);
struct source *tcp_source_new(const struct source_settings *settings, const char *address, struct error *err);
struct source *rfc2217_source_new(const struct source_settings *settings, const char *address,
                                  struct error *err);
struct source *unix_source_new(const struct source_settings *settings, const char *path, struct error *err);
struct source *file_source_new(const struct source_settings *settings, const char *path, struct error *err);

/* source_reads_file() for a file source. */
bool file_source_reads(const struct source *source, const char *path);

#endif
