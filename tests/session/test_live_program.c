/* test_live_program.c - the firmware changes while a session runs. */
#include "elf_file.h"
#include "live.h"

#include "contract/samples.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>

static const char *name_at(const struct snapshot *snapshot, uint64_t address)
{
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        if (snapshot->functions[i].has_address && snapshot->functions[i].address == address)
            return snapshot->functions[i].name;
    return "";
}

static bool shows_first(const struct snapshot *s)
{
    return !strcmp(name_at(s, 0x1000), "first");
}

static bool shows_second(const struct snapshot *s)
{
    return !strcmp(name_at(s, 0x1000), "second");
}

/* The file changes, then the device: names and figures always belong to the same program. */
Test(live_program, a_new_program_is_named_by_its_own_symbols_from_when_it_runs)
{
    struct bench bench;
    bench_init(&bench, true);
    struct folder_path elf = folder_file(&bench.folder, "fw.elf");
    fake_set_build_id(&bench.fake, program_write(&elf, "first", 1));
    const struct elf_list elfs = elf_list_of(elf.text);
    bench.settings.elfs = &elfs;
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_send_rounds(&bench.fake, 10, 0);
    const struct snapshot *s = bench_await(&bench, shows_first);
    cr_assert(s->target.has_match && s->target.elf_match);

    uint32_t id = program_write(&elf, "second", 2);
    fake_await(&bench.fake, MP_GET_STATUS, fake_heard(&bench.fake, MP_GET_STATUS) + 4);
    fake_send_rounds(&bench.fake, 10, 10000);
    s = bench_await(&bench, has_twenty_rounds);
    cr_assert(shows_first(s), "the device still runs the first");

    fake_set_build_id(&bench.fake, id);
    fake_restart(&bench.fake, true);
    s = bench_await(&bench, has_reset_and_profiles);
    fake_send_rounds(&bench.fake, 10, 0);
    s = bench_await(&bench, shows_second);
    cr_assert(s->target.has_match && s->target.elf_match);
    s = bench_await(&bench, bench_has_ten_rounds);
    cr_assert_gt(s->cleared_at, 1, "what the first did is no part of the second's profile");
    bench_fini(&bench);
}

static bool has_a_thousand_calls(const struct snapshot *s)
{
    return bench_calls_of(s, 0x1000) == 1000;
}

/* The terminal buffers 4 KiB: without a reader, the writer would block for ever. */
Test(live_program, the_line_is_read_before_the_elf_and_named_by_it)
{
    struct bench bench;
    struct error err = {""};
    struct stream stream = {0};
    char path[64];
    int master, slave;
    bench_init(&bench, false);
    cr_assert_eq(openpty(&master, &slave, path, NULL, NULL), 0);
    struct folder_path elf = folder_file(&bench.folder, "fw.elf");
    bench.settings.source.spec = path;
    bench.settings.control = false;
    const struct elf_list elfs = elf_list_of(elf.text);
    bench.settings.elfs = &elfs;
    folder_write(&elf, "none", 4);
    cr_assert_null(session_new(&bench.settings, bench.board, &err));
    program_write(&elf, "first", 1);
    struct session *session = session_new(&bench.settings, bench.board, &err);
    cr_assert_not_null(session, "%s", err.text);
    for (uint32_t call = 0; call < 1000; call++)
        stream_records(&stream, &(struct mp_record){.address = 0x1000, .start = 100 * call, .duration = 10},
                       1);
    cr_assert_gt(stream.n, 16384);
    fcntl(master, F_SETFL, O_NONBLOCK);
    for (size_t at = 0; at < stream.n;) {
        struct pollfd room = {.fd = master, .events = POLLOUT};
        cr_assert_eq(poll(&room, 1, BENCH_PATIENCE_MS), 1, "nobody reads");
        ssize_t put = write(master, stream.bytes + at, stream.n - at);
        at += put > 0 ? (size_t)put : 0;
    }
    cr_assert(session_start(session, &err), "%s", err.text);
    bench.session = session;
    const struct snapshot *s = bench_await(&bench, has_a_thousand_calls);
    cr_assert(shows_first(s));
    cr_assert_eq(s->link.bytes, stream.n);
    stream_fini(&stream);
    close(slave);
    close(master);
    bench_fini(&bench);
}
