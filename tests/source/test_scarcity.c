/* test_scarcity.c - sources without system resources, or with read errors. */
#include "support/scarce.h"

#include "pump.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>

static void expect_sentences(const char *spec)
{
    unsigned refusals = 0;
    struct error last = {""};
    for (unsigned nth = 1;; nth++) {
        struct error err = {""};
        scarce_begin(nth);
        struct source *source = source_new(&(struct source_settings){.spec = spec, .baud = 115200}, &err);
        bool good = source && source_open(source, &err);
        bool is_over = !scarce_end();
        refusals += !good;
        cr_assert(good || strlen(err.text) > 20, "%s, refusal %u: '%s'", spec, nth, err.text);
        source_free(source);
        last = err;
        if (is_over)
            break;
    }
    cr_assert_gt(refusals, 0, "%s: %s", spec, last.text);
}

Test(scarce_source, without_resources_a_source_reports_an_error)
{
    expect_sentences("/dev/ptmx");
    expect_sentences("file:/dev/null");
    expect_sentences("-");
    expect_sentences("unix:/nowhere/socket");
    expect_sentences("tcp:localhost:1");
    expect_sentences("tcp:127.0.0.1:1");
    expect_sentences("rfc2217:127.0.0.1:1");
}

Test(scarce_source, a_read_error_has_its_offset)
{
    struct pump_folder folder = pump_folder_new();
    char path[100], spec[120];
    uint8_t bytes[16];
    size_t n;
    struct error err = {""};
    snprintf(path, sizeof path, "%s/capture", folder.path);
    snprintf(spec, sizeof spec, "file:%s", path);
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs("0123456789", file) >= 0 && fclose(file) == 0);
    struct source *source = pump_new(spec, 0);
    cr_assert(source_open(source, &err), "%s", err.text);
    cr_assert_eq(source_read(source, bytes, 4, &n, &err), SOURCE_DATA);
    scarce_fail("read", 1, EINTR);
    cr_assert_eq(source_read(source, bytes, 4, &n, &err), SOURCE_QUIET);
    scarce_fail("read", 1, EIO);
    cr_assert_eq(source_read(source, bytes, 4, &n, &err), SOURCE_GONE);
    cr_assert(strstr(err.text, path) && strstr(err.text, "byte 4") && strstr(err.text, strerror(EIO)), "%s",
              err.text);
    source_free(source);
    remove(path);
    rmdir(folder.path);
}

Test(scarce_source, a_full_socket_is_reported)
{
    struct pump_folder folder = pump_folder_new();
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char spec[140];
    struct error err = {""};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder.path);
    snprintf(spec, sizeof spec, "unix:%s", address.sun_path);
    struct source *first = pump_new(spec, 0), *second = pump_new(spec, 0);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    cr_assert_eq(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    cr_assert_not(source_open(first, &err));
    cr_assert(strstr(err.text, "Nobody listens"), "%s", err.text);
    cr_assert_eq(listen(listener, 0), 0);
    cr_assert(source_open(first, &err), "%s", err.text);
    cr_assert_not(source_open(second, &err));
    cr_assert(strstr(err.text, "does not accept more"), "%s", err.text);
    source_free(first);
    source_free(second);
    close(listener);
    remove(address.sun_path);
    rmdir(folder.path);
}

/* An address that is no host's of this machine's networks, and one that nobody may connect to. */
Test(scarce_source, an_unreachable_address_is_reported)
{
    struct error err = {""};
    struct source *source = pump_new("tcp:255.255.255.255:9", 0);
    cr_assert_eq(pump_open(source, &err), SOURCE_GONE);
    cr_assert(strstr(err.text, "255.255.255.255"), "%s", err.text);
    source_free(source);
}

/* A pty, and a source that has its other end open. */
struct line {
    int master;
    struct source *source;
};

static struct line line_new(void)
{
    struct line line;
    char path[64];
    int slave;
    struct error err = {""};
    cr_assert_eq(openpty(&line.master, &slave, path, NULL, NULL), 0);
    close(slave);
    line.source = pump_new(path, 0);
    cr_assert(source_open(line.source, &err), "%s", err.text);
    return line;
}

static void line_free(struct line *line)
{
    source_free(line->source);
    close(line->master);
}

