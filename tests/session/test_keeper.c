/* test_keeper.c - the backlog, and recordings of the time around broken limits: what is kept and what is dropped. */
#include "live.h"
#include "recording/keeper.h"
#include "support/random.h"
#include "support/scarce.h"

#include <errno.h>
#include <sys/stat.h>

/* ---- the newest bytes ---- */

struct told {
    uint8_t bytes[100000];
    size_t n;
    uint64_t first_us, last_us;
};

static bool tell(void *user, uint64_t at_us, uint64_t missing, const uint8_t *bytes, size_t n)
{
    struct told *told = user;
    cr_assert(told->n == 0 || at_us >= told->last_us);
    if (told->n == 0)
        told->first_us = at_us;
    told->last_us = at_us;
    memcpy(told->bytes + told->n, bytes, n);
    told->n += n;
    return true;
}

Test(backlog, has_the_newest_bytes_whatever_they_came_in)
{
    struct test_random random = test_random_start("backlog");
    static uint8_t all[100000];
    static struct told told;
    for (int round = 0; round < 60; round++) {
        struct backlog backlog;
        size_t room = 1 + test_random_below(&random, 3000), n = 0;
        uint64_t now_us = 5000000;
        cr_assert(backlog_init(&backlog, room, 1 + test_random_below(&random, 40)));
        while (n < 20000) {
            size_t some = test_random_below(&random, 4000);
            for (size_t i = n; i < n + some; i++)
                all[i] = (uint8_t)test_random_below(&random, 256);
            backlog_add(&backlog, now_us += test_random_below(&random, 3000), all + n, some);
            n += some;
            told.n = 0;
            backlog_tell(&backlog, 0, tell, &told);
            cr_assert_leq(told.n, room);
            cr_assert_eq(memcmp(told.bytes, all + n - told.n, told.n), 0);
            told.n = 0;
            uint64_t since_us = now_us - test_random_below(&random, 20000);
            backlog_tell(&backlog, since_us, tell, &told);
            cr_assert(told.n == 0 || told.first_us >= since_us);
            cr_assert_eq(memcmp(told.bytes, all + n - told.n, told.n), 0);
        }
        backlog_fini(&backlog);
    }
}

/* With gaps between them, small reads may need more room for times than there is. */
Test(backlog, drops_the_oldest_reads_when_there_is_no_room_for_their_times)
{
    enum { ROOM = 100, MOST_MS = 5, READS = MOST_MS + 2 };
    static struct told told;
    struct backlog backlog;
    cr_assert(backlog_init(&backlog, ROOM, MOST_MS));
    for (uint8_t byte = 0; byte < 3 * READS; byte++) {
        backlog_skip(&backlog, 1);
        backlog_add(&backlog, 1000 + byte, &byte, 1);
        backlog_add(&backlog, 1000 + byte, &byte, 0);
    }
    cr_assert(backlog_tell(&backlog, 0, tell, &told));
    cr_assert_eq(told.n, READS);
    for (uint8_t i = 0; i < READS; i++)
        cr_expect_eq(told.bytes[i], 2 * READS + i);
    backlog_fini(&backlog);
}

/* Accepts the number of pieces in `user`. */
static bool take_some(void *user, uint64_t at_us, uint64_t missing, const uint8_t *bytes, size_t n)
{
    unsigned *left = user;
    return (*left)-- > 0;
}

/* The second read wraps around the end of the ring, and is passed on in two pieces. */
Test(backlog, stops_where_no_more_is_taken)
{
    enum { ROOM = 10, PIECES = 3 };
    static const uint8_t bytes[8] = "abcdefg";
    struct backlog backlog;
    cr_assert(backlog_init(&backlog, ROOM, 100));
    backlog_add(&backlog, 1000, bytes, sizeof bytes);
    backlog_add(&backlog, 5000, bytes, 3);
    backlog_add(&backlog, 9000, bytes, 4);
    for (unsigned most = 0; most <= PIECES; most++) {
        unsigned left = most;
        cr_expect_eq(backlog_tell(&backlog, 0, take_some, &left), most == PIECES + 1, "%u", most);
    }
    unsigned left = PIECES + 1;
    cr_expect(backlog_tell(&backlog, 0, take_some, &left));
    cr_expect_eq(left, 0);
    backlog_fini(&backlog);
}

/* ---- keeping ---- */

enum { SECOND_US = 1000000, FILES = 4, A_FILE = 4096, STEP_MS = 5 };

