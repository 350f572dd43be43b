/* pump.h - drives a source as the ingest thread does. */
#ifndef SOURCE_PUMP_H
#define SOURCE_PUMP_H

#include "base/clock.h"
#include "source/source.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PUMP_PATIENCE_MS = 120000 }; /* only a test that fails waits this long */

static inline struct source *pump_new(const char *spec, double speed)
{
    struct error err = {""};
    struct source *source =
        source_new(&(struct source_settings){.spec = spec, .baud = 115200, .speed = speed}, &err);
    cr_assert_not_null(source, "%s", err.text);
    return source;
}

/* Waits as the source asks, then reads once. */
static inline enum source_result pump_once(struct source *source, void *bytes, size_t room, size_t *n,
                                           struct error *err)
{
    struct source_wait wait = source_poll(source);
    struct pollfd fd = {.fd = wait.fd, .events = wait.events};
    int timeout_ms =
        wait.timeout_ms >= 0 && wait.timeout_ms < PUMP_PATIENCE_MS ? wait.timeout_ms : PUMP_PATIENCE_MS;
    int ready = poll(&fd, 1, timeout_ms);
    cr_assert(ready > 0 || wait.timeout_ms >= 0, "nothing came from %s", source_spec(source));
    return source_read(source, bytes, room, n, err);
}

/* Reads until `size` bytes were read, or another result than data, which is returned. */
static inline enum source_result pump_read(struct source *source, uint8_t *bytes, size_t size, size_t *n,
                                           struct error *err)
{
    *n = 0;
    while (*n < size) {
        size_t got;
        enum source_result result = pump_once(source, bytes + *n, size - *n, &got, err);
        *n += got;
        if (result == SOURCE_GONE || result == SOURCE_ENDED)
            return result;
    }
    return SOURCE_DATA;
}

/* Carries on until the source is open. */
static inline enum source_result pump_open(struct source *source, struct error *err)
{
    if (!source_open(source, err))
        return SOURCE_GONE;
    enum source_result result = SOURCE_QUIET;
    while (!source_is_open(source) && result == SOURCE_QUIET) {
        uint8_t none[1];
        size_t n;
        result = pump_once(source, none, 0, &n, err);
    }
    return result;
}

/* True when bytes of source_write() still wait in an open source. */
static inline bool pump_is_sending(const struct source *source)
{
    return source_poll(source).events & POLLOUT;
}

/* Carries on until everything is sent. */
static inline void pump_send(struct source *source)
{
    while (pump_is_sending(source)) {
        uint8_t bytes[256];
        size_t n;
        struct error err;
        cr_assert_neq(pump_once(source, bytes, sizeof bytes, &n, &err), SOURCE_GONE);
    }
}

static inline void pump_expect(struct source *source, const char *text)
{
    uint8_t bytes[256];
    size_t n;
    struct error err = {""};
    cr_assert_eq(pump_read(source, bytes, strlen(text), &n, &err), SOURCE_DATA, "%s", err.text);
    cr_assert(n == strlen(text) && memcmp(bytes, text, n) == 0, "got '%.*s'", (int)n, (const char *)bytes);
}

/* A fresh folder, and the path of a file in it. */
struct pump_folder {
    char path[64];
};
static inline struct pump_folder pump_folder_new(void)
{
    struct pump_folder folder = {"/tmp/miniprofd-test-XXXXXX"};
    cr_assert_not_null(mkdtemp(folder.path));
    return folder;
}

#endif
