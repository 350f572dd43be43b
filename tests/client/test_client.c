/* test_client.c - the client returns an answer or an error in time, wherever the server is slow. */
#include "client/client.h"

#include "base/clock.h"
#include "support/folder.h"
#include "support/stream.h"
#include "teller.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <fcntl.h>
#include <netdb.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* FAR_TOO_LONG_MS is far more than the client's patience and far less than the system's timeouts. */
enum { SHORT_MS = 100, FAR_TOO_LONG_MS = 15000, LONG_MS = 120000 };

/* A name server that does not answer while it is locked; numeric addresses do not use it. It has one name,
 * three.example, with three addresses: only at the second one a server listens. */
static pthread_mutex_t name_server = PTHREAD_MUTEX_INITIALIZER;
enum { ADDRESSES = 3, NOBODYS_PORT = 1 };

int getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **found)
{
    static struct sockaddr_in places[ADDRESSES];
    static struct addrinfo infos[ADDRESSES];
    struct in_addr figures;
    bool is_figures = inet_pton(AF_INET, host, &figures) == 1, is_three = strcmp(host, "three.example") == 0;
    if (!is_figures && hints->ai_flags & AI_NUMERICHOST)
        return EAI_NONAME;
    if (!is_figures) {
        pthread_mutex_lock(&name_server);
        pthread_mutex_unlock(&name_server);
        if (!is_three)
            return EAI_NONAME;
        figures.s_addr = htonl(INADDR_LOOPBACK);
    }
    int n = is_three ? ADDRESSES : 1;
    for (int i = 0; i < n; i++) {
        int number = is_three && i != 1 ? NOBODYS_PORT : atoi(port);
        places[i] = (struct sockaddr_in){
            .sin_family = AF_INET, .sin_addr = figures, .sin_port = htons((uint16_t)number)};
        infos[i] = (struct addrinfo){.ai_family = AF_INET,
                                     .ai_socktype = SOCK_STREAM,
                                     .ai_addr = (struct sockaddr *)&places[i],
                                     .ai_addrlen = sizeof places[i],
                                     .ai_next = i + 1 < n ? &infos[i + 1] : NULL};
    }
    *found = infos;
    return 0;
}

void freeaddrinfo(struct addrinfo *found) {}

/* Asks `url` and expects this error, within the patience. An immediate refusal is tested with LONG_MS. */
static void expect_refusal(const char *url, unsigned patience_ms, const char *sentence)
{
    struct client client;
    struct error err = {""};
    cr_assert(client_init(&client, "--at", url, NULL, &err), "%s", err.text);
    client.patience_ms = patience_ms;
    uint64_t begin_ms = clock_monotonic_ms();
    cr_assert_null(client_ask(&client, "GET", "/", NULL, 1000, &err));
    cr_expect(patience_ms == LONG_MS || clock_monotonic_ms() - begin_ms < FAR_TOO_LONG_MS);
    cr_expect(strstr(err.text, sentence), "%s", err.text);
}

/* Listens and never accepts. */
static int listener(char *url, size_t size)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert(fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 0) == 0 &&
              getsockname(fd, (struct sockaddr *)&address, &n) == 0);
    snprintf(url, size, "http://127.0.0.1:%u", (unsigned)ntohs(address.sin_port));
    return fd;
}

Test(client, a_silent_name_server_times_out)
{
    pthread_mutex_lock(&name_server);
    expect_refusal("http://board.example:7777", SHORT_MS, "No name server says in time");
    pthread_mutex_unlock(&name_server);
    expect_refusal("http://board.example:7777", LONG_MS, "Cannot find the host board.example");
}

