/* test_scarcity.c - buffers, compressors and whole files when memory runs out or reading fails. */
#include "base/jsonio.h"
#include "base/scarcity.h"
#include "base/sink.h"
#include "base/wholefile.h"
#include "base/zip.h"

#include "support/scarce.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Test(scarce_base, a_buffer_that_cannot_grow_fails_and_keeps_its_content)
{
    char much[2000];
    struct sink_buffer buffer;
    memset(much, 'x', sizeof much - 1);
    much[sizeof much - 1] = '\0';
    for (unsigned nth = 1; nth <= 2; nth++) { /* the printed text, the buffer */
        sink_buffer_init(&buffer);
        sink_text(&buffer.sink, "kept");
        scarce_begin(nth);
        sink_printf(&buffer.sink, "%s", much);
        cr_assert(scarce_end());
        cr_expect(buffer.sink.failed);
        sink_text(&buffer.sink, "never");
        cr_expect_str_eq(buffer.bytes, "kept");
        sink_buffer_fini(&buffer);
    }
}

Test(scarce_base, compression_fails_without_memory)
{
    static char text[100000];
    size_t n = 0;
    unsigned refusals = 0;
    for (unsigned nth = 1;; nth++) {
        scarce_begin(nth);
        char *packed = zip_gzip(text, sizeof text, &n);
        bool is_over = !scarce_end();
        cr_assert_eq(!packed, !is_over, "refusal %u", nth);
        free(packed);
        if (is_over)
            break;
        refusals++;
    }
    cr_expect_gt(refusals, 0);
    struct sink_buffer out;
    sink_buffer_init(&out);
    scarce_begin(1);
    cr_expect_null(zip_sink_new(&out.sink));
    cr_expect(scarce_end());
    sink_buffer_fini(&out);
}

Test(scarce_base, a_file_that_cannot_be_read_gives_an_error)
{
    char path[] = "/tmp/miniprofd-file-XXXXXX";
    int fd = mkstemp(path);
    cr_assert_eq(write(fd, "text", 4), 4);
    close(fd);
    struct wholefile file;
    for (unsigned nth = 1; nth <= 2; nth++) { /* the descriptor, the memory */
        struct error err = {""};
        scarce_begin(nth);
        cr_expect_not(wholefile_read(&file, "thing", path, 1, &err));
        cr_expect(scarce_end());
        cr_expect(strstr(err.text, path), "%s", err.text);
    }
    struct error err = {""};
    scarce_fail("read", 1, EIO);
    cr_expect_not(wholefile_read(&file, "thing", path, 1, &err));
    cr_expect(strstr(err.text, path) && strstr(err.text, strerror(EIO)), "%s", err.text);
    scarce_fail("read", 1, EINTR); /* a signal: reading continues */
    cr_assert(wholefile_read(&file, "thing", path, 1, &err), "%s", err.text);
    cr_expect_eq(file.n, 4);
    free(file.bytes);
    unlink(path);
}

/* A library has no memory of its own: its allocator refuses. */
Test(scarce_base, out_of_memory_is_not_reported_as_bad_json)
{
    static const char text[] = "{\"one\": [1, \"two\"]}";
    unsigned refusals = 0;
    uint64_t all = scarcity_count();
    for (unsigned nth = 1;; nth++) {
        struct error err = {""};
        uint64_t here = scarcity_here();
        scarce_begin(nth);
        struct jsonio *top = jsonio_parse("The body", text, sizeof text - 1, &err);
        bool is_over = !scarce_end();
        cr_assert_eq(!top, !is_over, "refusal %u", nth);
        cr_expect_eq(scarcity_here() - here, !is_over);
        cr_expect(top || strstr(err.text, "Out of memory"), "refusal %u: %s", nth, err.text);
        jsonio_free(top);
        if (is_over)
            break;
        refusals++;
    }
    cr_expect_gt(refusals, 5);
    cr_expect_eq(scarcity_count(), all, "no profile lacks it");
}

Test(scarce_base, an_array_that_cannot_grow_stays_as_it_was_and_is_counted)
{
    uint16_t *array = NULL;
    cr_assert(scarcity_grow(&array, 2, sizeof *array));
    array[0] = 1;
    array[1] = 2;
    const uint16_t *before = array;
    uint64_t all = scarcity_count();
    scarce_begin(1);
    cr_expect_not(scarcity_grow(&array, 1000, sizeof *array));
    cr_assert(scarce_end());
    cr_expect_eq(scarcity_count(), all + 1);
    cr_expect_eq(array, before);
    cr_assert(scarcity_grow(&array, 1000, sizeof *array));
    cr_expect(array[0] == 1 && array[1] == 2);
    free(array);
}
