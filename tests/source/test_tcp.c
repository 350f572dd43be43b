/* test_tcp.c - streams over TCP and Unix sockets: connecting without ever waiting, losing the other end. */
#include "pump.h"
#include "source/stream.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>

/* A listener on a free port of the loopback; its address as a source goes to `spec`. */
static int listen_tcp(int family, char spec[static 64])
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    struct sockaddr *address = family == AF_INET ? (struct sockaddr *)&v4 : (struct sockaddr *)&v6;
    socklen_t size = family == AF_INET ? sizeof v4 : sizeof v6;
    int fd = socket(family, SOCK_STREAM, 0);
    if (fd < 0 || bind(fd, address, size) < 0) {
        if (fd >= 0)
            close(fd);
        return -1;
    }
    cr_assert_eq(listen(fd, 4), 0);
    getsockname(fd, address, &size);
    if (family == AF_INET)
        snprintf(spec, 64, "tcp:127.0.0.1:%u", ntohs(v4.sin_port));
    else
        snprintf(spec, 64, "tcp:[::1]:%u", ntohs(v6.sin6_port));
    return fd;
}

static void talk(struct source *source, int listener)
{
    struct error err = {""};
    cr_assert_neq(pump_open(source, &err), SOURCE_GONE, "%s", err.text);
    int peer = accept(listener, NULL, NULL);
    cr_assert_geq(peer, 0);
    cr_assert_eq(write(peer, "hello", 5), 5);
    pump_expect(source, "hello");
    cr_assert(source_write(source, "answer", 6, &err));
    cr_assert_not(source_set_baud(source, 921600, &err));
    cr_assert(strstr(err.text, "has no baud rate"));
    pump_send(source);
    char got[6];
    cr_assert_eq(recv(peer, got, 6, MSG_WAITALL), 6);
    cr_assert_arr_eq(got, "answer", 6);
    cr_assert_eq(source_baud(source), 0);

    cr_assert_eq(write(peer, "bye", 3), 3);
    close(peer);
    uint8_t bytes[16];
    size_t n;
    cr_assert_eq(pump_read(source, bytes, sizeof bytes, &n, &err), SOURCE_GONE);
    cr_assert_eq(n, 3);
    cr_assert(strstr(err.text, "closed"), "%s", err.text);
    source_close(source);
}

Test(tcp, bytes_pass_both_ways_and_a_close_is_reported)
{
    char spec[64];
    int listener = listen_tcp(AF_INET, spec);
    struct source *source = pump_new(spec, 0);
    talk(source, listener);
    talk(source, listener); /* and again, as after an unplug */
    source_free(source);
    close(listener);
}

/* Sends the n bytes one by one and reads them; returns the source's remark. */
static const char *remark_on(const char *bytes, size_t n)
{
    static struct error remark;
    char spec[64];
    struct error err = {""};
    int listener = listen_tcp(AF_INET, spec);
    struct source *source = pump_new(spec, 0);
    cr_assert_neq(pump_open(source, &err), SOURCE_GONE, "%s", err.text);
    int peer = accept(listener, NULL, NULL);
    for (size_t at = 0; at < n; at++) {
        uint8_t got;
        size_t got_n;
        cr_assert_eq(write(peer, bytes + at, 1), 1);
        cr_assert_eq(pump_read(source, &got, 1, &got_n, &err), SOURCE_DATA);
        cr_assert_eq(got, (uint8_t)bytes[at], "it is read as it is");
    }
    error_set(&remark, "%s", source_remark(source));
    source_free(source);
    close(peer);
    close(listener);
    return remark.text;
}

Test(tcp, a_telnet_server_is_reported_with_advice)
{
    const char *said = remark_on("\xff\xfb\x03\xff\xfd\x03", 6);
    cr_assert(strstr(said, "speaks Telnet") && strstr(said, "use --port rfc2217:127.0.0.1:"), "%s", said);
    cr_assert_str_eq(remark_on("a\xff\xfb\x03", 4), "", "inside a stream it is data");
    cr_assert_str_eq(remark_on("\xff\xfb\xaa", 3), "", "there is no such option");
    cr_assert_str_eq(remark_on("\xff\xfa\x03", 3), "");
}

Test(tcp, an_ipv6_address_in_brackets_is_reached)
{
    char spec[64];
    int listener = listen_tcp(AF_INET6, spec);
    if (listener < 0)
        cr_skip_test("no IPv6 on this machine's loopback");
    struct source *source = pump_new(spec, 0);
    talk(source, listener);
    source_free(source);
    close(listener);
}

/* localhost is ::1 as well as 127.0.0.1 on most machines, and the listener is only on one. */
Test(tcp, a_name_is_looked_up_and_its_addresses_are_tried_in_turn)
{
    char spec[64], by_name[64];
    int listener = listen_tcp(AF_INET, spec);
    snprintf(by_name, sizeof by_name, "tcp:localhost:%s", strrchr(spec, ':') + 1);
    struct source *source = pump_new(by_name, 0);
    talk(source, listener);
    source_free(source);
    close(listener);
}