static struct keeper_terms terms_in(const struct folder *folder)
{
    return (struct keeper_terms){
        .dir = folder->path, .around_ms = 2000, .files = FILES, .most = FILES * A_FILE, .flush_ms = 1000};
}

static size_t files_in(const struct folder *folder)
{
    DIR *dir = opendir(folder->path);
    size_t n = 0;
    for (struct dirent *file; (file = readdir(dir));)
        n += file->d_name[0] != '.';
    closedir(dir);
    return n;
}

static struct snapshot_breach breach_of(double excess)
{
    return (struct snapshot_breach){.bound = 1, .wall_ns = 1795176045123456789, .excess = excess};
}

static size_t read_file(const struct keeper *keeper, uint32_t row, char *out, size_t size)
{
    char path[PATH_MAX + 80];
    snprintf(path, sizeof path, "%s/%s", keeper->dir, keeper->shown.rows[row].name);
    FILE *file = fopen(path, "rbe");
    cr_assert_not_null(file, "%s", path);
    size_t n = fread(out, 1, size, file);
    fclose(file);
    return n;
}

Test(keeper, the_seconds_before_and_after_a_breach_are_recorded)
{
    struct folder folder = folder_new();
    struct keeper keeper;
    struct error err;
    const struct keeper_terms terms = terms_in(&folder);
    struct snapshot_breach breach = breach_of(2);
    cr_assert(keeper_init(&keeper, &terms, &err));
    uint64_t now_us = 100 * SECOND_US;
    for (char letter = 'a'; letter <= 'z'; letter++, now_us += SECOND_US / 2) {
        cr_expect_eq(keeper_take(&keeper, now_us, (const uint8_t *)&letter, 1), letter == 'o');
        if (letter == 'k' || letter == 'm')
            cr_expect_eq(keeper_hear(&keeper, now_us, &breach, (const uint8_t *)"HEAD", 4), letter == 'k');
    }
    char bytes[100] = "";
    cr_assert_eq(keeper.shown.count, 1);
    read_file(&keeper, 0, bytes, sizeof bytes);
    cr_expect_str_eq(bytes, "HEADghijklmn");
    cr_expect_eq(keeper.shown.rows[0].bytes, 12);
    cr_expect_str_eq(keeper.shown.rows[0].name, "breach-20261120-120045.bin");
    keeper_fini(&keeper);
    cr_expect_eq(files_in(&folder), 2, "the bytes and their times");
    folder_free(&folder);
}

/* The backlog's oldest byte is c. */
Test(keeper, gaps_of_the_line_are_kept_but_for_those_before_its_begin)
{
    struct folder folder = folder_new();
    struct keeper keeper;
    struct error err;
    const struct keeper_terms terms = terms_in(&folder);
    struct snapshot_breach breach = breach_of(2);
    cr_assert(keeper_init(&keeper, &terms, &err));
    uint64_t now_us = 100 * SECOND_US;
    for (char letter = 'a'; letter <= 'i'; letter++, now_us += SECOND_US / 2) {
        if (letter != 'b' && letter != 'h')
            keeper_skip(&keeper, (uint64_t)letter);
        keeper_take(&keeper, now_us, (const uint8_t *)&letter, 1);
        if (letter == 'g')
            keeper_hear(&keeper, now_us, &breach, (const uint8_t *)"HEAD", 4);
    }
    keeper_skip(&keeper, 1);
    keeper_finish(&keeper);
    snprintf(keeper.shown.rows[0].name + strlen(keeper.shown.rows[0].name),
             sizeof keeper.shown.rows[0].name - strlen(keeper.shown.rows[0].name), ".pace");
    char times[400] = "";
    read_file(&keeper, 0, times, sizeof times - 1);
    cr_expect_str_eq(times, "miniprofd-pace 1\n0 5\n"
                            "500000 5 -100\n500000 6\n1000000 6 -101\n1000000 7\n"
                            "1500000 7 -102\n1500000 8\n2000000 8 -103\n2000000 9\n2500000 10\n"
                            "3000000 10 -105\n3000000 11\n3000000 11 -1\n");
    keeper_fini(&keeper);
    folder_free(&folder);
}

