/* test_http.c - the whole server over real sockets. */
#include "own_server.h"

#include "server/asset.h"
#include "server/media.h"
#include "support/folder.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(server, .init = open_server, .fini = close_server, .timeout = 300);

Test(server, its_address_is_the_real_one)
{
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%u/", port);
    cr_expect(port > 0);
    cr_expect_str_eq(http_address(http), url);
    cr_expect_eq(client_ask(port, "GET", "/", NULL, NULL, NULL), 200);
}

Test(server, every_answer_has_the_headers_that_keep_other_pages_out)
{
    static const char *const targets[] = {"/", "/api/v1/status", "/api/v1/nothing", "/%2e%2e/x",
                                          "/api/v1/events"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        struct client client;
        cr_assert(client_open(&client, port));
        client_send(&client, "GET", targets[i], NULL, NULL);
        cr_assert(client_read_head(&client));
        const char *policy = client_header(&client, "Content-Security-Policy");
        cr_expect(policy && strstr(policy, "default-src 'none'") &&
                      strstr(policy, "frame-ancestors 'none'") && !strstr(policy, "unsafe"),
                  "%s", targets[i]);
        cr_expect_str_eq(client_header(&client, "X-Content-Type-Options"), "nosniff");
        cr_expect_str_eq(client_header(&client, "Referrer-Policy"), "no-referrer");
        cr_expect_null(client_header(&client, "Access-Control-Allow-Origin"), "no CORS");
        client_close(&client);
    }
}

Test(server, a_browser_that_asks_for_an_icon_by_the_old_name_gets_the_icon)
{
    struct client client;
    struct sink_buffer icon, asked;
    cr_assert_eq(client_ask(port, "GET", "/icon.svg", NULL, NULL, &icon), 200);
    cr_assert(client_open(&client, port));
    client_send(&client, "GET", "/favicon.ico", NULL, NULL);
    cr_assert(client_read_head(&client));
    cr_expect_eq(client.status, 200);
    cr_expect_str_eq(client_header(&client, "Content-Type"), "image/svg+xml");
    asked = client_read_body(&client);
    cr_assert_eq(asked.n, icon.n);
    cr_expect_arr_eq(asked.bytes, icon.bytes, icon.n);
    sink_buffer_fini(&icon);
    sink_buffer_fini(&asked);
    client_close(&client);
}

Test(server, host_checks_apply_to_every_path)
{
    cr_expect_eq(client_ask(port, "GET", "/api/v1/snapshot", "Host: evil.example\r\n", NULL, NULL), 421);
    cr_expect_eq(client_ask(port, "POST", "/api/v1/profile/clear",
                            "Origin: http://evil.example\r\nContent-Type: application/json\r\n", "{}", NULL),
                 403);
    cr_expect_eq(
        client_ask(port, "POST", "/api/v1/profile/clear", "Content-Type: text/plain\r\n", "{}", NULL), 415);
    cr_expect_eq(client_ask(port, "GET", "/../../../../etc/passwd", NULL, NULL, NULL), 400);
    cr_expect_eq(client_ask(port, "GET", "/%2e%2e/%2e%2e/etc/passwd", NULL, NULL, NULL), 400);
    cr_expect_eq(client_ask(port, "DELETE", "/api/v1/snapshot", NULL, NULL, NULL), 405);
    char large[20000];
    memset(large, ' ', sizeof large);
    large[sizeof large - 1] = '\0';
    cr_expect_eq(
        client_ask(port, "POST", "/api/v1/profile/clear", "Content-Type: application/json\r\n", large, NULL),
        413);
    cr_expect_eq(
        client_ask(port, "POST", "/api/v1/profile/clear", "Content-Type: application/json\r\n", "{}", NULL),
        200);
}

Test(server, a_request_without_a_host_is_refused)
{
    struct client client;
    cr_assert(client_open(&client, port));
    client_send_raw(&client, "GET /healthz HTTP/1.0\r\n\r\n");
    cr_assert(client_read_head(&client));
    cr_expect_eq(client.status, 421);
    client_close(&client);
}

