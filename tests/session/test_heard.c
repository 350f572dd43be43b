/* test_heard.c - a session without a profile reports the reason and a remedy. */
#include "session/session.h"

#include "contract/samples.h"
#include "support/folder.h"

#include <criterion/criterion.h>
#include <poll.h>

/* Reads a capture of these bytes as `dialect`; returns the result of session_heard(). */
static bool hear(const void *bytes, size_t n, const char *dialect, struct error *why)
{
    struct folder folder = folder_new();
    struct folder_path capture = folder_file(&folder, "capture");
    char spec[200];
    folder_write(&capture, bytes, n);
    snprintf(spec, sizeof spec, "file:%s", capture.text);
    struct error err = {""};
    struct session *session = session_new(
        &(struct session_settings){.source = {.spec = spec}, .dialect = dialect_find(dialect)}, NULL, &err);
    cr_assert_not_null(session, "%s", err.text);
    cr_assert(session_start(session, &err), "%s", err.text);
    struct pollfd wait = {.fd = session_ended_fd(session), .events = POLLIN};
    cr_assert_eq(poll(&wait, 1, 120000), 1);
    session_stop(session);
    bool good = session_heard(session, why);
    session_free(session);
    folder_free(&folder);
    return good;
}

Test(heard, an_empty_capture_is_reported)
{
    struct error why = {""};
    cr_assert_not(hear("", 0, "miniprof", &why));
    cr_assert(strstr(why.text, "is empty") && strstr(why.text, "record it again"), "%s", why.text);
}

Test(heard, noise_is_reported_with_length_and_dialect)
{
    char noise[3000];
    struct error why = {""};
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (char)(0x80 | i * 13 % 89);
    cr_assert_not(hear(noise, sizeof noise, "miniprof", &why));
    cr_assert(strstr(why.text, "the 3000 bytes") && strstr(why.text, "as miniprof") &&
                  strstr(why.text, "check the speed"),
              "%s", why.text);
}

Test(heard, the_dialect_of_unreadable_bytes_is_named)
{
    struct stream stream = {0};
    struct error why = {""};
    sample_find("syst")->write(&stream);
    cr_assert_not(hear(stream.bytes, stream.n, "miniprof", &why));
    cr_assert(strstr(why.text, "look like syst: use --dialect syst"), "%s", why.text);
    why = (struct error){""};
    cr_assert(hear(stream.bytes, stream.n, "syst", &why));
    cr_assert_str_eq(why.text, "");
    stream_fini(&stream);
}

Test(heard, a_port_that_never_appeared_is_reported)
{
    struct error err = {""};
    struct session *session = session_new(
        &(struct session_settings){.source = {.spec = "/dev/miniprofd-is-not-there", .baud = 9600},
                                   .dialect = dialect_find("miniprof")},
        NULL, &err);
    cr_assert_not_null(session, "%s", err.text);
    cr_assert(session_start(session, &err), "%s", err.text);
    session_stop(session);
    cr_assert_not(session_heard(session, &err));
    cr_assert(strstr(err.text, "was never there"), "%s", err.text);
    session_free(session);
}
