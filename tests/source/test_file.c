/* test_file.c - captures: as fast as they can be read, at the recorded pace, from pipes. */
#include "pump.h"
#include "source/pace.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

struct capture {
    struct pump_folder folder;
    char path[96], pace_path[112], spec[112];
};

static void write_file(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

static struct capture capture_new(const void *bytes, size_t n)
{
    struct capture capture = {.folder = pump_folder_new()};
    snprintf(capture.path, sizeof capture.path, "%s/capture", capture.folder.path);
    snprintf(capture.pace_path, sizeof capture.pace_path, "%s" PACE_SUFFIX, capture.path);
    snprintf(capture.spec, sizeof capture.spec, "file:%s", capture.path);
    if (bytes)
        write_file(capture.path, bytes, n);
    return capture;
}

static void capture_free(struct capture *capture)
{
    unlink(capture->path);
    unlink(capture->pace_path);
    rmdir(capture->folder.path);
}

Test(file, a_capture_is_read_whole_and_then_ends)
{
    enum { SIZE = 1000003 };
    static uint8_t bytes[SIZE], got[SIZE + 1];
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (uint8_t)(i * 2654435761u >> 24);
    struct capture capture = capture_new(bytes, SIZE);
    struct source *source = pump_new(capture.spec, 0);
    struct error err = {""};
    for (int turn = 0; turn < 2; turn++) {
        size_t n;
        cr_assert(source_open(source, &err));
        cr_assert_eq(pump_read(source, got, sizeof got, &n, &err), SOURCE_ENDED);
        cr_assert_eq(n, SIZE);
        cr_assert_arr_eq(got, bytes, SIZE);
        source_close(source);
    }
    source_free(source);
    capture_free(&capture);
}

Test(file, a_capture_in_a_hurry_fills_each_read)
{
    static uint8_t bytes[100000];
    struct capture capture = capture_new(bytes, sizeof bytes);
    struct source *source = pump_new(capture.spec, 0);
    struct error err = {""};
    cr_assert(source_open(source, &err));
    struct source_wait wait = source_poll(source);
    cr_assert(wait.fd == -1 && wait.timeout_ms == 0);
    size_t n;
    cr_assert_eq(source_read(source, bytes, sizeof bytes, &n, &err), SOURCE_DATA);
    cr_assert_eq(n, sizeof bytes);
    source_free(source);
    capture_free(&capture);
}

Test(file, a_missing_file_and_a_folder_have_different_errors)
{
    struct capture capture = capture_new(NULL, 0);
    struct source *source = pump_new(capture.spec, 0);
    struct error err = {""};
    cr_assert_not(source_open(source, &err));
    cr_assert(strstr(err.text, capture.path) && strstr(err.text, "No such file"), "%s", err.text);
    cr_assert_eq(mkdir(capture.path, 0700), 0);
    cr_assert_not(source_open(source, &err));
    cr_assert(strstr(err.text, "folder"), "%s", err.text);
    source_free(source);
    rmdir(capture.path);
    capture_free(&capture);
}

Test(file, nothing_can_be_sent_to_a_capture)
{
    struct capture capture = capture_new("x", 1);
    struct source *source = pump_new(capture.spec, 0);
    struct error err = {""};
    cr_assert(source_open(source, &err));
    cr_assert_not(source_write(source, "x", 1, &err));
    cr_assert(strstr(err.text, "recording"), "%s", err.text);
    cr_assert(source_reads_file(source, capture.path));
    cr_assert_not(source_reads_file(source, "/dev/null"));
    source_free(source);
    capture_free(&capture);
}

Test(file, a_pipe_is_quiet_until_bytes_come_and_ends_with_its_writer)
{
    struct capture capture = capture_new(NULL, 0);
    cr_assert_eq(mkfifo(capture.path, 0600), 0);
    struct source *source = pump_new(capture.spec, 0);
    struct error err = {""};
    uint8_t bytes[16];
    size_t n;
    cr_assert(source_open(source, &err), "%s", err.text);
    cr_assert_eq(source_read(source, bytes, sizeof bytes, &n, &err), SOURCE_QUIET);
    int writer = open(capture.path, O_WRONLY);
    cr_assert_eq(source_read(source, bytes, sizeof bytes, &n, &err), SOURCE_QUIET);
    cr_assert_eq(write(writer, "hello", 5), 5);
    pump_expect(source, "hello");
    cr_assert_eq(source_read(source, bytes, sizeof bytes, &n, &err), SOURCE_QUIET);
    close(writer);
    cr_assert_eq(pump_read(source, bytes, sizeof bytes, &n, &err), SOURCE_ENDED);
    source_free(source);
    capture_free(&capture);
}

Test(file, standard_input_is_read_to_its_end)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    cr_assert_geq(dup2(ends[0], STDIN_FILENO), 0);
    close(ends[0]);
    struct source *source = pump_new("-", 0);
    struct error err = {""};
    uint8_t bytes[16];
    size_t n;
    cr_assert(source_open(source, &err), "%s", err.text);
    cr_assert_eq(source_read(source, bytes, sizeof bytes, &n, &err), SOURCE_QUIET);
    cr_assert_eq(write(ends[1], "typed", 5), 5);
    close(ends[1]);
    cr_assert_eq(pump_read(source, bytes, sizeof bytes, &n, &err), SOURCE_ENDED);
    cr_assert(n == 5 && memcmp(bytes, "typed", 5) == 0);
    source_free(source);
}

