/* source.c - distinguishes the kinds of source by name, and does what they have in common. */
#include "base/clock.h"
#include "source/pace.h"
#include "source/reader.h"
#include "source/transport.h"

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *text_after_prefix(const char *spec, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(spec, prefix, n) == 0 ? spec + n : NULL;
}

/* ttyUSB0, COM3: names of ports without a folder. */
static bool looks_like_port_name(const char *spec)
{
    const char *rest = text_after_prefix(spec, "tty");
    if (!rest)
        rest = text_after_prefix(spec, "COM");
    if (!rest || !*rest)
        return false;
    for (; *rest; rest++)
        if (!isalnum((unsigned char)*rest) && !strchr("_.-", *rest))
            return false;
    return true;
}

static bool looks_like_path(const char *spec)
{
    return text_after_prefix(spec, "/") || text_after_prefix(spec, "./") || text_after_prefix(spec, "../");
}

enum source_kind source_kind_of(const char *spec, const char **rest)
{
    static const struct {
        const char *prefix;
        enum source_kind kind;
    } kinds[] = {
        {"file:", SOURCE_KIND_FILE}, {"tcp:", SOURCE_KIND_TCP},     {"rfc2217:", SOURCE_KIND_RFC2217},
        {"unix:", SOURCE_KIND_UNIX}, {"serial:", SOURCE_KIND_PORT},
    };
    *rest = spec;
    if (strcmp(spec, "-") == 0)
        return SOURCE_KIND_INPUT;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if ((*rest = text_after_prefix(spec, kinds[i].prefix)))
            return kinds[i].kind;
    *rest = spec;
    return looks_like_path(spec) || looks_like_port_name(spec) ? SOURCE_KIND_PORT : SOURCE_KIND_UNKNOWN;
}

bool source_has_pace(const char *spec)
{
    const char *path;
    char pace[PATH_MAX + sizeof PACE_SUFFIX];
    if (source_kind_of(spec, &path) != SOURCE_KIND_FILE || strlen(path) >= PATH_MAX)
        return false;
    snprintf(pace, sizeof pace, "%s" PACE_SUFFIX, path);
    return access(pace, F_OK) == 0;
}

bool source_has_lines(const char *spec)
{
    const char *rest;
    enum source_kind kind = source_kind_of(spec, &rest);
    return kind == SOURCE_KIND_PORT || kind == SOURCE_KIND_RFC2217 || kind == SOURCE_KIND_UNKNOWN;
}

static struct source *new_by_kind(const struct source_settings *settings, struct error *err)
{
    const char *spec = settings->spec;
    const char *rest;
    enum source_kind kind = source_kind_of(spec, &rest);
    if (settings->speed != 0 && kind != SOURCE_KIND_INPUT && kind != SOURCE_KIND_FILE) {
        error_set(err, "--speed is for recordings (--port file:PATH), it cannot change the pace of %s.",
                  spec);
        return NULL;
    }
    if (!source_has_lines(spec) && (settings->dtr != SOURCE_LINE_KEEP || settings->rts != SOURCE_LINE_KEEP)) {
        error_set(err, "--dtr and --rts are for serial ports, and %s has no such lines; leave them out.",
                  spec);
        return NULL;
    }
    switch (kind) {
    case SOURCE_KIND_INPUT: return file_source_new(settings, NULL, err);
    case SOURCE_KIND_FILE: return file_source_new(settings, rest, err);
    case SOURCE_KIND_TCP: return tcp_source_new(settings, rest, err);
    case SOURCE_KIND_RFC2217: return rfc2217_source_new(settings, rest, err);
    case SOURCE_KIND_UNIX: return unix_source_new(settings, rest, err);
    case SOURCE_KIND_PORT: return port_source_new(settings, rest, err);
    case SOURCE_KIND_UNKNOWN: break;
    }
    error_set(err,
              "'%s' is no source: use a serial port (/dev/ttyACM0, serial:NAME), tcp:HOST:PORT, "
              "rfc2217:HOST:PORT, unix:PATH, file:PATH, or - for standard input.",
              spec);
    return NULL;
}

struct source *source_new(const struct source_settings *settings, struct error *err)
{
    if (strlen(settings->spec) >= sizeof((struct source *)0)->spec) {
        error_set(err, "The source '%.40s...' has too long a name; make a shorter symbolic link to it.",
                  settings->spec);
        return NULL;
    }
    struct source *source = new_by_kind(settings, err);
    if (!source)
        return NULL;
    strcpy(source->spec, settings->spec);
    source->side_fd = -1;
    source->patience_ms = source->ops->patience_ms;
    return source;
}

void source_free(struct source *source)
{
    if (!source)
        return;
    source_close(source);
    reader_free(source->reader);
    source->ops->free(source);
}

bool source_read_ahead(struct source *source, size_t room, struct error *err)
{
    enum { ROOM = 16 << 20 };
    assert(!source->ops->is_finite && !source->reader && !source->is_open);
    source->reader = reader_new(source, room ? room : ROOM, err);
    return source->reader != NULL;
}

/* Keeps the reading thread from using the source. */
static void lock_reader(const struct source *source)
{
    if (source->reader)
        reader_lock(source->reader);
}

static void unlock_reader(const struct source *source)
{
    if (source->reader)
        reader_unlock(source->reader);
}