Test(keeper, ends_in_time_also_when_nothing_comes)
{
    struct folder folder = folder_new();
    struct keeper keeper;
    struct error err;
    const struct keeper_terms terms = terms_in(&folder);
    struct snapshot_breach breach = breach_of(2);
    cr_assert(keeper_init(&keeper, &terms, &err));
    cr_expect_eq(keeper_deadline_ms(&keeper), UINT64_MAX);
    keeper_take(&keeper, 5 * SECOND_US, (const uint8_t *)"x", 1);
    keeper_hear(&keeper, 5 * SECOND_US, &breach, NULL, 0);
    cr_expect(keeper.shown.rows[0].is_open);
    while (keeper.shown.rows[0].is_open) {
        uint64_t due_ms = keeper_deadline_ms(&keeper);
        cr_assert_leq(due_ms, 7001);
        keeper_rest(&keeper, due_ms);
    }
    keeper_fini(&keeper);
    folder_free(&folder);
}

static void break_at(struct keeper *keeper, uint64_t ms, const struct snapshot_breach *breach)
{
    static const uint8_t bytes[40];
    keeper_take(keeper, (1000 + ms) * 1000, bytes, sizeof bytes);
    keeper_hear(keeper, (1000 + ms) * 1000, breach, NULL, 0);
}

/* A breach every STEP_MS: storage is limited, the newest and the worst recordings stay. */
Test(keeper, the_newest_and_worst_recordings_are_kept)
{
    struct folder folder = folder_new();
    struct keeper keeper;
    struct error err;
    const struct keeper_terms terms = terms_in(&folder);
    cr_assert(keeper_init(&keeper, &terms, &err));
    for (uint64_t ms = 0; ms < 120000; ms += STEP_MS) {
        struct snapshot_breach breach = breach_of(ms == 30000 || ms == 60000 ? 50 : 2);
        break_at(&keeper, ms, &breach);
        cr_assert_leq(keeper.shown.count, FILES + 1);
    }
    keeper_finish(&keeper);
    cr_expect_eq(keeper.shown.count, FILES);
    cr_expect_eq(keeper.shown.made, keeper.shown.count + keeper.shown.dropped);
    cr_expect_gt(keeper.shown.dropped, 50);
    cr_expect_eq(files_in(&folder), 2 * FILES);
    uint32_t worst = 0;
    for (uint32_t i = 0; i < keeper.shown.count; i++) {
        worst += keeper.misses[i].rows[0].excess == 50;
        cr_expect_leq(keeper.shown.rows[i].bytes, A_FILE);
    }
    cr_expect_eq(worst, 2);
    keeper_fini(&keeper);
    folder_free(&folder);
}

/* Limit 2 is missed rarely and by little, while limit 1 is always missed by much. */
Test(keeper, a_limit_always_broken_does_not_displace_other_recordings)
{
    enum { RARE = 2 };
    struct folder folder = folder_new();
    struct keeper keeper;
    struct error err;
    const struct keeper_terms terms = terms_in(&folder);
    cr_assert(keeper_init(&keeper, &terms, &err));
    for (uint64_t ms = 0; ms < 120000; ms += STEP_MS) {
        struct snapshot_breach breach = breach_of(500 + (double)ms / 1000);
        break_at(&keeper, ms, &breach);
        if (ms % 10000 != 5000)
            continue;
        breach.bound = RARE;
        breach.excess = ms == 25000 ? 0.5 : 0.1;
        keeper_hear(&keeper, (1000 + ms) * 1000, &breach, NULL, 0);
    }
    keeper_finish(&keeper);
    cr_expect_eq(keeper.shown.count, FILES);
    double rare = 0;
    for (uint32_t i = 0; i < keeper.shown.count; i++)
        for (uint32_t k = 0; k < keeper.misses[i].count; k++)
            if (keeper.misses[i].rows[k].limit == RARE && keeper.misses[i].rows[k].excess > rare)
                rare = keeper.misses[i].rows[k].excess;
    cr_expect_float_eq(rare, 0.5, 1e-9, "its worst was deleted, %f is left", rare);
    keeper_fini(&keeper);
    folder_free(&folder);
}

Test(keeper, a_failure_is_reported_once_and_retried)
{
    struct folder folder = folder_new();
    struct keeper keeper;
    struct error err = {""};
    struct keeper_terms terms = terms_in(&folder);
    struct snapshot_breach breach = breach_of(2);
    cr_assert(keeper_init(&keeper, &terms, &err));
    folder_free(&folder);
    keeper_take(&keeper, 5 * SECOND_US, (const uint8_t *)"x", 1);
    cr_expect(keeper_hear(&keeper, 5 * SECOND_US, &breach, NULL, 0));
    cr_expect(*keeper.shown.failure && keeper.shown.count == 0);
    cr_expect_not(keeper_hear(&keeper, 6 * SECOND_US, &breach, NULL, 0), "not again at once");
    cr_assert_eq(mkdir(folder.path, 0700), 0);
    cr_expect(keeper_hear(&keeper, 8 * SECOND_US, &breach, NULL, 0));
    cr_expect(!*keeper.shown.failure && keeper.shown.count == 1);
    keeper_fini(&keeper);
    folder_free(&folder);
    cr_expect_not(keeper_init(&keeper, &terms, &err));
    cr_expect(strstr(err.text, "is no folder"), "%s", err.text);
}

