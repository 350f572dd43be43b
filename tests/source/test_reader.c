/* test_reader.c - a source with a reader thread: bytes are read before they are requested. */
#include "pump.h"
#include "support/scarce.h"

#include <fcntl.h>
#include <pthread.h>
#include <pty.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>

static struct source *ahead_new(const char *spec, size_t room)
{
    struct error err = {""};
    struct source *source = pump_new(spec, 0);
    cr_assert(source_read_ahead(source, room, &err), "%s", err.text);
    return source;
}

/* A terminal whose other end is `*master`. */
static struct source *ahead_of_pty(int *master, size_t room)
{
    char path[64];
    int slave;
    struct error err = {""};
    cr_assert_eq(openpty(master, &slave, path, NULL, NULL), 0);
    struct source *source = ahead_new(path, room);
    cr_assert(source_open(source, &err) && source_is_open(source), "%s", err.text);
    close(slave);
    return source;
}

static uint8_t byte_at(size_t i)
{
    return (uint8_t)(i * 7 + (i >> 10));
}

struct sender {
    int fd;
    size_t n;
};

static void *send_all(void *user)
{
    const struct sender *sender = user;
    uint8_t bytes[1000];
    for (size_t sent = 0; sent < sender->n;) {
        size_t n = sender->n - sent < sizeof bytes ? sender->n - sent : sizeof bytes;
        for (size_t i = 0; i < n; i++)
            bytes[i] = byte_at(sent + i);
        ssize_t put = write(sender->fd, bytes, n);
        cr_assert_gt(put, 0);
        sent += (size_t)put;
    }
    return NULL;
}

static void expect_all(struct source *source, size_t size)
{
    struct error err = {""};
    uint8_t *got = malloc(size);
    size_t n, wrong = 0;
    uint64_t before_us = 0;
    cr_assert_not_null(got);
    for (size_t have = 0; have < size; have += n) {
        enum source_result result = pump_once(source, got + have, size - have, &n, &err);
        cr_assert(result == SOURCE_DATA || result == SOURCE_QUIET, "%s", err.text);
        if (result == SOURCE_DATA) {
            cr_assert_geq(source_arrival_us(source), before_us);
            before_us = source_arrival_us(source);
        }
    }
    cr_assert_leq(before_us, clock_monotonic_ns() / 1000);
    for (size_t i = 0; i < size; i++)
        wrong += got[i] != byte_at(i);
    cr_assert_eq(wrong, 0);
    free(got);
}

/* A terminal keeps 4 KiB: the sender would wait for ever. */
Test(reader, bytes_are_read_ahead)
{
    int master;
    struct source *source = ahead_of_pty(&master, 0);
    struct sender sender = {master, 1 << 20};
    send_all(&sender);
    expect_all(source, sender.n);
    source_free(source);
    close(master);
}

Test(reader, a_ring_that_is_full_holds_up_the_sender_and_loses_nothing)
{
    int master;
    pthread_t thread;
    struct source *source = ahead_of_pty(&master, 10000);
    struct sender sender = {master, 300000};
    cr_assert_eq(pthread_create(&thread, NULL, send_all, &sender), 0);
    expect_all(source, sender.n);
    pthread_join(thread, NULL);
    source_free(source);
    close(master);
}

Test(reader, the_end_comes_after_the_last_byte)
{
    int master;
    struct error err = {""};
    uint8_t byte;
    size_t n;
    struct source *source = ahead_of_pty(&master, 0);
    struct sender sender = {master, 2000};
    send_all(&sender);
    expect_all(source, sender.n);
    cr_assert_eq(write(master, "x", 1), 1);
    /* Bytes are available once the thread has read them. */
    struct source_wait wait = source_poll(source);
    struct pollfd fd = {.fd = wait.fd, .events = POLLIN};
    cr_assert(wait.timeout_ms == 0 || poll(&fd, 1, PUMP_PATIENCE_MS) == 1);
    close(master);
    cr_assert_eq(pump_read(source, &byte, 1, &n, &err), SOURCE_DATA);
    cr_assert_eq(byte, 'x');
    cr_assert_eq(pump_read(source, &byte, 1, &n, &err), SOURCE_GONE);
    cr_assert(strstr(err.text, "unplugged"), "%s", err.text);
    source_free(source);
}

Test(reader, output_is_sent_to_a_slow_peer)
{
    int master;
    struct error err = {""};
    uint8_t out[256], got[256];
    struct source *source = ahead_of_pty(&master, 0);
    for (size_t i = 0; i < sizeof out; i++)
        out[i] = byte_at(i);
    size_t sent = 0;
    while (source_write(source, out, sizeof out, &err)) /* until the terminal takes no more */
        sent += sizeof out;
    cr_assert(strstr(err.text, "has not taken earlier commands"), "%s", err.text);
    for (size_t have = 0; have < sent;) {
        ssize_t n = read(master, got, sent - have < sizeof got ? sent - have : sizeof got);
        cr_assert_gt(n, 0);
        for (ssize_t i = 0; i < n; i++)
            cr_assert_eq(got[i], out[(have + (size_t)i) % sizeof out]);
        have += (size_t)n;
    }
    source_free(source);
    close(master);
}