bool source_open(struct source *source, struct error *err)
{
    lock_reader(source);
    assert(!source->is_open);
    bool good = source->ops->open(source, err);
    if (good && source->reader)
        reader_begin(source->reader);
    unlock_reader(source);
    if (!good)
        source_close(source);
    return good;
}

bool source_is_missing(const struct source *source)
{
    return source->ops->is_missing && source->ops->is_missing(source);
}

void source_close(struct source *source)
{
    lock_reader(source);
    source->ops->close(source);
    source->is_open = false;
    source->baud = 0;
    source->outgoing_n = 0;
    source->remark = (struct error){""};
    source->lines = (struct source_lines){.known = false};
    if (source->reader)
        reader_end(source->reader);
    unlock_reader(source);
}

bool source_is_open(const struct source *source)
{
    if (!source->reader)
        return source->is_open;
    lock_reader(source);
    bool is_open = reader_is_open(source->reader);
    unlock_reader(source);
    return is_open;
}

struct source_wait source_poll(const struct source *source)
{
    return source->reader ? reader_poll(source->reader) : source->ops->poll(source);
}

void source_send_outgoing(struct source *source)
{
    ssize_t sent = source->ops->write(source, source->outgoing, source->outgoing_n);
    if (sent > 0) {
        source->outgoing_n -= (size_t)sent;
        memmove(source->outgoing, source->outgoing + sent, source->outgoing_n);
    }
}

enum source_result source_read(struct source *source, void *bytes, size_t room, size_t *n, struct error *err)
{
    if (source->reader)
        return reader_take(source->reader, bytes, room, n, err);
    if (source->is_open && source->outgoing_n > 0)
        source_send_outgoing(source);
    *n = 0;
    return source->ops->read(source, bytes, room, n, err);
}

uint64_t source_arrival_us(const struct source *source)
{
    if (source->ops->is_finite)
        return source->arrival_us;
    return source->reader ? reader_arrival_us(source->reader) : clock_monotonic_ns() / 1000;
}

uint64_t source_dropped(const struct source *source)
{
    return source->reader ? reader_dropped(source->reader) : source->dropped;
}

static bool write_locked(struct source *source, const void *bytes, size_t n, struct error *err)
{
    if (!source->ops->write)
        return error_set(err, "Cannot send to %s: it is a recording, there is no device to listen.",
                         source->spec);
    if (!source->is_open)
        return error_set(err, "Cannot send to %s: it is not connected.", source->spec);
    if (n > sizeof source->outgoing - source->outgoing_n)
        return error_set(
            err, "Cannot send to %s: it has not taken earlier commands; check flow control and wiring.",
            source->spec);
    memcpy(source->outgoing + source->outgoing_n, bytes, n);
    source->outgoing_n += n;
    source_send_outgoing(source);
    if (source->reader && source->outgoing_n > 0)
        reader_rouse(source->reader);
    return true;
}

bool source_write(struct source *source, const void *bytes, size_t n, struct error *err)
{
    lock_reader(source);
    bool good = write_locked(source, bytes, n, err);
    unlock_reader(source);
    return good;
}

bool source_can_write(const struct source *source)
{
    return source->ops->write != NULL;
}

uint32_t source_patience_ms(const struct source *source)
{
    enum { READ_AHEAD_MS = 20 };
    lock_reader(source);
    uint32_t patience_ms = source->patience_ms;
    unlock_reader(source);
    return source->reader && patience_ms < READ_AHEAD_MS ? READ_AHEAD_MS : patience_ms;
}

bool source_is_finite(const struct source *source)
{
    return source->ops->is_finite;
}

uint64_t source_recorded_wall_ns(const struct source *source)
{
    return source->recorded_wall_ns;
}

const char *source_spec(const struct source *source)
{
    return source->spec;
}

uint32_t source_baud(const struct source *source)
{
    lock_reader(source);
    uint32_t baud = source->baud;
    unlock_reader(source);
    return baud;
}

struct source_lines source_lines(const struct source *source)
{
    lock_reader(source);
    struct source_lines lines = source->lines;
    unlock_reader(source);
    return lines;
}

const char *source_remark(const struct source *source)
{
    return source->reader ? reader_remark(source->reader) : source->remark.text;
}

/* True if two rates differ by at most 2 %: the two ends of a line together tolerate some percent. */
static bool is_near(uint32_t a, uint32_t b)
{
    return (a > b ? a - b : b - a) <= b / 50;
}

static bool set_baud_locked(struct source *source, uint32_t baud, struct error *err)
{
    uint32_t before = source->baud, had;
    if (!source->is_open || !source->ops->set_baud || !before)
        return error_set(err, "%s has no baud rate that could be changed.", source->spec);
    source->ops->set_baud(source, baud);
    had = source->baud;
    if (is_near(had, baud))
        return true;
    source->ops->set_baud(source, before);
    return error_set(err, "The driver of %s cannot run it at %u baud, but at %u.", source->spec, baud, had);
}

bool source_set_baud(struct source *source, uint32_t baud, struct error *err)
{
    lock_reader(source);
    bool good = set_baud_locked(source, baud, err);
    if (source->reader)
        reader_rouse(source->reader);
    unlock_reader(source);
    return good;
}

bool source_reads_file(const struct source *source, const char *path)
{
    return source->ops->is_finite && file_source_reads(source, path);
}