/* The disk fills up during the recording of a breach: the file ends there, and its size is reported. */
Test(keeper, a_full_disk_ends_the_file_with_an_error)
{
    struct folder folder = folder_new();
    struct keeper keeper;
    struct error err;
    struct keeper_terms terms = terms_in(&folder);
    struct snapshot_breach breach = breach_of(2);
    terms.most = FILES * (1 << 20); /* more than is buffered */
    cr_assert(keeper_init(&keeper, &terms, &err));
    keeper_take(&keeper, 5 * SECOND_US, (const uint8_t *)"x", 1);
    cr_assert(keeper_hear(&keeper, 5 * SECOND_US, &breach, NULL, 0));
    scarce_fail("write", 1, ENOSPC);
    cr_assert(keeper_rest(&keeper, keeper_deadline_ms(&keeper)), "it is over");
    cr_expect(strstr(keeper.shown.failure, "No space left"), "%s", keeper.shown.failure);
    cr_expect_not(keeper.shown.rows[0].is_open);
    cr_expect_not(keeper_take(&keeper, 6 * SECOND_US, (const uint8_t *)"y", 1));

    cr_assert(keeper_hear(&keeper, 60 * SECOND_US, &breach, NULL, 0), "tried again later");
    cr_expect_str_eq(keeper.shown.failure, "");
    static const uint8_t much[A_FILE];
    scarce_fail("write", 1, ENOSPC);
    bool is_over = false;
    for (int i = 0; i < 200 && !is_over; i++)
        is_over = keeper_take(&keeper, 60 * SECOND_US, much, sizeof much);
    cr_expect(is_over && !keeper.shown.rows[1].is_open);
    cr_expect(strstr(keeper.shown.failure, "No space left"), "%s", keeper.shown.failure);
    keeper_fini(&keeper);
    folder_free(&folder);
}

Test(keeper, without_memory_it_does_not_begin)
{
    struct folder folder = folder_new();
    struct keeper keeper;
    const struct keeper_terms terms = terms_in(&folder);
    for (unsigned nth = 1; nth <= 2; nth++) {
        struct error err = {""};
        scarce_begin(nth);
        cr_assert_not(keeper_init(&keeper, &terms, &err));
        cr_assert(scarce_end());
        cr_expect(strstr(err.text, "Out of memory"), "%s", err.text);
    }
    folder_free(&folder);
}

/* ---- in a session ---- */

static bool has_kept_one(const struct snapshot *s)
{
    return s->source.keeping.count == 1 && !s->source.keeping.rows[0].is_open;
}

/* The recording replays with the breach. */
Test(keeper, a_kept_recording_replays_with_the_breach)
{
    struct bench bench;
    struct bound bound;
    struct error err;
    cr_assert(bound_parse("0x00001000:period<150us", &bound, &err));
    bench_init(&bench, true);
    struct folder kept = folder_new();
    bench.settings.keep_dir = kept.path;
    bench.settings.keep_ms = 300;
    bench.settings.limits = &bound;
    bench.settings.limits_n = 1;
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_send_rounds(&bench.fake, 10, 0); /* one each 100 us */
    bench_await(&bench, bench_has_ten_rounds);
    cr_expect_eq(bench.shown->bounds.told, 0);
    fake_send_rounds(&bench.fake, 10, 5000);
    const struct snapshot *shown = bench_await(&bench, has_kept_one);
    cr_expect_eq(shown->bounds.told, 1);
    uint64_t ticks = shown->bounds.breaches[0].ticks - shown->bounds.breaches[0].from_ticks;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", kept.path, shown->source.keeping.rows[0].name);
    struct snapshot *replay = bench_replay_held_to(path, &bound);
    cr_expect_eq(replay->bounds.told, 1);
    cr_expect_eq(replay->bounds.breaches[0].ticks - replay->bounds.breaches[0].from_ticks, ticks);
    cr_expect_eq(bench_calls_of(replay, 0x1000), 20);
    snapshot_unref(replay);
    bench_fini(&bench);
    folder_free(&kept);
}
