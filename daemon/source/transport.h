/* transport.h - the interface of each kind of source. Only for files of this room. */
#ifndef SOURCE_TRANSPORT_H
#define SOURCE_TRANSPORT_H

#include "source/source.h"

#include <sys/types.h>

enum {
    SOURCE_SPEC_SIZE = 4096 + 16, /* the longest path and a prefix */
    SOURCE_OUTGOING_SIZE = 256,   /* some twenty commands */
};

/* The common part, first member of each transport's struct. */
struct source {
    const struct source_ops *ops;
    char spec[SOURCE_SPEC_SIZE];
    bool is_open;                           /* bytes can flow */
    uint32_t baud;                          /* as read back */
    uint8_t outgoing[SOURCE_OUTGOING_SIZE]; /* written by the user, not yet accepted by the system */
    size_t outgoing_n;
    uint64_t recorded_wall_ns; /* see source_recorded_wall_ns() */
    uint64_t arrival_us;       /* see source_arrival_us(); set by read() of finite sources only */
    uint64_t dropped;          /* see source_dropped(); set by read() of finite sources only */
    struct error remark;       /* see source_remark() */
    unsigned remarks;          /* number of changes of the remark while nothing was read */
    int side_fd;               /* when readable, read() has something else to do; -1: none */
    struct source_lines lines; /* see source_lines() */
    bool drops;                /* unread bytes are lost, see source_dropped(); set by open() */
    uint32_t patience_ms;  /* how late it may be read; initially as below, may be changed by the transport */
    struct reader *reader; /* see source_read_ahead(); NULL: it is read on request */
};

struct source_ops {
    bool is_finite;
    uint32_t patience_ms; /* see source_patience_ms() */
    void (*free)(struct source *source);
    bool (*open)(struct source *source, struct error *err); /* sets is_open now, or in read() */
    void (*close)(struct source *source);                   /* undoes what open() and read() have done */
    struct source_wait (*poll)(const struct source *source);
    enum source_result (*read)(struct source *source, void *bytes, size_t room, size_t *n, struct error *err);

    /* See source_is_missing(). NULL: unknown without opening it. */
    bool (*is_missing)(const struct source *source);

    /* Returns how many bytes the system accepted, maybe 0; -1 if the other end is gone, which read() will
     * detect, too. NULL: this kind cannot send. */
    ssize_t (*write)(struct source *source, const void *bytes, size_t n);

    /* Sets the rate of an open line, and source->baud to the driver's actual rate. NULL: no rates. */
    void (*set_baud)(struct source *source, uint32_t baud);
};

/* Sends waiting bytes, as far as the system accepts them. */
void source_send_outgoing(struct source *source);

/* Each parses its part of the spec, which is inside settings->spec. Returns NULL with an error if it can
 * never be opened. */
struct source *port_source_new(const struct source_settings *settings, const char *name, struct error *err);
struct source *tcp_source_new(const struct source_settings *settings, const char *address, struct error *err);
struct source *rfc2217_source_new(const struct source_settings *settings, const char *address,
                                  struct error *err);
struct source *unix_source_new(const struct source_settings *settings, const char *path, struct error *err);
struct source *file_source_new(const struct source_settings *settings, const char *path, struct error *err);

/* source_reads_file() for a file source. */
bool file_source_reads(const struct source *source, const char *path);

#endif
