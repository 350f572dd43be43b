/* test_scarcity.c - sources where the system gives nothing, or an error in the place of bytes. */
#include "support/scarce.h"

#include "pump.h"

#include <errno.h>
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

Test(scarce_source, one_that_lacks_something_is_none_and_says_what)
{
    expect_sentences("/dev/ptmx");
    expect_sentences("file:/dev/null");
    expect_sentences("-");
    expect_sentences("unix:/nowhere/socket");
    expect_sentences("tcp:localhost:1");
    expect_sentences("tcp:127.0.0.1:1");
}

Test(scarce_source, a_capture_that_cannot_be_read_on_says_where)
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
    scarce_read(EINTR);
    cr_assert_eq(source_read(source, bytes, 4, &n, &err), SOURCE_QUIET);
    scarce_read(EIO);
    cr_assert_eq(source_read(source, bytes, 4, &n, &err), SOURCE_GONE);
    cr_assert(strstr(err.text, path) && strstr(err.text, "byte 4") && strstr(err.text, strerror(EIO)), "%s",
              err.text);
    source_free(source);
    remove(path);
    rmdir(folder.path);
}

Test(scarce_source, a_socket_whose_server_takes_nobody_in_is_said_to_be_full)
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
Test(scarce_source, an_address_that_cannot_be_reached_is_said_to_be_that)
{
    struct error err = {""};
    struct source *source = pump_new("tcp:255.255.255.255:9", 0);
    cr_assert_eq(pump_open(source, &err), SOURCE_GONE);
    cr_assert(strstr(err.text, "255.255.255.255"), "%s", err.text);
    source_free(source);
}
