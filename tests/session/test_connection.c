/* test_connection.c - when a source that cannot be opened is retried, with simulated time. */
#include "session/connection.h"

#include "support/folder.h"

#include <criterion/criterion.h>
#include <pty.h>
#include <unistd.h>

struct tried {
    struct folder folder;
    char path[128], spec[160];
    struct source *source;
    struct connection connection;
    uint64_t now_ms;
};

static void tried_init(struct tried *tried, const char *kind)
{
    struct error err = {""};
    *tried = (struct tried){.folder = folder_new()};
    snprintf(tried->path, sizeof tried->path, "%s/port", tried->folder.path);
    snprintf(tried->spec, sizeof tried->spec, "%s:%s", kind, tried->path);
    tried->source = source_new(&(struct source_settings){.spec = tried->spec, .baud = 115200}, &err);
    cr_assert_not_null(tried->source, "%s", err.text);
    connection_init(&tried->connection, tried->source, 100, 2000);
}

static void tried_fini(struct tried *tried)
{
    source_free(tried->source);
    folder_free(&tried->folder);
}

/* Lets it try `times` times, and returns the last wait in ms. */
static uint64_t last_wait(struct tried *tried, unsigned times)
{
    uint64_t before = tried->now_ms;
    for (unsigned i = 0; i < times; i++) {
        before = tried->now_ms;
        cr_assert_neq(connection_step(&tried->connection, tried->now_ms), CONNECTION_MADE);
        tried->now_ms = connection_deadline_ms(&tried->connection);
    }
    return tried->now_ms - before;
}

Test(connection, a_missing_adapter_is_retried_at_a_fixed_rate)
{
    struct tried tried;
    int master, slave;
    char name[64];
    tried_init(&tried, "serial");
    cr_assert_eq(last_wait(&tried, 1), 100);
    cr_assert_eq(last_wait(&tried, 50), CONNECTION_LOOK_MS);
    cr_assert_eq(openpty(&master, &slave, name, NULL, NULL), 0);
    cr_assert_eq(symlink(name, tried.path), 0);
    cr_assert_eq(connection_step(&tried.connection, tried.now_ms), CONNECTION_MADE);
    cr_assert_eq(unlink(tried.path), 0);
    tried_fini(&tried);
    close(master);
    close(slave);
}

Test(connection, a_port_that_cannot_be_opened_is_retried_less_often)
{
    struct tried tried;
    tried_init(&tried, "serial");
    last_wait(&tried, 50);
    cr_assert_eq(symlink("/dev/null", tried.path), 0); /* a device that is no terminal */
    cr_assert_eq(last_wait(&tried, 1), CONNECTION_LOOK_MS);
    cr_assert_eq(last_wait(&tried, 1), 2 * CONNECTION_LOOK_MS);
    cr_assert_eq(last_wait(&tried, 10), 2000);
    cr_assert_eq(unlink(tried.path), 0);
    tried_fini(&tried);
}

Test(connection, other_sources_are_retried_less_often)
{
    struct tried tried;
    tried_init(&tried, "unix");
    cr_assert_eq(last_wait(&tried, 10), 2000);
    tried_fini(&tried);
}

/* As a busy ser2net does. */
Test(connection, a_port_that_is_lost_at_once_is_retried_less_often)
{
    struct tried tried;
    struct connection *connection = &tried.connection;
    struct error why = {"It went away."};
    int master, slave;
    char name[64];
    tried_init(&tried, "serial");
    cr_assert_eq(openpty(&master, &slave, name, NULL, NULL), 0);
    cr_assert_eq(symlink(name, tried.path), 0);
    static const uint64_t stays_ms[] = {10, 1999, 1999, 2000, 10}, waits_ms[] = {100, 200, 400, 100, 200};
    for (size_t i = 0; i < 5; i++) {
        cr_assert_eq(connection_step(connection, tried.now_ms), CONNECTION_MADE);
        cr_assert_eq(connection_step(connection, tried.now_ms), CONNECTION_NOTHING);
        cr_assert(connection_is_readable(connection));
        cr_assert_eq(connection_deadline_ms(connection), UINT64_MAX);
        tried.now_ms += stays_ms[i];
        cr_assert(connection_lose(connection, &why, tried.now_ms));
        cr_assert_not(connection_is_readable(connection));
        cr_expect_eq(connection_deadline_ms(connection) - tried.now_ms, waits_ms[i], "%zu", i);
        cr_assert_eq(connection_step(connection, tried.now_ms), CONNECTION_NOTHING, "not before its time");
        tried.now_ms = connection_deadline_ms(connection);
    }
    cr_assert_not(connection_lose(connection, &why, tried.now_ms), "it is lost, and that is known");
    unlink(tried.path);
    tried_fini(&tried);
    close(slave);
    close(master);
}