Test(server, an_unchanged_file_is_not_sent_again)
{
    struct client client;
    char condition[256];
    cr_assert(client_open(&client, port));
    client_send(&client, "GET", "/", NULL, NULL);
    cr_assert(client_read_head(&client));
    cr_assert_eq(client.status, 200);
    snprintf(condition, sizeof condition, "If-None-Match: %s\r\n", client_header(&client, "ETag"));
    struct sink_buffer body = client_read_body(&client);
    sink_buffer_fini(&body);
    client_send(&client, "GET", "/", condition, NULL);
    cr_assert(client_read_head(&client));
    cr_expect_eq(client.status, 304);
    cr_expect_null(client_header(&client, "Content-Type"));
    client_send(&client, "GET", "/healthz", NULL, NULL); /* on the same connection: a body would come first */
    cr_assert(client_read_head(&client));
    cr_expect_eq(client.status, 200);
    client_close(&client);
}

Test(server, exports_can_be_downloaded_repeatedly)
{
    struct client client;
    cr_assert(client_open(&client, port));
    for (int i = 0; i < 10; i++) {
        client_send(&client, "GET", "/api/v1/export/json", NULL, NULL);
        cr_assert(client_read_head(&client));
        cr_expect_eq(client.status, 200);
        struct sink_buffer body = client_read_body(&client);
        sink_buffer_fini(&body);
    }
    client_close(&client);
}

/* "" for bodies that are produced while they are sent. */
static const char *length_of(struct client *client)
{
    const char *length = client_header(client, "Content-Length");
    return length ? length : "";
}

/* For answers that do not change with time, unlike the daemon's own figures in /metrics. */
Test(server, head_has_the_headers_of_get_without_a_body)
{
    static const char *const targets[] = {"/",        "/api/v1/status", "/api/v1/snapshot",
                                          "/healthz", "/api/v1/x",      "/api/v1/export/csv"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        struct client client;
        cr_assert(client_open(&client, port));
        client_send(&client, "GET", targets[i], NULL, NULL);
        cr_assert(client_read_head(&client));
        char type[128], length[32];
        unsigned status = client.status;
        strcpy(type, client_header(&client, "Content-Type"));
        strcpy(length, length_of(&client));
        struct sink_buffer body = client_read_body(&client);
        cr_expect(*length ? body.n == strtoul(length, NULL, 10) : body.n > 0 && client.chunked, "%s",
                  targets[i]);
        sink_buffer_fini(&body);

        /* On the same connection, if it is not closed: a body after the head would be taken for the next. */
        client_send(&client, "HEAD", targets[i], NULL, NULL);
        cr_assert(client_read_head(&client), "%s", targets[i]);
        cr_expect_eq(client.status, status);
        cr_expect_str_eq(client_header(&client, "Content-Type"), type);
        cr_expect_str_eq(length_of(&client), length);
        const char *end = client_header(&client, "Connection");
        if (!end || strcmp(end, "close") != 0) {
            client_send(&client, "GET", "/healthz", NULL, NULL);
            cr_assert(client_read_head(&client));
            cr_expect_eq(client.status, 200);
        }
        client_close(&client);
    }
    struct client client;
    cr_assert(client_open(&client, port));
    client_send(&client, "HEAD", "/api/v1/events", NULL, NULL);
    cr_assert(client_read_head(&client));
    cr_expect_str_eq(client_header(&client, "Content-Type"), "text/event-stream");
    client_close(&client);
}

