/* test_connections.c - clients that send nothing, send slowly, read nothing or leave do not block others. */
#include "fixture.h"

#include "base/clock.h"
#include "support/client.h"
#include "support/folder.h"

#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

enum { HOSTILE = 300, HOUR_S = 3600 };

static const char half[] = "GET / HTTP/1.1\r\nHost: localhost\r\nX: ";
static const char hour[] = "GET /debug/pprof/profile?seconds=3600 HTTP/1.1\r\nHost: localhost\r\n\r\n";

static struct fixture fixture;
static struct http *http;
static unsigned port;
static struct client hostile[HOSTILE];

static void start_server(struct http_settings settings)
{
    struct error err = {0};
    http = http_start(&settings, &err);
    cr_assert_not_null(http, "%s", err.text);
    port = client_port(http_address(http));
}

/* With timeouts so long that no test passes because of them. */
static struct http_settings patient(void)
{
    struct http_settings settings = fixture.settings;
    settings.stuck_s = settings.request_s = HOUR_S;
    settings.heartbeat_ms = HOUR_S * 1000;
    return settings;
}

static void open_fixture(void)
{
    fixture_init(&fixture);
}

static void close_fixture(void)
{
    http_stop(http);
    fixture_fini(&fixture);
}

TestSuite(connections, .init = open_fixture, .fini = close_fixture, .timeout = 600);

static void connect_hostile(unsigned n, const char *bytes)
{
    for (unsigned i = 0; i < n; i++) {
        cr_assert(client_open(&hostile[i], port));
        /* A connection that was shut down cannot be written to. */
        send(hostile[i].fd, bytes, strlen(bytes), MSG_NOSIGNAL);
    }
}

static void leave(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        client_close(&hostile[i]);
}

static unsigned ask(const char *target)
{
    return client_ask(port, "GET", target, NULL, NULL, NULL);
}

/* Repeats a request answered by 503 after its Retry-After. */
static void expect_soon(const char *target)
{
    unsigned status;
    while ((status = ask(target)) == 503)
        ;
    cr_expect_eq(status, 200, "%s", target);
}

Test(connections, idle_connections_do_not_block_others)
{
    start_server(patient());
    connect_hostile(HOSTILE, "");
    for (unsigned i = 0; i < 20; i++)
        cr_expect_eq(ask("/healthz"), 200);
    leave(HOSTILE);
}

Test(connections, half_requests_do_not_block_others)
{
    start_server(patient());
    connect_hostile(HOSTILE, half);
    for (unsigned i = 0; i < 20; i++)
        cr_expect_eq(ask("/healthz"), 200);
    leave(HOSTILE);
}

Test(connections, a_request_must_arrive_whole_in_time)
{
    struct http_settings settings = patient();
    settings.request_s = 1;
    start_server(settings);
    connect_hostile(2, half);
    cr_expect_not(client_read_head(&hostile[0]), "the connection ends");
    cr_expect_not(client_read_head(&hostile[1]), "the connection ends");
    leave(2);
}

Test(connections, a_client_waiting_for_an_answer_does_not_time_out)
{
    struct http_settings settings = patient();
    settings.request_s = 1;
    start_server(settings);
    cr_assert(client_open(&hostile[0], port));
    client_send(&hostile[0], "GET", "/debug/pprof/profile?seconds=2", NULL, NULL);
    cr_expect(client_read_head(&hostile[0]));
    cr_expect_eq(hostile[0].status, 200);
    leave(1);
}

Test(connections, profiles_of_closed_connections_are_cancelled)
{
    start_server(patient());
    for (unsigned round = 0; round < 3; round++) {
        connect_hostile(HOSTILE, hour);
        cr_expect_eq(ask("/healthz"), 200);
        leave(HOSTILE);
    }
    expect_soon("/debug/pprof/profile?seconds=1");
}

Test(connections, a_pending_profile_does_not_hold_up_the_end)
{
    struct pollfd answered[5];
    start_server(patient());
    connect_hostile(5, hour);
    for (unsigned i = 0; i < 5; i++)
        answered[i] = (struct pollfd){.fd = hostile[i].fd, .events = POLLIN};
    cr_assert_eq(poll(answered, 5, -1), 1, "four may wait, and one is refused");
    http_stop(http);
    http = NULL;
    leave(5);
}

Test(connections, streams_that_were_closed_free_their_place_at_once)
{
    start_server(patient());
    for (unsigned i = 0; i < 2 * HOSTILE; i++) {
        struct client client;
        do {
            cr_assert(client_open(&client, port));
            client_send(&client, "GET", "/api/v1/events", NULL, NULL);
            cr_assert(client_read_head(&client));
            if (client.status == 503)
                client_close(&client);
        } while (client.status == 503);
        cr_assert_eq(client.status, 200);
        client_close(&client);
    }
}

Test(connections, stalled_downloads_make_room)
{
    struct test_random random = test_random_start("connections");
    int room = 4096;
    start_server(patient());
    for (unsigned i = 0; i < 3; i++)
        fixture_feed(&fixture, &random, 20000);
    for (unsigned i = 0; i < 6; i++) {
        cr_assert(client_open(&hostile[i], port));
        cr_assert_eq(setsockopt(hostile[i].fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room), 0);
        client_send(&hostile[i], "GET", "/api/v1/export/chrome", NULL, NULL);
        cr_assert(client_read_head(&hostile[i]));
    }
    cr_expect_eq(hostile[5].status, 503, "four are being sent, as far as they can");
    expect_soon("/api/v1/export/chrome");
    leave(6);
}

/* Enters an empty network namespace. */
static void leave_the_network(void)
{
    struct ifreq loopback = {.ifr_name = "lo", .ifr_flags = IFF_UP};
    if (unshare(CLONE_NEWNET) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
        cr_skip_test("the system lets nobody have a network of its own");
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    cr_assert(fd >= 0 && ioctl(fd, SIOCSIFFLAGS, &loopback) == 0);
    close(fd);
}

/* In a separate suite, since existing threads could not change their namespace. */
Test(crowd_of_one, one_remote_address_cannot_use_all_connections, .timeout = 600)
{
    enum { PEER_MOST = 64 };
    leave_the_network();
    fixture_init(&fixture);
    struct folder folder = folder_new();
    struct folder_path token = folder_file(&folder, "token");
    folder_write(&token, "0123456789abcdef0123", 20);
    cr_assert_eq(chmod(token.text, 0600), 0);
    struct http_settings settings = patient();
    settings.listen = "0.0.0.0:0";
    settings.token_file = token.text;
    start_server(settings);
    connect_hostile(PEER_MOST, half);
    cr_expect_eq(ask("/healthz"), 0, "all that one may have");
    leave(1);
    unsigned status;
    while ((status = ask("/healthz")) == 0) /* until the server has noticed */
        ;
    cr_expect_eq(status, 200);
    for (unsigned i = 1; i < PEER_MOST; i++)
        client_close(&hostile[i]);
    http_stop(http);
    folder_free(&folder);
    fixture_fini(&fixture);
}
