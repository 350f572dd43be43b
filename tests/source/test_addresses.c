/* test_addresses.c - servers whose name has several addresses, which are tried in turn. The getaddrinfo()
 * below answers for one name, before the C library's. */
#include "pump.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <stdio.h>
#include <sys/socket.h>

enum { ADDRESSES = 3, NOBODYS_PORT = 1 };

static in_port_t ports[ADDRESSES]; /* of several.example, in the order in which they are tried */

int getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **found)
{
    static int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    bool is_ours = host && strcmp(host, "several.example") == 0;
    if (!real)
        real = (int (*)(const char *, const char *, const struct addrinfo *, struct addrinfo **))dlsym(
            RTLD_NEXT, "getaddrinfo");
    if (is_ours && hints->ai_flags & AI_NUMERICHOST)
        return EAI_NONAME;
    struct addrinfo *first = NULL;
    for (int i = ADDRESSES - 1; is_ours && i >= 0;
         i--) { /* one of the library's each, so that it can free them */
        struct addrinfo *one;
        int code = real("127.0.0.1", port, hints, &one);
        if (code != 0)
            return code;
        ((struct sockaddr_in *)one->ai_addr)->sin_port = htons(ports[i]);
        one->ai_next = first;
        first = one;
    }
    *found = first;
    return is_ours ? 0 : real(host, port, hints, found);
}

static int listener_on_loopback(in_port_t *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert(bind(fd, (struct sockaddr *)&address, size) == 0 && listen(fd, 4) == 0);
    getsockname(fd, (struct sockaddr *)&address, &size);
    *port = ntohs(address.sin_port);
    return fd;
}

/* Any of them may listen; the name has to be resolved. */
Test(addresses, the_first_address_that_accepts_is_used)
{
    for (int place = 0; place < ADDRESSES; place++) {
        struct error err = {""};
        in_port_t port;
        int listener = listener_on_loopback(&port);
        for (int i = 0; i < ADDRESSES; i++)
            ports[i] = i == place ? port : NOBODYS_PORT;
        struct source *source = pump_new("tcp:several.example:4000", 0);
        cr_assert_eq(pump_open(source, &err), SOURCE_QUIET, "%s", err.text);
        int peer = accept(listener, NULL, NULL);
        cr_assert_eq(write(peer, "hello", 5), 5);
        pump_expect(source, "hello");
        source_free(source);
        close(peer);
        close(listener);
    }
}

Test(addresses, no_listener_at_any_address_is_reported)
{
    static const char *const specs[] = {"tcp:several.example:4000", "rfc2217:several.example:4000"};
    for (int i = 0; i < ADDRESSES; i++)
        ports[i] = NOBODYS_PORT;
    for (int i = 0; i < 2; i++) {
        struct error err = {""};
        struct source *source = pump_new(specs[i], 0);
        cr_assert_eq(pump_open(source, &err), SOURCE_GONE);
        cr_assert(strstr(err.text, "Nobody listens at several.example"), "%s", err.text);
        cr_assert_not(source_is_open(source));
        source_free(source);
    }
}

/* The server's half of the conversation is in test_rfc2217.c; here it is silent. */
Test(addresses, a_server_of_rfc_2217_is_found_by_name_too)
{
    struct error err = {""};
    char first[3];
    int listener = listener_on_loopback(&ports[0]);
    struct source *source = pump_new("rfc2217:several.example:4000", 0);
    uint8_t none[1];
    size_t n;
    cr_assert(source_open(source, &err), "%s", err.text);
    struct pollfd wait = {.fd = listener, .events = POLLIN};
    while (poll(&wait, 1, 0) == 0)
        cr_assert_eq(pump_once(source, none, 0, &n, &err), SOURCE_QUIET, "%s", err.text);
    int peer = accept(listener, NULL, NULL);
    while (recv(peer, first, sizeof first, MSG_PEEK | MSG_DONTWAIT) != sizeof first)
        cr_assert_eq(source_read(source, none, 0, &n, &err), SOURCE_QUIET, "%s", err.text);
    cr_assert_eq(memcmp(first, "\xff\xfb", sizeof first), 0, "it begins with WILL BINARY");
    cr_assert_not(source_is_open(source));
    source_free(source);
    close(peer);
    close(listener);
}