Test(server, nonsense_is_refused_and_the_next_client_served)
{
    static const char *const nonsense[] = {"\r\n\r\n",
                                           "GET\r\n\r\n",
                                           "GET / HTTP/9.9\r\n\r\n",
                                           "GET / HTTP/1.1\r\nHost\r\n\r\n",
                                           "\x16\x03\x01\x02\r\n\r\n",
                                           "POST /api/v1/profile/clear HTTP/1.1\r\nHost: localhost\r\n"
                                           "Content-Length: -1\r\n\r\n"};
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
        struct client client;
        cr_assert(client_open(&client, port));
        client_send_raw(&client, nonsense[i]);
        shutdown(client.fd, SHUT_WR);
        if (client_read_head(&client))
            cr_expect(client.status >= 400, "%zu: %u", i, client.status);
        client_close(&client);
    }
    cr_expect_eq(client_ask(port, "GET", "/healthz", NULL, NULL, NULL), 200);
}

Test(server, a_request_that_a_proxy_may_read_otherwise_is_refused_and_the_connection_ends)
{
    static const char *const ambiguous[] = {
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        "POST /api/v1/profile/clear HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x",
        "POST /api/v1/profile/clear HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"};
    for (size_t i = 0; i < sizeof ambiguous / sizeof *ambiguous; i++) {
        struct client client;
        cr_assert(client_open(&client, port));
        client_send_raw(&client, ambiguous[i]);
        cr_expect(client_read_head(&client), "%zu", i);
        cr_expect_eq(client.status, 400, "%zu: %u", i, client.status);
        cr_expect(strcasestr(client.head, "Connection: close"), "%zu", i);
        client_close(&client);
    }
}

Test(server, an_address_in_use_gives_an_error)
{
    struct http_settings settings = fixture.settings;
    char listen[32];
    snprintf(listen, sizeof listen, "127.0.0.1:%u", port);
    settings.listen = listen;
    struct error err = {0};
    cr_expect_null(http_start(&settings, &err));
    cr_expect(strstr(err.text, "taken") && strstr(err.text, "--listen 127.0.0.1:0"), "%s", err.text);
    settings.listen = "0.0.0.0:0";
    cr_expect_null(http_start(&settings, &err));
    cr_expect(strstr(err.text, "--token-file"), "%s", err.text);
    settings.listen = "192.0.2.1:7777";
    cr_expect_null(http_start(&settings, &err));
    char token[] = "/tmp/miniprofd-token-XXXXXX";
    int fd = mkstemp(token);
    cr_assert_eq(write(fd, "0123456789abcdef0123456789abcdef", 32), 32);
    close(fd);
    settings.token_file = token;
    cr_expect_null(http_start(&settings, &err));
    cr_expect(strstr(err.text, "192.0.2.1") && strstr(err.text, "none of this machine's"), "%s", err.text);
    settings.token_file = "/dev/null";
    cr_expect_null(http_start(&settings, &err));
    cr_expect(strstr(err.text, "/dev/null"), "%s", err.text);
    unlink(token);
    settings.token_file = NULL;
    settings.listen = "nonsense";
    cr_expect_null(http_start(&settings, &err));
    settings.listen = "127.0.0.1:0";
    settings.webroot = "/nonexistent";
    cr_expect_null(http_start(&settings, &err));
    cr_expect(strstr(err.text, "/nonexistent"), "%s", err.text);
}

Test(server, ipv6_loopback_works_if_available)
{
    struct http_settings settings = fixture.settings;
    settings.listen = "[::1]:0";
    struct error err = {0};
    struct http *v6 = http_start(&settings, &err);
    if (!v6)
        cr_skip_test("no IPv6 here: %s", err.text);
    struct sockaddr_in6 address = {.sin6_family = AF_INET6,
                                   .sin6_addr = IN6ADDR_LOOPBACK_INIT,
                                   .sin6_port = htons((uint16_t)client_port(http_address(v6)))};
    struct client client = {.fd = socket(AF_INET6, SOCK_STREAM, 0)};
    sink_buffer_init(&client.in);
    cr_assert_eq(connect(client.fd, (struct sockaddr *)&address, sizeof address), 0);
    client_send(&client, "GET", "/healthz", "Host: [::1]:7777\r\n", NULL);
    cr_assert(client_read_head(&client));
    cr_expect_eq(client.status, 200);
    client_close(&client);
    http_stop(v6);
    cr_expect(board_closed(fixture.board));
}

