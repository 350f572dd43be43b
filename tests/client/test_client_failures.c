/* test_client_failures.c - bad addresses and failed system calls of a client give an error, and nothing stays open
 * or allocated. */
#include "client/client.h"

#include "base/clock.h"
#include "support/folder.h"
#include "support/scarce.h"
#include "teller.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <sys/socket.h>

enum { SHORT_MS = 100, MOST = 1000 };

Test(client_address, is_a_host_with_or_without_a_port)
{
    static const struct {
        const char *url, *host, *port;
    } rows[] = {{"http://127.0.0.1:7777", "127.0.0.1", "7777"},
                {"http://board", "board", "80"},
                {"http://board/", "board", "80"},
                {"http://[::1]:7777/", "::1", "7777"},
                {"http://[::1]", "::1", "80"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct client client;
        struct error err = {""};
        cr_assert(client_init(&client, "--at", rows[i].url, NULL, &err), "%s", err.text);
        cr_expect_str_eq(client.host, rows[i].host);
        cr_expect_str_eq(client.port, rows[i].port);
    }
}

Test(client_address, a_bad_address_is_refused_with_an_example)
{
    static char long_name[CLIENT_HOST_SIZE + 10] = "http://", long_path[200] = "unix:";
    memset(long_name + 7, 'x', sizeof long_name - 8);
    memset(long_path + 5, 'x', sizeof long_path - 6);
    static const char *const urls[] = {
        "",          "http:/board", "http://",          "https://board", "http:///",     "http://[",
        "http://[]", "http://[::1", "http://[::1]x:80", "http://a[b]",   "http://:7777", "http://board/path",
        "unix:",     long_name,     long_path};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        struct client client;
        struct error err = {""};
        cr_assert_not(client_init(&client, "--at", urls[i], NULL, &err), "%s", urls[i]);
        cr_expect(strstr(err.text, "--at ") && strstr(err.text, "unix:PATH"), "%s", err.text);
    }
}

/* Returns a client of the server of teller.h, which answers {}. */
static struct client *client_of_teller(void)
{
    static struct client client;
    static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
    struct error err = {""};
    if (!client.header)
        cr_assert(client_init(&client, "--at", teller_start(), NULL, &err), "%s", err.text);
    teller_says(answer, sizeof answer - 1);
    return &client;
}

Test(client_scarcity, a_failed_call_gives_an_error_and_a_signal_does_not)
{
    static const struct {
        const char *call;
        int code;
        const char *sentence; /* NULL: no error */
    } rows[] = {{"poll", EINTR, NULL},
                {"poll", ENOMEM, "did not answer"},
                {"send", EPIPE, "did not answer"},
                {"connect", EACCES, "Permission denied"},
                {"connect", EAGAIN, NULL}};
    const struct client *client = client_of_teller();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err = {""};
        scarce_fail(rows[i].call, 1, rows[i].code);
        char *body = client_ask(client, "GET", "/", "{}", MOST, &err);
        if (rows[i].sentence)
            cr_expect(!body && strstr(err.text, rows[i].sentence), "%s: %s", rows[i].call, err.text);
        else
            cr_expect(body && strcmp(body, "{}") == 0, "%s: %s", rows[i].call, err.text);
        free(body);
    }
}

/* Lets each allocation and descriptor of a request fail in turn. Expects at least `least` errors. */
static void expect_sentences(const struct client *client, unsigned least)
{
    unsigned refusals = 0;
    for (unsigned nth = 1;; nth++) {
        struct error err = {""};
        scarce_begin(nth);
        char *body = client_ask(client, "GET", "/", NULL, MOST, &err);
        bool is_over = !scarce_end();
        if (is_over) {
            free(body);
            break;
        }
        refusals += !body;
        cr_expect(body || strlen(err.text) > 20, "refusal %u: '%s'", nth, err.text);
        free(body);
    }
    cr_expect_geq(refusals, least);
}

Test(client_scarcity, without_memory_or_descriptors_there_is_an_error)
{
    struct client client;
    struct error err = {""};
    expect_sentences(client_of_teller(), 3);
    cr_assert(client_init(&client, "--at", "http://127.0.0.1:1", NULL, &err), "%s", err.text);
    expect_sentences(&client, 2);
}

Test(client_scarcity, a_full_unix_socket_is_not_waited_for)
{
    struct folder folder = folder_new();
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char url[140];
    struct client client;
    struct error err = {""};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder.path);
    snprintf(url, sizeof url, "unix:%s", address.sun_path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0), filler = socket(AF_UNIX, SOCK_STREAM, 0);
    cr_assert(bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 0) == 0);
    cr_assert_eq(connect(filler, (struct sockaddr *)&address, sizeof address), 0);
    cr_assert(client_init(&client, "--at", url, NULL, &err), "%s", err.text);
    client.patience_ms = SHORT_MS;
    cr_assert_null(client_ask(&client, "GET", "/", NULL, MOST, &err));
    cr_expect(strstr(err.text, "Cannot reach a miniprofd at unix:") && strstr(err.text, strerror(EAGAIN)),
              "%s", err.text);
    close(filler);
    close(fd);
    folder_free(&folder);
}