static void write_pace(const struct capture *capture, const char *lines)
{
    char text[512];
    int n = snprintf(text, sizeof text, PACE_HEADER "%s", lines);
    write_file(capture->pace_path, text, (size_t)n);
}

Test(file, a_recording_comes_at_a_multiple_of_its_pace)
{
    struct capture capture = capture_new("abcdef", 6);
    write_pace(&capture, "0 2\n400000 3\n800000 6\n");
    struct source *source = pump_new(capture.spec, 10);
    struct error err = {""};
    uint8_t bytes[16];
    size_t n;
    uint64_t began_ms = clock_monotonic_ms();
    cr_assert(source_open(source, &err), "%s", err.text);
    static const struct {
        uint64_t at_ms;
        size_t n;
    } steps[] = {{0, 2}, {40, 1}, {80, 3}};
    for (size_t i = 0; i < 3; i++) {
        while (pump_once(source, bytes, sizeof bytes, &n, &err) == SOURCE_QUIET)
            cr_assert_neq(source_poll(source).timeout_ms, -1);
        cr_assert_eq(n, steps[i].n, "step %zu: %zu bytes", i, n);
        cr_assert_geq(clock_monotonic_ms() - began_ms, steps[i].at_ms);
    }
    cr_assert_eq(pump_once(source, bytes, sizeof bytes, &n, &err), SOURCE_ENDED);
    source_free(source);
    capture_free(&capture);
}

/* Bytes without a line in the pace file, since the machine stopped in between, can still be read. */
Test(file, bytes_that_the_pace_does_not_know_follow_at_once)
{
    static const char *const paces[] = {"",           "0 2\n",      "0 2\n5 4", "0 2\nnonsense\n",
                                        "7 3\n0 6\n", "0 3\n0 2\n", "0 99\n"};
    for (size_t i = 0; i < sizeof paces / sizeof *paces; i++) {
        struct capture capture = capture_new("abcdef", 6);
        write_pace(&capture, paces[i]);
        struct source *source = pump_new(capture.spec, 1);
        struct error err = {""};
        uint8_t bytes[16];
        size_t n;
        cr_assert(source_open(source, &err), "%s", err.text);
        cr_assert_eq(pump_read(source, bytes, sizeof bytes, &n, &err), SOURCE_ENDED, "pace %zu", i);
        cr_assert(n == 6 && memcmp(bytes, "abcdef", 6) == 0, "pace %zu", i);
        source_free(source);
        capture_free(&capture);
    }
}

