/* fuzz_recording.c - replays a recording with its pace file. The first two bytes are the length of the pace file,
 * which follows them; the rest is the recording.
 *
 * Whatever the times are, each byte must be read once and in order, gaps must only grow, and the session that replays
 * the recording must count both. */
#include "fuzz.h"

#include "base/log.h"
#include "session/session.h"
#include "source/pace.h"

#include <poll.h>
#include <unistd.h>

static char folder[] = "/tmp/miniprofd-fuzz-XXXXXX", recording[64], spec[80], times[80];

static void remove_all(void)
{
    unlink(recording);
    unlink(times);
    rmdir(folder);
}

static void write_file(const char *path, const char *head, const uint8_t *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    FUZZ_CHECK(file && fputs(head, file) >= 0 && fwrite(bytes, 1, n, file) == n && fclose(file) == 0);
}

/* Returns the number of missing bytes. */
static uint64_t read_source(const uint8_t *bytes, size_t size)
{
    struct source_settings settings = {.spec = spec};
    struct error err = {""};
    struct source *source = source_new(&settings, &err);
    FUZZ_CHECK(source && source_open(source, &err));
    uint8_t got[4096];
    size_t n, at = 0;
    uint64_t missing = 0, came_us = 0;
    enum source_result result;
    while ((result = source_read(source, got, sizeof got, &n, &err)) == SOURCE_DATA) {
        FUZZ_CHECK(n <= size - at && memcmp(got, bytes + at, n) == 0);
        FUZZ_CHECK(source_arrival_us(source) >= came_us && source_dropped(source) >= missing);
        came_us = source_arrival_us(source);
        missing = source_dropped(source);
        at += n;
    }
    FUZZ_CHECK(result == SOURCE_ENDED && at == size && source_dropped(source) >= missing);
    missing = source_dropped(source);
    source_free(source);
    return missing;
}

static void replay(size_t size, uint64_t missing)
{
    struct session_settings settings = {.source = {.spec = spec}, .dialect = dialect_find("miniprof")};
    struct error err = {""};
    struct session *session = session_new(&settings, NULL, &err);
    FUZZ_CHECK(session && session_start(session, &err));
    struct pollfd ended = {.fd = session_ended_fd(session), .events = POLLIN};
    while (poll(&ended, 1, -1) != 1) /* interrupted by the fuzzer's timer */
        ;
    session_stop(session);
    struct snapshot *last = session_snapshot(session);
    FUZZ_CHECK(last && last->link.bytes == size && last->link.bytes_dropped == missing);
    FUZZ_CHECK(last->ledger.broken == 0);
    snapshot_unref(last);
    session_free(session);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    size_t n = (size_t)(data[0] | data[1] << 8), most = size - 2;
    n = n < most ? n : most;
    if (!*recording) {
        log_set_level(LOG_ERROR);
        FUZZ_CHECK(mkdtemp(folder));
        snprintf(recording, sizeof recording, "%s/recording", folder);
        snprintf(spec, sizeof spec, "file:%s", recording);
        snprintf(times, sizeof times, "%s%s", recording, PACE_SUFFIX);
        atexit(remove_all);
    }
    write_file(times, PACE_HEADER, data + 2, n);
    write_file(recording, "", data + 2 + n, size - 2 - n);
    replay(size - 2 - n, read_source(data + 2 + n, size - 2 - n));
    return 0;
}

void fuzz_begin_with(struct stream *stream)
{
    static const char lines[] =
        "0 24\n1500 70\n1500 70 -40\n2000000 100\n2000100 100 -7\n2500000 160\n3000000 200\n";
    struct mp_record records[3] = {{.address = 0x1000, .start = 20, .duration = 5, .depth = 1},
                                   {.address = 0x2000, .start = 30, .duration = 5, .depth = 1},
                                   {.address = 0x3000, .start = 10, .duration = 50, .depth = 0}};
    stream_byte(stream, sizeof lines - 1);
    stream_byte(stream, 0);
    stream_bytes(stream, lines, sizeof lines - 1);
    stream_metadata(stream, &(struct mp_metadata){48000000, 1000000, 0x1234, "fuzz"});
    for (unsigned i = 0; i < 4; i++) {
        stream_records(stream, records, 3);
        stream_status(stream, &(struct mp_status){.is_profiling = true, .records_captured = 3 * i});
        for (unsigned k = 0; k < 3; k++)
            records[k].start += 100;
    }
}