Test(tcp, a_port_without_a_listener_is_reported)
{
    char spec[64];
    close(listen_tcp(AF_INET, spec));
    struct source *source = pump_new(spec, 0);
    struct error err = {""};
    cr_assert_eq(pump_open(source, &err), SOURCE_GONE);
    cr_assert(strstr(err.text, "Nobody listens at 127.0.0.1"), "%s", err.text);
    source_free(source);
}

Test(tcp, a_name_without_a_listener_fails_after_its_last_address)
{
    char spec[64], by_name[64];
    struct error err = {""};
    close(listen_tcp(AF_INET, spec));
    snprintf(by_name, sizeof by_name, "tcp:localhost:%s", strrchr(spec, ':') + 1);
    struct source *source = pump_new(by_name, 0);
    cr_assert_eq(pump_open(source, &err), SOURCE_GONE);
    cr_assert(strstr(err.text, "Nobody listens at localhost"), "%s", err.text);
    source_free(source);
}

/* A reset, as of a program that was killed with bytes of ours unread. */
Test(tcp, a_connection_that_is_reset_is_gone)
{
    char spec[64];
    int listener = listen_tcp(AF_INET, spec);
    struct source *source = pump_new(spec, 0);
    struct error err = {""};
    uint8_t bytes[8];
    size_t n;
    cr_assert_neq(pump_open(source, &err), SOURCE_GONE, "%s", err.text);
    int peer = accept(listener, NULL, NULL);
    cr_assert_eq(
        setsockopt(peer, SOL_SOCKET, SO_LINGER, &(struct linger){.l_onoff = 1}, sizeof(struct linger)), 0);
    close(peer);
    cr_assert_eq(pump_read(source, bytes, sizeof bytes, &n, &err), SOURCE_GONE);
    cr_assert(strstr(err.text, "closed the connection"), "%s", err.text);
    cr_assert(source_write(source, "x", 1, &err), "it is kept until the source is closed: %s", err.text);
    source_free(source);
    close(listener);
}

/* The empty label keeps the query on this machine. */
Test(tcp, an_unknown_host_is_reported)
{
    struct source *source = pump_new("tcp:no-such-host..invalid:4000", 0);
    struct error err = {""};
    cr_assert_eq(pump_open(source, &err), SOURCE_GONE);
    cr_assert(strstr(err.text, "no-such-host..invalid"), "%s", err.text);
    source_free(source);
}

/* A listener that never accepts, with its queue full, swallows the first packet of each connection: that is
 * what a host behind a firewall looks like. */
