/* test_exporters.c - rules for every exporter. */
#include "export/export.h"
#include "profile/profile.h"
#include "support/calls.h"
#include "support/effort.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct snapshot *sample(size_t calls_n)
{
    struct test_random random = {42};
    struct calls calls;
    calls_make(&calls, &random, calls_n, 6, false, 1);
    struct profile *profile = profile_new(NULL);
    profile_apply(profile, calls.events, calls_n ? calls.n : 0);
    profile_finish(profile);
    struct snapshot_source source = {.port = "file:x", .dialect = "miniprof", .provides = UINT32_MAX};
    struct snapshot *snapshot =
        profile_freeze(profile, &source, &(struct snapshot_target){0}, &(struct snapshot_link){0});
    profile_free(profile);
    calls_free(&calls);
    return snapshot;
}

static struct sink_buffer written(const struct exporter *exporter, const struct snapshot *snapshot)
{
    struct sink_buffer out;
    sink_buffer_init(&out);
    exporter->write(snapshot, &out.sink);
    cr_assert_not(out.sink.failed);
    return out;
}

Test(exporters, each_has_an_id_and_a_description)
{
    for (size_t i = 0; exporter_registry[i]; i++) {
        const struct exporter *exporter = exporter_registry[i];
        cr_assert_gt(strlen(exporter->id), 0);
        for (const char *c = exporter->id; *c; c++)
            cr_assert(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '-', "%s",
                      exporter->id);
        cr_assert_eq(exporter_find(exporter->id), exporter, "%s is found, and there is one of that id",
                     exporter->id);
        cr_assert(strlen(exporter->title) && strlen(exporter->summary) && strlen(exporter->extension), "%s",
                  exporter->id);
        cr_assert_not_null(strchr(exporter->media_type, '/'), "%s", exporter->id);
    }
    cr_assert_null(exporter_find("no-such-format"));
}

Test(exporters, the_same_snapshot_gives_the_same_bytes)
{
    struct snapshot *snapshot = sample(500);
    for (size_t i = 0; exporter_registry[i]; i++) {
        struct sink_buffer first = written(exporter_registry[i], snapshot);
        struct sink_buffer second = written(exporter_registry[i], snapshot);
        cr_assert_gt(first.n, 0, "%s", exporter_registry[i]->id);
        cr_assert_eq(first.n, second.n, "%s", exporter_registry[i]->id);
        cr_assert_arr_eq(first.bytes, second.bytes, first.n, "%s", exporter_registry[i]->id);
        sink_buffer_fini(&first);
        sink_buffer_fini(&second);
    }
    snapshot_unref(snapshot);
}

Test(exporters, a_profile_of_nothing_can_be_written)
{
    struct snapshot *snapshot = sample(0);
    for (size_t i = 0; exporter_registry[i]; i++) {
        struct sink_buffer out = written(exporter_registry[i], snapshot);
        sink_buffer_fini(&out);
    }
    snapshot_unref(snapshot);
}

Test(exporters, a_sink_that_fails_at_any_byte_is_noticed)
{
    struct snapshot *snapshot = sample(12);
    for (size_t i = 0; exporter_registry[i]; i++) {
        struct sink_buffer all = written(exporter_registry[i], snapshot);
        size_t step =
            1 + all.n / test_effort(400, 5000); /* a page has long parts that are written in one piece */
        for (size_t k = 1; k < all.n; k += step) {
            struct sink_buffer out;
            sink_buffer_init(&out);
            out.limit = k;
            exporter_registry[i]->write(snapshot, &out.sink);
            cr_assert(out.sink.failed, "%s at byte %zu", exporter_registry[i]->id, k);
            cr_assert(out.n == 0 || memcmp(out.bytes, all.bytes, out.n) == 0,
                      "%s: what was taken is the start", exporter_registry[i]->id);
            sink_buffer_fini(&out);
        }
        sink_buffer_fini(&all);
    }
    snapshot_unref(snapshot);
}

Test(exporters, an_error_names_an_export_without_the_needed_data)
{
    struct snapshot *snapshot = sample(3);
    snapshot->source.provides = 0;
    for (size_t i = 0; exporter_registry[i]; i++) {
        struct error err = {0};
        bool can = exporter_can(exporter_registry[i], snapshot, &err);
        cr_assert_eq(can, exporter_registry[i]->needs == 0, "%s", exporter_registry[i]->id);
        if (!can)
            cr_assert_not_null(strstr(err.text, exporter_registry[i]->id), "%s", err.text);
    }
    snapshot_unref(snapshot);
}

Test(exporters, a_file_is_written_whole_or_not_at_all)
{
    struct snapshot *snapshot = sample(50);
    char folder[] = "/tmp/miniprofd-test-XXXXXX", path[64], missing[64];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/out", folder);
    snprintf(missing, sizeof missing, "%s/no/such/folder", folder);
    struct error err = {0};
    cr_assert(export_to_path(exporter_registry[0], snapshot, path, &err), "%s", err.text);
    cr_assert_not(export_to_path(exporter_registry[0], snapshot, missing, &err));
    cr_assert_not_null(strstr(err.text, missing), "the sentence names the file: %s", err.text);
    cr_assert_not(export_to_path(exporter_registry[0], snapshot, "/dev/full", &err));
    cr_assert_not_null(strstr(err.text, "/dev/full"), "%s", err.text);
    unlink(path);
    rmdir(folder);
    snapshot_unref(snapshot);
}