Test(client, a_connection_that_is_not_accepted_times_out)
{
    enum { FILLERS = 4 };
    char url[64];
    int fillers[FILLERS], fd = listener(url, sizeof url);
    struct sockaddr_in address;
    socklen_t n = sizeof address;
    getsockname(fd, (struct sockaddr *)&address, &n);
    for (int i = 0; i < FILLERS; i++) { /* fill the queue of connections */
        fillers[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        connect(fillers[i], (struct sockaddr *)&address, sizeof address);
    }
    expect_refusal(url, SHORT_MS, "Connection timed out");
    for (int i = 0; i < FILLERS; i++)
        close(fillers[i]);
    close(fd);
}

/* The error shows that the connection was made and that the server is silent. */
Test(client, the_first_address_that_accepts_is_used)
{
    char url[64], named[64];
    int fd = listener(url, sizeof url);
    snprintf(named, sizeof named, "http://three.example%s", strrchr(url, ':'));
    expect_refusal(named, SHORT_MS, "did not answer");
    close(fd);
    expect_refusal(named, LONG_MS, "Connection refused");
}

Test(client, a_server_that_accepts_and_stays_silent_times_out)
{
    char url[64];
    int fd = listener(url, sizeof url);
    expect_refusal(url, SHORT_MS, "did not answer");
    close(fd);
    expect_refusal(url, LONG_MS, "Cannot reach a miniprofd");
    expect_refusal(url + strlen("http://"), LONG_MS, "Cannot reach a miniprofd"); /* the same address */
}

Test(client, a_token_file_must_belong_to_the_user_alone)
{
    struct folder folder = folder_new();
    struct folder_path good = folder_file(&folder, "good"), pipe = folder_file(&folder, "pipe");
    struct client client;
    struct error err = {""};
    folder_write(&good, "0123456789abcdef\n", 17);
    cr_assert_eq(chmod(good.text, 0600), 0);
    cr_assert(client_init(&client, "--at", "http://127.0.0.1:1", good.text, &err), "%s", err.text);
    cr_assert_str_eq(client.token, "0123456789abcdef");
    static const mode_t wide[] = {0620, 0602, 0604};
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(chmod(good.text, wide[i]), 0);
        cr_assert_not(client_init(&client, "--at", "http://127.0.0.1:1", good.text, &err));
        cr_assert(strstr(err.text, "by others than its owner"), "%s", err.text);
    }
    cr_assert_eq(mkfifo(pipe.text, 0600), 0);
    const char *const wrong[] = {pipe.text, "/dev/zero", folder.path, "/nowhere/at/all"};
    for (size_t i = 0; i < 4; i++)
        cr_assert_not(client_init(&client, "--at", "http://127.0.0.1:1", wrong[i], &err), "%s", wrong[i]);
    folder_free(&folder);
}

/* Returns the body of this answer, which the caller frees, or NULL and the error. */
static char *body_of(const void *answer, size_t n, size_t most, struct error *err)
{
    static struct client client;
    if (!client.header)
        cr_assert(client_init(&client, "--at", teller_start(), NULL, err), "%s", err->text);
    teller_says(answer, n);
    return client_ask(&client, "GET", "/", NULL, most, err);
}

Test(client, a_truncated_or_binary_answer_is_refused)
{
#define HEAD    "HTTP/1.1 200 OK\r\n"
#define CHUNKED HEAD "Transfer-Encoding: chunked\r\n\r\n"
    static const struct {
        const char *bytes;
        size_t n;
        const char *body; /* NULL: an error */
    } rows[] = {
#define ROW(text, body) {text, sizeof text - 1, body}
        ROW(HEAD "Content-Length: 2\r\n\r\n{}", "{}"),
        ROW(HEAD "Content-Length: 3\r\n\r\n{}", NULL),
        ROW(HEAD "Content-Length: 3\r\n\r\n{\0}", NULL),
        ROW(CHUNKED "1\r\n{\r\n1\r\n}\r\n0\r\n\r\n", "{}"),
        ROW(CHUNKED "1\r\n{\r\n1\r\n}\r\n", NULL),
        ROW(CHUNKED "1\r\n{\r\nffffffffffffffff\r\n}\r\n0\r\n\r\n", NULL),
        ROW(CHUNKED "-1\r\n{}\r\n0\r\n\r\n", NULL),
        ROW(CHUNKED "1\r\n{\0\r\n0\r\n\r\n", NULL),
        ROW("", NULL),
        ROW("HTTP/1.1 200 OK\r\n", NULL),
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err = {""};
        char *body = body_of(rows[i].bytes, rows[i].n, 1000, &err);
        if (rows[i].body)
            cr_expect(body && strcmp(body, rows[i].body) == 0, "%zu: %s", i, err.text);
        else
            cr_expect(!body && *err.text, "%zu: %s", i, body);
        free(body);
    }
}

/* Quadratic work would take minutes. */
Test(client, many_chunks_are_put_together_in_one_pass)
{
    enum { CHUNKS = 2000000, SIZE = 6 };
    struct error err = {""};
    struct stream answer = {0};
    stream_bytes(&answer, CHUNKED, sizeof CHUNKED - 1);
    for (int i = 0; i < CHUNKS; i++)
        stream_bytes(&answer, "1\r\nx\r\n", SIZE);
    stream_bytes(&answer, "0\r\n\r\n", 5);
    char *body = body_of(answer.bytes, answer.n, answer.n + 1, &err);
    cr_assert(body, "%s", err.text);
    cr_expect_eq(strlen(body), CHUNKS);
    free(body);
    stream_fini(&answer);
}
