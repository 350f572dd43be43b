/* test_rfc2217.c - a serial port behind a server of RFC 2217, which the test plays. */
#include "pump.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>

#define IAC "\xff"
#define SB  IAC "\xfa\x2c"
#define SE  IAC "\xf0"
#define AGREES                                                                                               \
    IAC "\xfd"                                                                                               \
        "\x00" IAC "\xfb"                                                                                    \
        "\x00" IAC "\xfb\x03" IAC "\xfd\x03"
#define CONTROL        IAC "\xfd\x2c"
#define NO_CONTROL     IAC "\xfe\x2c"
#define RUNS_AT_115200 SB "\x65\x00\x01\xc2\x00" SE

/* A server with one client. Its bytes are string literals without the final 0. */
struct server {
    int listener, peer;
    char spec[64];
};
#define say(server, text) say_bytes(server, text, sizeof(text) - 1)

static struct server server_new(void)
{
    struct server server = {.peer = -1};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    server.listener = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert_eq(bind(server.listener, (struct sockaddr *)&address, size), 0);
    cr_assert_eq(listen(server.listener, 4), 0);
    getsockname(server.listener, (struct sockaddr *)&address, &size);
    snprintf(server.spec, sizeof server.spec, "rfc2217:127.0.0.1:%u", ntohs(address.sin_port));
    return server;
}

static void server_fini(struct server *server)
{
    if (server->peer >= 0)
        close(server->peer);
    close(server->listener);
}

static void say_bytes(struct server *server, const char *text, size_t n)
{
    cr_assert_eq(write(server->peer, text, n), (ssize_t)n);
}

/* Reads exactly `n` bytes. */
static void hear(struct server *server, const char *text, size_t n)
{
    char got[512];
    cr_assert_leq(n, sizeof got);
    cr_assert_eq(recv(server->peer, got, n, MSG_WAITALL), (ssize_t)n);
    cr_assert_arr_eq(got, text, n);
}

/* Begins to open: the server then has its client, and has read its requests. */
static void meet(struct server *server, struct source *source)
{
    struct error err = {""};
    uint8_t none[1];
    size_t n;
    static const char wants[] = IAC "\xfb"
                                    "\x00" IAC "\xfd"
                                    "\x00" IAC "\xfb\x03" IAC "\xfd\x03" IAC "\xfb\x2c";
    cr_assert(source_open(source, &err), "%s", err.text);
    if (server->peer >= 0)
        close(server->peer);
    server->peer = accept(server->listener, NULL, NULL);
    cr_assert_eq(source_read(source, none, sizeof none, &n, &err), SOURCE_QUIET);
    hear(server, wants, sizeof wants - 1);
    cr_assert_not(source_is_open(source));
}

static enum source_result carry_on(struct source *source, struct error *err)
{
    uint8_t none[1];
    size_t n;
    enum source_result result = SOURCE_QUIET;
    while (!source_is_open(source) && result == SOURCE_QUIET)
        result = pump_once(source, none, sizeof none, &n, err);
    return result;
}

static const char line_settings[] = SB "\x01\x00\x01\xc2\x00" SE SB "\x02\x08" SE SB "\x03\x01" SE SB
                                       "\x04\x01" SE SB "\x05\x01" SE SB "\x0a\x00" SE SB "\x0b\x00" SE;

static void agree(struct server *server, struct source *source)
{
    struct error err = {""};
    meet(server, source);
    say(server, AGREES CONTROL RUNS_AT_115200);
    cr_assert_eq(carry_on(source, &err), SOURCE_QUIET, "%s", err.text);
    hear(server, line_settings, sizeof line_settings - 1);
    cr_assert_eq(source_baud(source), 115200);
    cr_assert_str_eq(source_remark(source), "");
}

/* Reads everything until the other end has closed. */
static void read_to_the_end(struct server *server, struct source *source, struct error *err)
{
    uint8_t bytes[64];
    size_t n;
    close(server->peer);
    server->peer = -1;
    while (pump_once(source, bytes, sizeof bytes, &n, err) != SOURCE_GONE)
        ;
}

Test(rfc2217, bytes_pass_both_ways_with_their_escapes_undone_and_again_after_a_break)
{
    struct server server = server_new();
    struct source *source = pump_new(server.spec, 0);
    for (int times = 0; times < 2; times++) {
        struct error err = {""};
        uint8_t bytes[16];
        size_t n;
        agree(&server, source);
        say(&server, "a" IAC IAC "\r\0b" IAC "\xf1" IAC);
        cr_assert_eq(pump_read(source, bytes, 5, &n, &err), SOURCE_DATA);
        cr_assert_arr_eq(bytes, "a\xff\r\0b", 5);
        say(&server, IAC "c"); /* the second half of an escape */
        cr_assert_eq(pump_read(source, bytes, 2, &n, &err), SOURCE_DATA);
        cr_assert_arr_eq(bytes,
                         "\xff"
                         "c",
                         2);
        cr_assert(source_write(source, "\xff\r\xff\xff", 4, &err), "%s", err.text);
        hear(&server, "\xff\xff\r\xff\xff\xff\xff", 7);
        cr_assert_not(pump_is_sending(source));
        read_to_the_end(&server, source, &err);
        cr_assert(strstr(err.text, "closed the connection"), "%s", err.text);
        source_close(source);
    }
    source_free(source);
    server_fini(&server);
}

