/* test_dropped.c - bytes dropped by a full line buffer are a loss of known size, also in a recording. */
#include "live.h"

#include "contract/samples.h"
#include "snapshot/moments.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>

static bool has_dropped(const struct snapshot *s)
{
    return s->link.bytes_dropped > 0;
}

static uint64_t sent;

static bool has_all(const struct snapshot *s)
{
    return s->link.bytes + s->link.bytes_dropped == sent;
}

static void expect_told(const struct snapshot *s)
{
    char reasons[LEDGER_REASONS_MAX][LEDGER_SENTENCE];
    size_t n = ledger_reasons(&s->ledger, reasons, LEDGER_REASONS_MAX), found = 0;
    for (size_t i = 0; i < n; i++)
        found += strstr(reasons[i], "found no room in the buffer") != NULL;
    cr_expect_eq(found, 1);
    cr_expect_eq(s->ledger.booked[ACCOUNT_BYTES_DROPPED], s->link.bytes_dropped);
    cr_expect_eq(s->ledger.broken, 0);
}

static unsigned gaps_of(const struct snapshot *s)
{
    return s->moments ? s->moments->gap_count : 0;
}

static void expect_same(const struct snapshot *live, const struct snapshot *replay)
{
    cr_expect_eq(replay->link.bytes_dropped, live->link.bytes_dropped);
    cr_expect_eq(replay->link.bytes, live->link.bytes);
    cr_expect_eq(replay->link.packets, live->link.packets);
    cr_expect_eq(replay->link.records, live->link.records);
    cr_expect_eq(replay->link.crc_errors, live->link.crc_errors);
    cr_expect_eq(replay->link.framing_errors, live->link.framing_errors);
    cr_expect_eq(replay->link.bytes_skipped, live->link.bytes_skipped);
    cr_expect_eq(bench_calls_of(replay, 0x1000), bench_calls_of(live, 0x1000));
    cr_expect_eq(memcmp(replay->ledger.booked, live->ledger.booked, sizeof live->ledger.booked), 0);
    cr_expect_eq(gaps_of(replay), gaps_of(live));
    expect_told(replay);
}

/* The bench's device is not used: this one sends as fast as it can, until bytes are dropped. */
Test(dropped, dropped_bytes_are_counted_and_reported)
{
    enum { RING = 4096, CALLS = 13 };
    struct bench bench;
    struct stream stream = {0};
    struct mp_record records[CALLS];
    char path[64];
    int master, slave;
    bench_init(&bench, false);
    struct folder_path recording = folder_file(&bench.folder, "recording");
    cr_assert_eq(openpty(&master, &slave, path, NULL, NULL), 0);
    bench.settings.source = (struct source_settings){.spec = path, .baud = 115200, .drops = true};
    bench.settings.ring = RING;
    bench.settings.control = false;
    bench.settings.record_path = recording.text;
    bench.settings.timing.gather_ms = 50;
    bench_start(&bench);
    bench_await(&bench, is_connected); /* before that the terminal does not pass all bytes */
    sent = 0;
    for (uint32_t call = 0; !bench.shown || !has_dropped(bench.shown);) {
        stream.n = 0;
        for (unsigned packet = 0; packet < 200; packet++) {
            for (unsigned i = 0; i < CALLS; i++, call++)
                records[i] = (struct mp_record){.address = 0x1000, .start = 100 * call, .duration = 10};
            stream_records(&stream, records, CALLS);
        }
        for (size_t at = 0; at < stream.n;) {
            ssize_t put = write(master, stream.bytes + at, stream.n - at);
            cr_assert_gt(put, 0);
            at += (size_t)put;
        }
        sent += stream.n;
        bench_await(&bench, has_all);
    }
    /* A gap ends at the next bytes; the ring is empty, so these fit. */
    stream.n = 0;
    stream_records(&stream, records, CALLS);
    cr_assert_eq(write(master, stream.bytes, stream.n), (ssize_t)stream.n);
    sent += stream.n;
    bench_await(&bench, has_all);
    session_stop(bench.session);
    struct snapshot *live = session_snapshot(bench.session);
    expect_told(live);
    cr_expect_gt(gaps_of(live), 0);
    for (int paced = 0; paced < 2; paced++) {
        struct snapshot *replay = bench_replay(recording.text, 20 * paced);
        expect_same(live, replay);
        snapshot_unref(replay);
    }
    snapshot_unref(live);
    stream_fini(&stream);
    close(slave);
    close(master);
    bench_fini(&bench);
}