/* Expects the pieces read, and the missing bytes between them and at the end. */
static void expect_gaps(const char *lines, double speed, const char *expected)
{
    struct capture capture = capture_new("abcdef", 6);
    write_pace(&capture, lines);
    struct source *source = pump_new(capture.spec, speed);
    struct error err = {""};
    char got[200] = "", bytes[16];
    uint64_t before = 0;
    enum source_result result = SOURCE_QUIET;
    size_t n, at = 0;
    cr_assert(source_open(source, &err), "%s", err.text);
    while (result != SOURCE_ENDED) {
        result = pump_once(source, bytes, sizeof bytes, &n, &err);
        cr_assert_neq(result, SOURCE_GONE, "%s", err.text);
        if (source_dropped(source) != before)
            at += (size_t)snprintf(got + at, sizeof got - at, "(-%llu)",
                                   (unsigned long long)(source_dropped(source) - before));
        before = source_dropped(source);
        if (result == SOURCE_DATA)
            at += (size_t)snprintf(got + at, sizeof got - at, "%.*s", (int)n, bytes);
    }
    cr_expect_str_eq(got, expected, "%s at speed %g: %s", lines, speed, got);
    source_free(source);
    capture_free(&capture);
}

Test(file, gaps_of_a_recording_are_between_its_reads)
{
    static const char *const of[][2] = {
        {"0 2\n5 4\n5 4 -7\n9 6\n", "abcd(-7)ef"},
        {"0 0 -3\n1 6\n", "(-3)abcdef"},
        {"0 6\n1 6 -3\n", "abcdef(-3)"},
        {"0 2\n1 2 -3\n1 2 -4\n2 6\n2 6 -5\n", "ab(-7)cdef(-5)"},
        {"0 2\n1 2 -18446744073709551615\n2 6\n3 6 -9\n", "ab(-72057594037927936)cdef"},
        /* No such line: times end there. */
        {"0 2\n1 3 -7\n2 6\n", "abcdef"},
        {"0 2\n1 2 -0\n2 6\n", "abcdef"},
        {"0 2\n1 2 -\n2 6\n", "abcdef"},
        {"0 2\n1 2 - 7\n2 6\n", "abcdef"},
        {"0 2\n1 2 -7 \n2 6\n", "abcdef"},
        {"0 2\n1 2 -18446744073709551616\n2 6\n", "abcdef"},
        {"0 2\n1 2 -7", "abcdef"},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        expect_gaps(of[i][0], 0, of[i][1]);
    for (size_t i = 0; i < 5; i++)
        expect_gaps(of[i][0], 1000, of[i][1]);
}

Test(file, a_missing_or_foreign_pace_file_is_reported)
{
    struct capture capture = capture_new("abc", 3);
    struct source *source = pump_new(capture.spec, 1);
    struct error err = {""};
    cr_assert_not(source_open(source, &err));
    cr_assert(strstr(err.text, "--speed") && strstr(err.text, "--record"), "%s", err.text);
    write_file(capture.pace_path, "1 2\n", 4);
    cr_assert_not(source_open(source, &err));
    cr_assert(strstr(err.text, "not a file that --record wrote"), "%s", err.text);
    write_file(capture.pace_path, "", 0);
    cr_assert(source_open(source, &err), "a full disk left nothing of it, and the bytes are good: %s",
              err.text);
    source_free(source);
    capture_free(&capture);
}

Test(file, an_unreadable_pace_file_is_reported)
{
    struct capture capture = capture_new("abc", 3);
    struct source *source = pump_new(capture.spec, 1);
    struct error err = {""};
    cr_assert_eq(symlink(capture.pace_path, capture.pace_path), 0);
    cr_assert_not(source_open(source, &err));
    cr_assert(strstr(err.text, "Cannot read") && strstr(err.text, capture.pace_path), "%s", err.text);
    unlink(capture.pace_path);
    cr_assert_eq(mkdir(capture.pace_path, 0700), 0);
    cr_assert_not(source_open(source, &err));
    cr_assert(strstr(err.text, "not a file that --record wrote"), "%s", err.text);
    rmdir(capture.pace_path);
    source_free(source);

    /* The longest path there is, to a file that is there, leaves no room for the name beside it. */
    char spec[5 + 4096] = "file:";
    size_t n = strlen(spec), rest = strlen(capture.path);
    while (n + 2 + rest < sizeof spec - 1)
        n += (size_t)sprintf(spec + n, "/.");
    strcpy(spec + n, capture.path);
    source = pump_new(spec, 1);
    cr_assert_not(source_open(source, &err));
    cr_assert(strstr(err.text, "too long"), "%s", err.text);
    source_free(source);
    capture_free(&capture);
}

Test(file, long_pauses_are_waited_for_in_minutes)
{
    struct capture capture = capture_new("abcdef", 6);
    write_pace(&capture, "0 2\n36000000000 6\n");
    struct source *source = pump_new(capture.spec, 1);
    struct error err = {""};
    uint8_t bytes[16];
    size_t n;
    cr_assert(source_open(source, &err), "%s", err.text);
    cr_assert_eq(source_read(source, bytes, sizeof bytes, &n, &err), SOURCE_DATA);
    cr_assert_eq(n, 2);
    cr_assert_eq(source_poll(source).timeout_ms, 60000);
    cr_assert_eq(source_read(source, bytes, sizeof bytes, &n, &err), SOURCE_QUIET);
    source_free(source);
    capture_free(&capture);
}

/* An export or a recording must not go where the bytes come from. */
Test(file, a_file_is_recognised_by_any_name)
{
    struct capture capture = capture_new("abc", 3);
    char other[sizeof capture.path + 8];
    snprintf(other, sizeof other, "%s.link", capture.path);
    int fd = open(capture.path, O_RDONLY);
    cr_assert_eq(dup2(fd, STDIN_FILENO), STDIN_FILENO);
    cr_assert_eq(link(capture.path, other), 0);
    struct source *by_name = pump_new(capture.spec, 0), *by_input = pump_new("-", 0),
                  *missing = pump_new("file:/nowhere/capture", 0), *device = pump_new("file:/dev/null", 0);
    cr_assert(source_reads_file(by_name, other));
    cr_assert(source_reads_file(by_input, other));
    cr_assert_not(source_reads_file(by_name, "/nowhere/capture"));
    cr_assert_not(source_reads_file(by_name, "/proc/self/exe"));
    cr_assert_not(source_reads_file(missing, capture.path));
    cr_assert_not(source_reads_file(device, "/dev/null"), "what is no file cannot be overwritten");
    unlink(other);
    write_file(other, "abc", 3);
    cr_assert_not(source_reads_file(by_name, other), "another file beside it");
    unlink(other);
    source_free(by_name);
    source_free(by_input);
    source_free(missing);
    source_free(device);
    close(fd);
    capture_free(&capture);
}

Test(pace, lines_are_read_back_as_they_were_written)
{
    struct capture capture = capture_new("", 0);
    char lines[3 * PACE_LINE_SIZE + 1];
    size_t n = pace_format(lines, 1, 2);
    n += pace_format(lines + n, UINT64_MAX, UINT64_MAX);
    n += pace_format_gap(lines + n, UINT64_MAX, UINT64_MAX, UINT64_MAX);
    lines[n] = '\0';
    write_pace(&capture, lines);
    struct pace pace;
    struct error err = {""};
    cr_assert(pace_open(&pace, capture.path, &err), "%s", err.text);
    cr_assert(pace_next(&pace) && pace.elapsed_us == 1 && pace.offset == 2);
    cr_assert(pace_next(&pace) && pace.elapsed_us == UINT64_MAX && pace.offset == UINT64_MAX);
    cr_assert_eq(pace.missing, 0);
    cr_assert(pace_next(&pace) && pace.missing == UINT64_MAX);
    cr_assert_not(pace_next(&pace));
    pace_close(&pace);
    capture_free(&capture);
}

/* Reads `capture` whole; stores each byte's arrival, by source_arrival_us(). */
static void read_arrivals(const struct capture *capture, double speed, size_t room, uint64_t *came_us,
                          size_t n)
{
    struct source *source = pump_new(capture->spec, speed);
    struct error err = {""};
    uint8_t bytes[256];
    size_t at = 0, got;
    cr_assert(source_open(source, &err), "%s", err.text);
    while (pump_once(source, bytes, room, &got, &err) != SOURCE_ENDED)
        for (size_t i = 0; i < got; i++)
            came_us[at++] = source_arrival_us(source);
    cr_assert_eq(at, n);
    source_free(source);
}

Test(file, a_recording_has_arrival_times_at_any_speed)
{
    static const uint64_t silent = UINT64_C(2400000000);
    static const struct {
        const char *lines;
        uint64_t came_us[6], paced_us[6];
    } of[] = {
        {"0 2\n900000 3\n2400000000 6\n",
         {900000, 900000, 900000, silent, silent, silent},
         {0, 0, 900000, silent, silent, silent}},
        {"5 2\n1000005 3\n1000006 4\n1000006 5\n",
         {1000005, 1000005, 1000005, 1000006, 1000006, UINT64_MAX},
         {5, 5, 1000005, 1000006, 1000006, UINT64_MAX}},
        {"7 3\nnonsense\n",
         {7, 7, 7, UINT64_MAX, UINT64_MAX, UINT64_MAX},
         {7, 7, 7, UINT64_MAX, UINT64_MAX, UINT64_MAX}},
        {"",
         {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX},
         {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct capture capture = capture_new("abcdef", 6);
        uint64_t came_us[6];
        write_pace(&capture, of[i].lines);
        for (size_t room = 1; room <= 6; room++) {
            read_arrivals(&capture, 0, room, came_us, 6);
            cr_assert_arr_eq(came_us, of[i].came_us, sizeof came_us, "pace %zu, reads of %zu", i, room);
        }
        read_arrivals(&capture, 1e9, 1, came_us, 6);
        cr_assert_leq(came_us[0], came_us[5], "pace %zu", i);
        cr_assert_eq(came_us[5], of[i].paced_us[5], "pace %zu", i);
        capture_free(&capture);
    }
}

Test(file, arrival_times_are_unknown_without_a_pace_file)
{
    struct capture capture = capture_new("abcdef", 6);
    uint64_t came_us[6];
    cr_assert_eq(mkfifo(capture.pace_path, 0600), 0);
    read_arrivals(&capture, 0, 6, came_us, 6);
    cr_assert_eq(came_us[0], SOURCE_ARRIVAL_UNKNOWN, "and a pipe beside it holds nobody up");
    capture_free(&capture);
}

/* Lines are found by halves; read one by one they are the same. */
Test(pace, skipping_ends_where_reading_line_by_line_would)
{
    enum { LINES = 5000 };
    static char text[LINES * PACE_LINE_SIZE];
    struct capture capture = capture_new("", 0);
    size_t n = (size_t)sprintf(text, PACE_HEADER);
    uint64_t elapsed_us = 0;
    for (uint64_t i = 0; i < LINES; i++) {
        elapsed_us += i * 2654435761u >> 7 & 0xFFF & (i % 50 ? 0xFF : UINT64_MAX);
        n += pace_format(text + n, elapsed_us, i / 3);
    }
    write_file(capture.pace_path, text, n);
    struct pace skips, walks;
    cr_assert(pace_open(&skips, capture.path, NULL) && pace_open(&walks, capture.path, NULL));
    for (uint64_t until_us = 0; until_us < elapsed_us + 2000; until_us += 977) {
        struct pace before;
        do {
            before = skips;
            pace_skip(&skips, until_us);
        } while (skips.offset != before.offset || skips.elapsed_us != before.elapsed_us);
        long at;
        do
            at = ftell(walks.file);
        while (pace_next(&walks) && walks.elapsed_us <= until_us);
        fseek(walks.file, at, SEEK_SET);
        cr_assert_eq(ftell(skips.file), at, "at %llu", (unsigned long long)until_us);
    }
    pace_close(&skips);
    pace_close(&walks);
    capture_free(&capture);
}
