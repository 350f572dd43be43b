/* test_scarcity.c - session_new() without memory or descriptors. */
#include "session/session.h"

#include "support/folder.h"
#include "support/scarce.h"

#include <criterion/criterion.h>

static void expect_sentences(const struct session_settings *settings)
{
    unsigned refusals = 0;
    for (unsigned nth = 1;; nth++) {
        struct error err = {""};
        scarce_begin(nth);
        struct session *session = session_new(settings, NULL, &err);
        bool is_over = !scarce_end();
        refusals += !session;
        cr_assert(session || strlen(err.text) > 20, "refusal %u: '%s'", nth, err.text);
        session_free(session);
        if (is_over)
            break;
    }
    cr_assert_gt(refusals, 5);
}

Test(scarce_session, without_resources_a_session_reports_an_error)
{
    struct folder folder = folder_new();
    struct folder_path capture = folder_file(&folder, "capture");
    char spec[200];
    FILE *file = fopen(capture.text, "w");
    cr_assert_not_null(file);
    fclose(file);
    snprintf(spec, sizeof spec, "file:%s", capture.text);
    expect_sentences(
        &(struct session_settings){.source = {.spec = spec}, .dialect = dialect_find("miniprof")});
    expect_sentences(&(struct session_settings){.source = {.spec = spec}});
    static const struct dialect_setting names = {"names", "/nowhere/names.json"};
    struct error err = {""};
    cr_assert_null(session_new(&(struct session_settings){.source = {.spec = spec},
                                                          .dialect = dialect_find("tfm"),
                                                          .dialect_settings = {.settings = &names, .n = 1}},
                               NULL, &err));
    cr_assert(strstr(err.text, "/nowhere/names.json"), "%s", err.text);
    folder_free(&folder);
}