Test(tcp, a_silent_host_never_blocks_the_caller)
{
    char spec[64];
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    int listener = listen_tcp(AF_INET, spec);
    cr_assert_eq(listen(listener, 0), 0);
    getsockname(listener, (struct sockaddr *)&address, &size);
    int fillers[4];
    for (int i = 0; i < 4; i++) {
        fillers[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        connect(fillers[i], (struct sockaddr *)&address, size);
    }
    struct source *source = pump_new(spec, 0);
    struct error err = {""};
    cr_assert(source_open(source, &err), "%s", err.text);
    cr_assert_not(source_is_open(source));
    struct source_wait wait = source_poll(source);
    cr_assert(wait.timeout_ms > 0 && wait.timeout_ms <= 5000, "it is given up some time");
    uint8_t bytes[16];
    size_t n;
    cr_assert_eq(source_read(source, bytes, sizeof bytes, &n, &err), SOURCE_QUIET);
    cr_assert_not(source_write(source, "x", 1, &err));
    cr_assert(strstr(err.text, "not connected"), "%s", err.text);
    source_free(source);
    for (int i = 0; i < 4; i++)
        close(fillers[i]);
    close(listener);
}

/* Letting go while the look-up may still run must neither crash nor leak. */
Test(tcp, a_look_up_can_be_abandoned)
{
    for (int i = 0; i < 20; i++) {
        struct source *source = pump_new("tcp:localhost:9", 0);
        struct error err = {""};
        (void)source_open(source, &err); /* without a listener, which may fail at once */
        source_free(source);
    }
}

/* Reads what was written; returns the time until the source needs to be read again. */
static uint32_t patience_after(struct source *source, int peer, size_t n)
{
    static const uint8_t bytes[512];
    uint8_t got[sizeof bytes];
    size_t got_n;
    struct error err = {""};
    cr_assert_eq(write(peer, bytes, n), (ssize_t)n);
    cr_assert_eq(pump_read(source, got, n, &got_n, &err), SOURCE_DATA);
    return source_patience_ms(source);
}

Test(stream, reads_at_the_last_pace_stay_below_the_limit)
{
    const struct stream_pace pace = {.least_ms = 4, .most_ms = 100, .welcome = 32768};
    for (size_t bytes_per_ms = 1; bytes_per_ms <= 100000; bytes_per_ms = bytes_per_ms * 5 / 4 + 1) {
        uint32_t patience = pace.least_ms, longest = 0;
        for (int i = 0; i < 200; i++) {
            size_t came = bytes_per_ms * patience;
            size_t got = came < pace.welcome ? came : pace.welcome; /* one read takes no more */
            patience = stream_patience_ms(&pace, patience, got);
            cr_expect(patience == pace.least_ms || bytes_per_ms * patience <= pace.welcome,
                      "%zu bytes/ms: %u ms", bytes_per_ms, patience);
            longest = patience > longest ? patience : longest;
        }
        size_t most = pace.welcome / bytes_per_ms; /* after this many ms the welcome bytes have come */
        cr_expect_eq(longest,
                     most < pace.least_ms  ? pace.least_ms
                     : most < pace.most_ms ? most
                                           : pace.most_ms,
                     "%zu bytes/ms: at most %u ms", bytes_per_ms, longest);
    }
}

/* Checks that a stream of small writes is read less and less often, up to `most_ms`, and never after less than
 * `least_ms`. */
static void check_trickle(bool reads_ahead, uint32_t least_ms, uint32_t most_ms)
{
    char spec[64];
    struct error err = {""};
    int listener = listen_tcp(AF_INET, spec);
    struct source *source = pump_new(spec, 0);
    if (reads_ahead)
        cr_assert(source_read_ahead(source, 0, &err), "%s", err.text);
    cr_assert_neq(pump_open(source, &err), SOURCE_GONE, "%s", err.text);
    int peer = accept(listener, NULL, NULL);
    for (uint32_t patience = 5; patience <= most_ms; patience++)
        cr_assert_eq(patience_after(source, peer, 100), patience > least_ms ? patience : least_ms);
    source_free(source);
    close(peer);
    close(listener);
}

Test(tcp, a_stream_that_trickles_may_be_read_seldom)
{
    check_trickle(false, 5, 100);
}

Test(tcp, a_stream_that_trickles_may_be_taken_seldom_from_its_reader)
{
    check_trickle(true, 20, 30); /* which takes the sum of these times */
}

/* How many bytes of a TCP connection the other end has no room for, or has not been given yet. */
static int unsent(int peer)
{
    int n;
    cr_assert_eq(ioctl(peer, SIOCOUTQ, &n), 0);
    return n;
}

Test(tcp, unread_data_does_not_block_the_server)
{
    static const uint8_t piece[1024];
    char spec[64];
    struct error err = {""};
    int listener = listen_tcp(AF_INET, spec);
    struct source *source = pump_new(spec, 0);
    cr_assert_neq(pump_open(source, &err), SOURCE_GONE, "%s", err.text);
    int peer = accept(listener, NULL, NULL);
    uint64_t deadline_ms = clock_monotonic_ms() + PUMP_PATIENCE_MS;
    int pieces = 0;
    while (pieces < 160 || unsent(peer) > 0) {
        cr_assert_lt(clock_monotonic_ms(), deadline_ms, "no room after %d pieces", pieces);
        if (pieces == 160)
            sched_yield();
        else if (send(peer, piece, sizeof piece, MSG_DONTWAIT) == (ssize_t)sizeof piece)
            pieces++;
    }
    source_free(source);
    close(peer);
    close(listener);
}

Test(unix_socket, a_line_that_trickles_may_be_read_seldom_and_one_that_is_busy_may_not)
{
    struct pump_folder folder = pump_folder_new();
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char spec[128];
    struct error err = {""};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder.path);
    snprintf(spec, sizeof spec, "unix:%s", address.sun_path);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    cr_assert_eq(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    cr_assert_eq(listen(listener, 4), 0);
    struct source *source = pump_new(spec, 0);
    cr_assert(source_open(source, &err), "%s", err.text);
    int peer = accept(listener, NULL, NULL);
    cr_assert_eq(source_patience_ms(source), 1);
    for (uint32_t patience = 2; patience <= 4; patience++)
        cr_assert_eq(patience_after(source, peer, 1), patience);
    cr_assert_eq(patience_after(source, peer, 76), 4);
    cr_assert_eq(patience_after(source, peer, 77), 1, "77 in 4 ms are more than 96 in 5");
    cr_assert_eq(patience_after(source, peer, 48), 2);
    cr_assert_eq(patience_after(source, peer, 300), 1);
    cr_assert_eq(patience_after(source, peer, 300), 1);
    source_free(source);
    close(peer);
    close(listener);
    unlink(address.sun_path);
    rmdir(folder.path);
}

Test(unix_socket, bytes_pass_both_ways_and_a_close_is_reported)
{
    struct pump_folder folder = pump_folder_new();
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char spec[128];
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder.path);
    snprintf(spec, sizeof spec, "unix:%s", address.sun_path);
    struct source *source = pump_new(spec, 0);
    struct error err = {""};
    cr_assert_not(source_open(source, &err));
    cr_assert(strstr(err.text, "There is no socket"), "%s", err.text);

    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    cr_assert_eq(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    cr_assert_not(source_open(source, &err));
    cr_assert(strstr(err.text, "Nobody listens"), "%s", err.text);

    cr_assert_eq(listen(listener, 4), 0);
    talk(source, listener);
    talk(source, listener);
    source_free(source);
    close(listener);
    unlink(address.sun_path);
    rmdir(folder.path);
}
