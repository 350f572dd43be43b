/* own_server.h - a web server that every case of a file has for itself: TestSuite(x, .init = open_server,
 * .fini = close_server). */
#ifndef TESTS_HTTP_OWN_SERVER_H
#define TESTS_HTTP_OWN_SERVER_H

#include "fixture.h"
#include "support/client.h"

#include <criterion/criterion.h>

static struct fixture fixture;
static struct http *http;
static unsigned port;

/* As the fixture's settings say. */
static void start(void)
{
    struct error err = {0};
    http = http_start(&fixture.settings, &err);
    cr_assert(http, "%s", err.text);
    port = client_port(http_address(http));
}

static void open_server(void)
{
    fixture_init(&fixture);
    start();
}

static void close_server(void)
{
    http_stop(http);
    fixture_fini(&fixture);
}

#endif