/* The caller must get the new connection before bytes from it. */
Test(reader, nothing_is_handed_out_before_it_is_known_that_the_source_is_open)
{
    struct pump_folder folder = pump_folder_new();
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char spec[120];
    uint8_t byte = 0;
    size_t n;
    struct error err = {""};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder.path);
    snprintf(spec, sizeof spec, "unix:%s", address.sun_path);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    cr_assert(bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 2) == 0);
    struct source *source = ahead_new(spec, 0);
    for (int i = 0; i < 2; i++) {
        cr_assert(source_open(source, &err), "%s", err.text);
        int server = accept(listener, NULL, NULL);
        cr_assert_eq(write(server, i ? "b" : "a", 1), 1);
        close(server);
        cr_assert_eq(source_poll(source).timeout_ms, 0);
        cr_assert_eq(source_read(source, &byte, 1, &n, &err), SOURCE_QUIET);
        cr_assert(source_is_open(source));
        cr_assert_eq(pump_read(source, &byte, 1, &n, &err), SOURCE_DATA);
        cr_assert_eq(byte, i ? 'b' : 'a');
        cr_assert_eq(pump_read(source, &byte, 1, &n, &err), SOURCE_GONE);
        source_close(source);
        cr_assert_not(source_is_open(source));
    }
    source_free(source);
    close(listener);
    unlink(address.sun_path);
    rmdir(folder.path);
}

Test(reader, one_that_is_closed_is_not_read_any_more_and_ends)
{
    int master;
    struct source *source = ahead_of_pty(&master, 0);
    source_close(source);
    cr_assert_eq(source_poll(source).timeout_ms, -1);
    source_free(source);
    close(master);
    source = pump_new("/dev/ptmx", 0);
    struct error err;
    cr_assert(source_read_ahead(source, 0, &err));
    source_free(source);
}

/* A serial port drops unread bytes silently: so it is always read, and bytes without room are counted where they are
 * missing. */
Test(reader, bytes_without_room_are_dropped_and_counted)
{
    enum { ROOM = 10000, SENT = 50000, REST = 100 };
    int master, slave;
    char path[64];
    uint8_t got[SENT];
    size_t n, have = 0;
    struct error err = {""};
    cr_assert_eq(openpty(&master, &slave, path, NULL, NULL), 0);
    struct source *source =
        source_new(&(struct source_settings){.spec = path, .baud = 115200, .drops = true}, &err);
    cr_assert_not_null(source, "%s", err.text);
    cr_assert(source_read_ahead(source, ROOM, &err), "%s", err.text);
    cr_assert(source_open(source, &err) && source_is_open(source), "%s", err.text);
    close(slave);
    struct sender sender = {master, SENT};
    send_all(&sender); /* comes back, though nobody takes anything */

    while (have + source_dropped(source) < SENT) {
        enum source_result result = pump_once(source, got, SENT, &n, &err);
        cr_assert(result == SOURCE_DATA || result == SOURCE_QUIET, "%s", err.text);
        for (size_t i = 0; i < n; i++)
            cr_assert_eq(got[i], byte_at(have + source_dropped(source) + i),
                         "what is missing is missing here");
        have += n;
        cr_assert(have >= ROOM || source_dropped(source) == 0, "what there was room for is first");
    }
    cr_assert_gt(source_dropped(source), 0);
    cr_assert_eq(have + source_dropped(source), SENT);
    sender.n = REST;
    send_all(&sender);
    for (have = 0; have < REST; have += n)
        cr_assert_neq(pump_once(source, got + have, SENT - have, &n, &err), SOURCE_GONE);
    for (size_t i = 0; i < REST; i++)
        cr_assert_eq(got[i], byte_at(i), "it goes on");
    source_free(source);
    close(master);
}

/* Memory, descriptors and the thread, in turn; the source can be read without. */
Test(reader, without_resources_a_reader_reports_an_error)
{
    unsigned refusals = 0;
    struct source *source = pump_new("/dev/ptmx", 0);
    for (;;) {
        struct error err = {""};
        scarce_begin(++refusals);
        bool is_there = source_read_ahead(source, 0, &err);
        cr_assert_eq(scarce_end(), !is_there);
        if (is_there)
            break;
        cr_expect_gt(strlen(err.text), 20, "refusal %u: '%s'", refusals, err.text);
    }
    cr_expect_geq(refusals, 6, "three pieces of memory, two descriptors, a thread");
    source_free(source);
}