Test(scarce_source, an_error_ends_a_line_and_a_signal_does_not)
{
    static const struct {
        const char *call;
        int code;
        enum source_result result;
    } cases[] = {{"poll", EINTR, SOURCE_QUIET},
                 {"poll", ENOMEM, SOURCE_GONE},
                 {"read", EINTR, SOURCE_QUIET},
                 {"read", EAGAIN, SOURCE_QUIET},
                 {"read", EIO, SOURCE_GONE}};
    struct line line = line_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error err = {""};
        uint8_t bytes[8];
        size_t n;
        cr_assert_eq(write(line.master, "ab", 2), 2);
        cr_assert_eq(poll(&(struct pollfd){.fd = source_poll(line.source).fd, .events = POLLIN}, 1, -1), 1);
        scarce_fail(cases[i].call, 1, cases[i].code);
        cr_expect_eq(source_read(line.source, bytes, sizeof bytes, &n, &err), cases[i].result, "case %zu", i);
        cr_expect_eq(n, 0);
        cr_expect_eq(*err.text != '\0', cases[i].result == SOURCE_GONE, "case %zu: %s", i, err.text);
        pump_expect(line.source, "ab");
    }
    line_free(&line);
}

Test(scarce_source, interrupted_output_is_sent_once)
{
    static const int codes[] = {EINTR, EAGAIN, EIO};
    struct line line = line_new();
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        struct error err = {""};
        char got[8];
        scarce_fail("write", 1, codes[i]);
        cr_assert(source_write(line.source, "abc", 3, &err), "%s", err.text);
        cr_assert(pump_is_sending(line.source));
        pump_send(line.source);
        cr_assert_eq(read(line.master, got, sizeof got), 3);
        cr_assert_arr_eq(got, "abc", 3);
    }
    line_free(&line);
}

Test(scarce_source, a_terminal_whose_settings_cannot_be_had_is_not_opened)
{
    struct line line = line_new();
    struct error err = {""};
    source_close(line.source);
    for (unsigned nth = 1; nth <= 2; nth++) { /* its settings are read, then written */
        scarce_fail("ioctl", nth, EIO);
        cr_assert_not(source_open(line.source, &err));
        cr_assert(strstr(err.text, strerror(EIO)), "%s", err.text);
    }
    cr_assert(source_open(line.source, &err), "%s", err.text);
    line_free(&line);
}

Test(scarce_source, a_refused_speed_is_reported_and_the_old_one_kept)
{
    struct line line = line_new();
    struct error err = {""};
    for (unsigned nth = 1; nth <= 3; nth++) { /* settings are read, written, and read back */
        scarce_fail("ioctl", nth, EIO);
        cr_assert_not(source_set_baud(line.source, 921600, &err));
        cr_assert(strstr(err.text, "921600"), "%s", err.text);
        cr_assert_eq(source_baud(line.source), 115200);
    }
    cr_assert(source_set_baud(line.source, 921600, &err), "%s", err.text);
    line_free(&line);
}

static void expect_no_connection(const char *spec, int code, const char *says)
{
    struct error err = {""};
    struct source *source = pump_new(spec, 0);
    scarce_fail("connect", 1, code);
    cr_assert_not(source_open(source, &err));
    cr_assert(strstr(err.text, says), "%s", err.text);
    source_free(source);
}

Test(scarce_source, each_connection_failure_has_its_own_error)
{
    expect_no_connection("unix:/nowhere/socket", EACCES, "ask its owner");
    expect_no_connection("unix:/nowhere/socket", EAGAIN, "does not accept more");
    expect_no_connection("unix:/nowhere/socket", ENOTDIR, strerror(ENOTDIR));
    expect_no_connection("tcp:127.0.0.1:9", ETIMEDOUT, "does not answer");
    expect_no_connection("tcp:127.0.0.1:9", ECONNREFUSED, "Nobody listens");
    expect_no_connection("tcp:127.0.0.1:9", ENETUNREACH, strerror(ENETUNREACH));
}

Test(scarce_source, standard_input_that_cannot_be_read_is_named)
{
    struct error err = {""};
    uint8_t bytes[8];
    size_t n;
    int empty = open("/dev/null", O_RDONLY);
    cr_assert_eq(dup2(empty, STDIN_FILENO), STDIN_FILENO);
    struct source *source = pump_new("-", 0);
    cr_assert(source_open(source, &err), "%s", err.text);
    scarce_fail("read", 1, EAGAIN);
    cr_assert_eq(source_read(source, bytes, sizeof bytes, &n, &err), SOURCE_QUIET);
    scarce_fail("read", 1, EIO);
    cr_assert_eq(source_read(source, bytes, sizeof bytes, &n, &err), SOURCE_GONE);
    cr_assert(strstr(err.text, "Reading standard input failed"), "%s", err.text);
    source_free(source);
    close(empty);
}
