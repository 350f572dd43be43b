/* test_board.c - the board passes snapshots from one thread to many. */
#include "handoff/board.h"

#include "base/clock.h"
#include "profile/profile.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>

static struct snapshot *freeze(struct profile *profile)
{
    static const struct snapshot_source source;
    static const struct snapshot_target target;
    static const struct snapshot_link link;
    struct snapshot *snapshot = profile_freeze(profile, &source, &target, &link);
    cr_assert_not_null(snapshot);
    return snapshot;
}

Test(board, the_newest_stays_until_the_next)
{
    struct board *board = board_new();
    struct profile *profile = profile_new(NULL);
    cr_expect_null(board_read(board), "nothing yet");
    board_post(board, freeze(profile));
    struct snapshot *first = board_read(board);
    cr_expect_eq(first->sequence, 1);
    board_post(board, freeze(profile));
    struct snapshot *second = board_read(board);
    cr_expect_eq(second->sequence, 2);
    cr_expect_eq(first->node_count, 1, "the holder of the first one keeps it alive");
    snapshot_unref(first);
    snapshot_unref(second);
    profile_free(profile);
    board_free(board);
}

Test(board, waiting_ends_by_news_timeout_or_close)
{
    struct board *board = board_new();
    struct profile *profile = profile_new(NULL);
    uint64_t before_ms = clock_monotonic_ms();
    cr_expect_null(board_wait(board, 0, 30, NULL));
    cr_expect(clock_monotonic_ms() - before_ms >= 30, "it waits as long as it is asked to");
    board_post(board, freeze(profile));
    struct snapshot *snapshot = board_wait(board, 0, 10000, NULL);
    cr_assert_not_null(snapshot, "what is new already is returned at once");
    snapshot_unref(snapshot);
    cr_expect_null(board_wait(board, 1, 0, NULL), "what was seen is no news");
    board_close(board);
    cr_expect(board_closed(board));
    cr_expect_null(board_wait(board, 0, 10000, NULL));
    snapshot = board_read(board);
    cr_expect_not_null(snapshot, "reading still works");
    snapshot_unref(snapshot);
    profile_free(profile);
    board_free(board);
}

enum { READERS = 8, POSTS = 2000 };

struct reader {
    struct board *board;
    pthread_t thread;
    uint64_t last;
    bool backwards;
    atomic_bool leave;
};

static void *read_all(void *user)
{
    struct reader *reader = user;
    struct snapshot *snapshot;
    while ((snapshot = board_wait(reader->board, reader->last, 60000, NULL))) {
        reader->backwards |= snapshot->sequence <= reader->last;
        reader->last = snapshot->sequence;
        bool done = reader->last == POSTS;
        snapshot_unref(snapshot);
        if (done)
            return NULL;
    }
    return NULL;
}

static void *wait_for_nothing(void *user)
{
    struct reader *reader = user;
    snapshot_unref(board_wait(reader->board, POSTS, 600000, NULL));
    return NULL;
}

static void *wait_until_left(void *user)
{
    struct reader *reader = user;
    cr_expect_null(board_wait(reader->board, 0, 600000, &reader->leave));
    return NULL;
}

Test(board, a_nudged_reader_can_stop_waiting)
{
    struct board *board = board_new();
    struct reader leaving = {.board = board};
    atomic_bool stays = false;
    cr_assert_eq(pthread_create(&leaving.thread, NULL, wait_until_left, &leaving), 0);
    atomic_store(&leaving.leave, true);
    board_nudge(board);
    pthread_join(leaving.thread, NULL);
    board_nudge(board);
    cr_expect_null(board_wait(board, 0, 30, &stays), "a nudge alone ends nothing");
    board_free(board);
}

Test(board, many_readers_never_see_an_older_post, .timeout = 300)
{
    struct board *board = board_new();
    struct profile *profile = profile_new(NULL);
    struct reader readers[READERS];
    for (int i = 0; i < READERS; i++) {
        readers[i] = (struct reader){.board = board};
        cr_assert_eq(pthread_create(&readers[i].thread, NULL, read_all, &readers[i]), 0);
    }
    for (int i = 0; i < POSTS; i++)
        board_post(board, freeze(profile));
    for (int i = 0; i < READERS; i++) {
        pthread_join(readers[i].thread, NULL);
        cr_expect_eq(readers[i].last, POSTS);
        cr_expect_not(readers[i].backwards);
        cr_assert_eq(pthread_create(&readers[i].thread, NULL, wait_for_nothing, &readers[i]), 0);
    }
    uint64_t before_ms = clock_monotonic_ms();
    board_close(board);
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i].thread, NULL);
    cr_expect(clock_monotonic_ms() - before_ms < 100000, "closing wakes all that wait");
    profile_free(profile);
    board_free(board);
}