Test(rfc2217, unknown_options_are_refused_and_changes_answered_once)
{
    struct server server = server_new();
    struct source *source = pump_new(server.spec, 0);
    struct error err = {""};
    agree(&server, source);
    say(&server, IAC "\xfb\x01" IAC "\xfd\x18" IAC "\xfb\x2c" IAC "\xfb\x2c" IAC "\xfc\x03" IAC "\xfe\x03"
                     "x");
    pump_expect(source, "x");
    hear(&server, IAC "\xfe\x01" IAC "\xfc\x18" IAC "\xfd\x2c" IAC "\xfe\x03" IAC "\xfc\x03", 15);
    read_to_the_end(&server, source, &err);
    source_free(source);
    server_fini(&server);
}

Test(rfc2217, modem_lines_are_set_as_wanted_and_a_pulse_ends_before_data_flow)
{
    struct server server = server_new();
    struct error err = {""};
    struct source *source = source_new(
        &(struct source_settings){
            .spec = server.spec, .baud = 115200, .dtr = SOURCE_LINE_OFF, .rts = SOURCE_LINE_PULSE},
        &err);
    static const char lines[] = SB "\x05\x09" SE SB "\x05\x0c" SE SB "\x05\x0b" SE;
    char settings[sizeof line_settings - 1];
    for (int times = 0; times < 2; times++) {
        meet(&server, source);
        say(&server, AGREES CONTROL RUNS_AT_115200);
        uint64_t begin_ms = clock_monotonic_ms();
        cr_assert_eq(carry_on(source, &err), SOURCE_QUIET, "%s", err.text);
        cr_assert_geq(clock_monotonic_ms() - begin_ms, 99);
        cr_assert_eq(recv(server.peer, settings, sizeof settings, MSG_WAITALL), (ssize_t)sizeof settings);
        hear(&server, lines, sizeof lines - 1);
        cr_assert_not(source_lines(source).known, "the server does not report it");
        source_close(source);
    }
    source_free(source);
    server_fini(&server);
}

Test(rfc2217, a_rate_changed_by_the_server_is_reported)
{
    struct server server = server_new();
    struct source *source = pump_new(server.spec, 0);
    struct error err = {""};
    agree(&server, source);
    cr_assert(source_set_baud(source, 921599, &err), "%s", err.text);
    cr_assert_eq(source_baud(source), 921599);
    hear(&server, SB "\x01\x00\x0e\x0f" IAC IAC SE, 11); /* 921599 is 0x0e0fff: its last byte is escaped */
    say(&server, SB "\x65\x00\x07\x08\x00" SE "x");
    pump_expect(source, "x");
    cr_assert_eq(source_baud(source), 460800);
    cr_assert(strstr(source_remark(source), "at 460800 baud, not at 921599"), "%s", source_remark(source));
    source_close(source);
    cr_assert_str_eq(source_remark(source), "");
    cr_assert_eq(source_baud(source), 0);
    source_free(source);
    server_fini(&server);
}

Test(rfc2217, a_server_without_port_control_is_used_with_a_remark)
{
    struct server server = server_new();
    struct source *source = pump_new(server.spec, 0);
    struct error err = {""};
    meet(&server, source);
    say(&server, AGREES NO_CONTROL);
    cr_assert_eq(carry_on(source, &err), SOURCE_QUIET, "%s", err.text);
    cr_assert_eq(source_baud(source), 0);
    cr_assert(strstr(source_remark(source), "lets nobody set its serial port"), "%s", source_remark(source));
    cr_assert_not(source_set_baud(source, 9600, &err));
    say(&server, "data");
    pump_expect(source, "data");
    source_free(source);
    server_fini(&server);
}

Test(rfc2217, an_unknown_rate_and_other_framing_are_reported)
{
    struct server server = server_new();
    struct source *source = pump_new(server.spec, 0);
    struct error err = {""};
    meet(&server, source);
    say(&server, AGREES CONTROL SB "\x65"
                                   "\0\0\0\0" SE);
    cr_assert_eq(carry_on(source, &err), SOURCE_QUIET, "%s", err.text);
    cr_assert(strstr(source_remark(source), "does not say at which rate"), "%s", source_remark(source));
    say(&server, RUNS_AT_115200 SB "\x66\x07" SE SB "\x67\x03" SE SB "\x68\x01" SE "x");
    pump_expect(source, "x");
    cr_assert_eq(source_baud(source), 115200);
    cr_assert(strstr(source_remark(source), "it says 7, 3 and 1"), "%s", source_remark(source));
    say(&server, SB "\x66\x08" SE "x");
    pump_expect(source, "x");
    cr_assert(strstr(source_remark(source), "it says 8, 3 and 1"), "%s", source_remark(source));
    say(&server, SB "\x67\x01" SE SB "\x68\x02" SE "x");
    pump_expect(source, "x");
    cr_assert(strstr(source_remark(source), "it says 8, 1 and 2"), "%s", source_remark(source));
    say(&server, SB "\x68\x01" SE "x");
    pump_expect(source, "x");
    cr_assert_str_eq(source_remark(source), "");
    source_free(source);
    server_fini(&server);
}