/* Removes the folder of embedded files, to which index.html refers. */
static void without_folder(struct sink_buffer *text)
{
    char *at;
    while (text->n && (at = memmem(text->bytes, text->n, assets_folder, ASSETS_FOLDER_N))) {
        text->n -= ASSETS_FOLDER_N;
        memmove(at, at + ASSETS_FOLDER_N, text->n - (size_t)(at - text->bytes));
    }
}

static void run(const char *words, const char *path)
{
    char command[512];
    snprintf(command, sizeof command, "%s '%s'", words, path);
    cr_assert_eq(system(command), 0, "%s", command);
}

Test(server, the_embedded_files_are_those_built_from_webroot)
{
    struct http_settings settings = fixture.settings;
    struct folder folder = folder_new();
    run("python3 -B '" BUNDLE "/page.py' '" WEBROOT "'", folder.path);
    settings.webroot = folder.path;
    struct http *dev = http_start(&settings, NULL);
    cr_assert_not_null(dev);
    unsigned dev_port = client_port(http_address(dev)), n = 0;
    for (const struct asset *asset = assets; asset->path; asset++, n++) {
        char target[256];
        struct sink_buffer inside, outside;
        snprintf(target, sizeof target, "/%s", asset->path);
        cr_assert_eq(client_ask(port, "GET", target, NULL, NULL, &inside), 200, "%s", target);
        cr_assert_eq(client_ask(dev_port, "GET", target, NULL, NULL, &outside), 200, "%s", target);
        without_folder(&inside);
        cr_assert_eq(inside.n, outside.n, "%s", target);
        if (inside.n)
            cr_expect_arr_eq(inside.bytes, outside.bytes, inside.n, "%s", target);
        cr_expect_str_neq(media_type_of(target), "application/octet-stream", "%s has a media type", target);
        sink_buffer_fini(&inside);
        sink_buffer_fini(&outside);
    }
    cr_expect(n > 3);
    http_stop(dev);
    run("rm -r", folder.path);
}

Test(server, a_client_that_reads_nothing_is_dropped)
{
    /* On a busy machine, the client that reads may not run for a second or two, and must not be dropped then. */
    enum {
        FUNCTIONS = 2000,
        STUCK_S = 4,
        HEARTBEAT_MS = 100,
        HEARTBEATS = 3 * STUCK_S * 1000 / HEARTBEAT_MS / 2
    };
    struct http_settings settings = fixture.settings;
    settings.stuck_s = STUCK_S;
    settings.heartbeat_ms = HEARTBEAT_MS;
    struct http *strict = http_start(&settings, NULL);
    cr_assert_not_null(strict);
    struct client stuck, healthy;
    cr_assert(client_open(&stuck, client_port(http_address(strict))));
    cr_assert(client_open(&healthy, client_port(http_address(strict))));
    client_send(&stuck, "GET", "/api/v1/events", NULL, NULL);
    client_send(&healthy, "GET", "/api/v1/events", NULL, NULL);
    cr_assert(client_read_head(&healthy));
    /* More than the kernel's buffers on the way hold, about 4 MB; then the time to be dropped,
     * in heartbeats. */
    size_t sent = 0;
    uint64_t ticks = 0;
    for (int heartbeats = 0; heartbeats < HEARTBEATS;) {
        struct client_event event;
        cr_assert(client_read_event(&healthy, &event), "the other one goes on");
        heartbeats += strcmp(event.name, ":") == 0;
        sent += event.data.n;
        client_event_fini(&event);
        if (sent < 12000000)
            fixture_feed_functions(&fixture, FUNCTIONS, ticks += FUNCTIONS);
    }
    /* Bytes already sent still arrive, and then the end; other clients would get heartbeats for ever. */
    char part[65536];
    size_t taken = 0;
    ssize_t n;
    while ((n = recv(stuck.fd, part, sizeof part, 0)) > 0)
        taken += (size_t)n;
    cr_expect(taken < sent, "%zu of %zu bytes", taken, sent);
    client_close(&stuck);
    client_close(&healthy);
    http_stop(strict);
}

