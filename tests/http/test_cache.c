/* test_cache.c - a text is written once, and shared. */
#include "fixture.h"
#include "api/cache.h"

#include "export/export.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>

static struct fixture fixture;

static void begin(void)
{
    fixture_init(&fixture);
}

static void end(void)
{
    fixture_fini(&fixture);
}

TestSuite(cache, .init = begin, .fini = end, .timeout = 300);

static struct snapshot *next_snapshot(void)
{
    fixture_publish(&fixture);
    return board_read(fixture.board);
}

Test(cache, the_same_question_gets_the_same_text)
{
    struct cache *cache = cache_new();
    struct snapshot *snapshot = next_snapshot();
    struct cached *whole = cache_snapshot(cache, snapshot), *again = cache_snapshot(cache, snapshot);
    struct cached *delta = cache_delta(cache, snapshot, 1), *other = cache_delta(cache, snapshot, 2);
    cr_expect_eq(whole, again);
    cr_expect_neq(delta, whole);
    cr_expect_neq(delta, other, "another `since` is another text");

    struct sink_buffer made;
    sink_buffer_init(&made);
    export_delta(snapshot, 1, &made.sink);
    cr_assert_eq(delta->n, made.n);
    cr_expect_arr_eq(delta->bytes, made.bytes, made.n);

    sink_buffer_clear(&made);
    exporter_find("json")->write(snapshot, &made.sink);
    cr_assert_eq(whole->n, made.n - 1, "all of the file but the line break at its end");
    cr_expect_arr_eq(whole->bytes, made.bytes, whole->n);
    cr_expect_eq(made.bytes[made.n - 1], '\n');
    cr_expect_null(memchr(whole->bytes, '\n', whole->n), "a line break would end an event's line");
    sink_buffer_fini(&made);

    struct snapshot *newer = next_snapshot();
    struct cached *fresh = cache_snapshot(cache, newer);
    cr_expect_neq(fresh, whole, "a newer snapshot is another text");
    cached_unref(again);
    cache_free(cache);
    cr_expect_eq(whole->bytes[0], '{', "a text outlives the cache");
    cached_unref(whole);
    cached_unref(delta);
    cached_unref(other);
    cached_unref(fresh);
    snapshot_unref(snapshot);
    snapshot_unref(newer);
}

Test(cache, more_questions_than_it_has_room_for_are_answered_all_the_same)
{
    struct cache *cache = cache_new();
    for (int i = 0; i < 30; i++)
        fixture_publish(&fixture);
    struct snapshot *snapshot = next_snapshot();
    struct cached *texts[30];
    for (uint64_t since = 1; since <= 30; since++) {
        char begins[32];
        snprintf(begins, sizeof begins, "{\"since\":%llu,", (unsigned long long)since);
        texts[since - 1] = cache_delta(cache, snapshot, since);
        cr_expect(memcmp(texts[since - 1]->bytes, begins, strlen(begins)) == 0, "%s", begins);
    }
    for (int i = 0; i < 30; i++)
        cached_unref(texts[i]);
    snapshot_unref(snapshot);
    cache_free(cache);
}

enum { THREADS = 8 };

struct asker {
    struct cache *cache;
    struct snapshot *snapshot;
    pthread_barrier_t *barrier;
    struct cached *text;
    pthread_t thread;
};

static void *ask(void *user)
{
    struct asker *asker = user;
    pthread_barrier_wait(asker->barrier);
    asker->text = cache_snapshot(asker->cache, asker->snapshot);
    return NULL;
}

Test(cache, threads_that_ask_together_share_one_text)
{
    struct test_random random = test_random_start("cache");
    struct cache *cache = cache_new();
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int round = 0; round < 20; round++) {
        struct asker askers[THREADS];
        fixture_feed(&fixture, &random, 100);
        struct snapshot *snapshot = board_read(fixture.board);
        for (int i = 0; i < THREADS; i++) {
            askers[i] = (struct asker){.cache = cache, .snapshot = snapshot, .barrier = &barrier};
            cr_assert_eq(pthread_create(&askers[i].thread, NULL, ask, &askers[i]), 0);
        }
        for (int i = 0; i < THREADS; i++)
            pthread_join(askers[i].thread, NULL);
        for (int i = 0; i < THREADS; i++) {
            cr_expect_eq(askers[i].text, askers[0].text);
            if (i)
                cached_unref(askers[i].text);
        }
        cached_unref(askers[0].text);
        snapshot_unref(snapshot);
    }
    pthread_barrier_destroy(&barrier);
    cache_free(cache);
}