Test(rfc2217, a_server_that_would_change_bytes_is_not_used)
{
    static const char *const refusals[] = {IAC "\xfe", IAC "\xfc"};
    for (size_t i = 0; i < 2; i++) {
        struct server server = server_new();
        struct source *source = pump_new(server.spec, 0);
        struct error err = {""};
        meet(&server, source);
        say_bytes(&server, refusals[i], 3); /* with the 0 at its end: BINARY */
        cr_assert_eq(carry_on(source, &err), SOURCE_GONE);
        cr_assert(strstr(err.text, "refuses to pass bytes as they are"), "%s", err.text);
        source_close(source);

        agree(&server, source); /* later, too */
        say_bytes(&server, refusals[i], 3);
        uint8_t byte;
        size_t n;
        cr_assert_eq(pump_read(source, &byte, 1, &n, &err), SOURCE_GONE);
        source_free(source);
        server_fini(&server);
    }
}

/* The time that a server is given passes here; nothing else can show that none of it is Telnet. */
Test(rfc2217, a_server_without_telnet_is_reported_with_advice)
{
    struct server server = server_new();
    struct source *source = pump_new(server.spec, 0);
    struct error err = {""};
    meet(&server, source);
    say(&server, "plain bytes");
    cr_assert_leq(source_poll(source).timeout_ms, 3000);
    cr_assert_eq(carry_on(source, &err), SOURCE_GONE);
    cr_assert(strstr(err.text, "does not speak Telnet") && strstr(err.text, "--port tcp:127.0.0.1:"), "%s",
              err.text);
    source_free(source);
    server_fini(&server);
}

/* It speaks Telnet only: its timeout passes here, too. */
Test(rfc2217, a_server_that_ignores_options_is_used_with_a_remark)
{
    struct server server = server_new();
    struct source *source = pump_new(server.spec, 0);
    struct error err = {""};
    meet(&server, source);
    say(&server, IAC "\xfb\x01");
    cr_assert_eq(carry_on(source, &err), SOURCE_QUIET, "%s", err.text);
    cr_assert(strstr(source_remark(source), "has not agreed to pass bytes as they are"), "%s",
              source_remark(source));
    say(&server, AGREES "x");
    pump_expect(source, "x");
    cr_assert(strstr(source_remark(source), "does not answer to RFC 2217"), "%s", source_remark(source));
    say(&server, CONTROL RUNS_AT_115200 "y");
    pump_expect(source, "y");
    cr_assert_str_eq(source_remark(source), "");
    cr_assert_eq(source_baud(source), 115200);
    source_free(source);
    server_fini(&server);
}

Test(rfc2217, flow_control_by_the_server_delays_output)
{
    struct server server = server_new();
    struct source *source = pump_new(server.spec, 0);
    struct error err = {""};
    agree(&server, source);
    say(&server, SB "\x6c" SE "x");
    pump_expect(source, "x");
    cr_assert(source_write(source, "later", 5, &err), "%s", err.text);
    cr_assert_not(pump_is_sending(source), "there is room, so waiting for it would not wait");
    uint8_t much[256] = {0};
    cr_assert_not(source_write(source, much, sizeof much, &err));
    cr_assert(strstr(err.text, "flow control"), "%s", err.text);
    say(&server, SB "\x6d" SE "y");
    pump_expect(source, "y");
    pump_send(source);
    hear(&server, "later", 5);
    source_free(source);
    server_fini(&server);
}

Test(rfc2217, a_bad_address_is_reported_at_once)
{
    static const struct {
        const char *spec, *says;
        uint32_t baud;
    } cases[] = {
        {"rfc2217:", "'rfc2217:' needs a host and a port, as in rfc2217:localhost:4000", 115200},
        {"rfc2217:host", "needs a host and a port", 115200},
        {"rfc2217:host:0", "'0' in 'rfc2217:host:0' is no port", 115200},
        {"rfc2217:::1:4000", "in brackets", 115200},
        {"rfc2217:host:1", "cannot run at 0 baud", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error err = {""};
        cr_assert_null(source_new(&(struct source_settings){cases[i].spec, cases[i].baud, 0}, &err));
        cr_assert(strstr(err.text, cases[i].says), "%s", err.text);
    }
}

Test(rfc2217, a_rate_that_no_port_has_is_refused)
{
    static const uint32_t rates[] = {0, UINT32_MAX};
    for (size_t i = 0; i < 2; i++) {
        struct error err = {""};
        cr_assert_null(
            source_new(&(struct source_settings){.spec = "rfc2217:127.0.0.1:4000", .baud = rates[i]}, &err));
        cr_assert(strstr(err.text, "--baud 115200"), "%s", err.text);
    }
}