static char directory[] = "/tmp/miniprofd-XXXXXX";

Test(server, a_token_is_asked_for_when_there_is_one)
{
    cr_assert_not_null(mkdtemp(directory));
    char path[64];
    snprintf(path, sizeof path, "%s/token", directory);
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    cr_assert_eq(write(fd, "0123456789abcdef0123\n", 21), 21);
    close(fd);
    struct http_settings settings = fixture.settings;
    settings.token_file = path;
    struct error err = {0};
    struct http *guarded = http_start(&settings, &err);
    cr_assert(guarded, "%s", err.text);
    unsigned guarded_port = client_port(http_address(guarded));
    static const char *const targets[] = {"/", "/api/v1/snapshot", "/api/v1/events", "/metrics"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        cr_expect_eq(client_ask(guarded_port, "GET", targets[i], NULL, NULL, NULL), 401, "%s", targets[i]);
        cr_expect_eq(client_ask(guarded_port, "GET", targets[i],
                                "Authorization: Bearer 1123456789abcdef0123\r\n", NULL, NULL),
                     401);
        cr_expect_eq(client_ask(guarded_port, "HEAD", targets[i],
                                "Authorization: Bearer 0123456789abcdef0123\r\n", NULL, NULL),
                     200);
    }
    cr_expect_eq(client_ask(guarded_port, "GET", "/healthz", NULL, NULL, NULL), 200);
    http_stop(guarded);
    unlink(path);
    rmdir(directory);
}

static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

Test(server, a_webroot_is_served_fresh_and_not_escaped)
{
    cr_assert_not_null(mkdtemp(directory));
    char inside[64], outside[64], link[64], odd[64];
    snprintf(inside, sizeof inside, "%s/root", directory);
    snprintf(outside, sizeof outside, "%s/rootsecret", directory);
    snprintf(link, sizeof link, "%s/root/link", directory);
    snprintf(odd, sizeof odd, "%s/root/odd", directory);
    cr_assert_eq(mkdir(inside, 0700), 0);
    write_file("root/index.html", "<html>one");
    write_file("rootsecret", "secret");
    cr_assert_eq(symlink(outside, link), 0);
    cr_assert_eq(mkfifo(odd, 0600), 0);

    struct http_settings settings = fixture.settings;
    settings.webroot = inside;
    struct http *dev = http_start(&settings, NULL);
    cr_assert_not_null(dev);
    unsigned dev_port = client_port(http_address(dev));
    struct sink_buffer body;
    cr_expect_eq(client_ask(dev_port, "GET", "/", NULL, NULL, &body), 200);
    cr_expect_str_eq(body.bytes, "<html>one");
    sink_buffer_fini(&body);
    write_file("root/index.html", "<html>other");
    cr_expect_eq(client_ask(dev_port, "GET", "/index.html", NULL, NULL, &body), 200);
    cr_expect_str_eq(body.bytes, "<html>other");
    sink_buffer_fini(&body);
    static const char *const outsiders[] = {
        "/link",           "/odd",     "/../rootsecret", "/%2e%2e/rootsecret",
        "//../rootsecret", "/nothing", "/index.html/x"};
    for (size_t i = 0; i < sizeof outsiders / sizeof *outsiders; i++) {
        unsigned status = client_ask(dev_port, "GET", outsiders[i], NULL, NULL, &body);
        cr_expect(status == 404 || status == 400, "%s answered %u", outsiders[i], status);
        cr_expect_null(strstr(body.bytes, "secret\n"));
        sink_buffer_fini(&body);
    }
    http_stop(dev);
    unlink(odd);
    unlink(link);
    unlink(outside);
    char index[80];
    snprintf(index, sizeof index, "%s/index.html", inside);
    unlink(index);
    rmdir(inside);
    rmdir(directory);
}
