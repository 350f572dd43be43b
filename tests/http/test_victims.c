/* test_victims.c - which connection is closed when there are too many, or a request is late; connections are socket
 * pairs. */
#include "server/connections.h"

#include "base/clock.h"
#include "handoff/board.h"
#include "support/scarce.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HOUR_S = 3600, STALLED_MS = 1000 };

static struct board *board;
static struct connections *all;

struct guest {
    int ends[2]; /* the server's, the client's */
    struct connection *connection;
};

static void open_for(unsigned crowded, unsigned request_s)
{
    struct error err = {""};
    board = board_new();
    all = connections_new(board, crowded, request_s, &err);
    cr_assert_not_null(all, "%s", err.text);
}

static struct guest enter(void)
{
    struct guest guest;
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, guest.ends), 0);
    guest.connection = connections_add(all, guest.ends[0]);
    return guest;
}

static void leave(struct guest *guest)
{
    connections_remove(guest->connection);
    close(guest->ends[0]);
    close(guest->ends[1]);
}

/* True when it is shut down, now or in the time given. */
static bool has_to_go(const struct guest *guest, int timeout_ms)
{
    struct pollfd client = {.fd = guest->ends[1], .events = POLLIN};
    return poll(&client, 1, timeout_ms) == 1;
}

/* Waits, so that later events have a later time. */
static void pass_time(void)
{
    uint64_t begin_ms = clock_monotonic_ms();
    while (clock_monotonic_ms() == begin_ms)
        ;
}

static void close_all(struct guest *guests, size_t n)
{
    for (size_t i = 0; i < n; i++)
        leave(&guests[i]);
    connections_free(all);
    board_free(board);
}

Test(victims, the_longest_idle_connection_is_closed_first)
{
    open_for(3, HOUR_S);
    struct guest guests[4] = {enter()};
    connection_becomes(guests[0].connection, CONNECTION_TAKES, NULL);
    guests[1] = enter();
    pass_time();
    guests[2] = enter();
    cr_expect_not(has_to_go(&guests[1], 0));
    guests[3] = enter();
    for (size_t i = 0; i < 4; i++)
        cr_expect_eq(has_to_go(&guests[i], 0), i == 1, "%zu", i);
    close_all(guests, 4);
}

Test(victims, a_connection_waiting_for_an_answer_is_not_closed)
{
    open_for(1, HOUR_S);
    struct guest guests[2] = {enter()};
    connection_becomes(guests[0].connection, CONNECTION_WAITS, NULL);
    guests[1] = enter();
    cr_expect_not(has_to_go(&guests[0], 0));
    cr_expect_not(has_to_go(&guests[1], 0));
    close_all(guests, 2);
}

Test(victims, a_stalled_connection_is_closed_if_no_other_is_idle, .timeout = 120)
{
    open_for(1, HOUR_S);
    struct guest stalled = enter();
    uint64_t begin_ms = clock_monotonic_ms();
    connection_becomes(stalled.connection, CONNECTION_TAKES, NULL);
    do {
        struct guest next = enter();
        cr_expect_not(has_to_go(&next, 0));
        leave(&next);
    } while (!has_to_go(&stalled, 50));
    cr_expect_geq(clock_monotonic_ms() - begin_ms, STALLED_MS);
    connection_becomes(stalled.connection, CONNECTION_ASKS,
                       NULL); /* it has been ordered to end, and is leaving */
    leave(&stalled);
    struct guest guests[2] = {enter()};
    cr_expect_not(has_to_go(&guests[0], 0), "who left is counted no more");
    guests[1] = enter();
    cr_expect(has_to_go(&guests[0], 0), "and once only");
    close_all(guests, 2);
}

Test(victims, a_slot_is_freed_by_a_stalled_connection_of_its_kind, .timeout = 120)
{
    atomic_uint one = 0, other = 0;
    open_for(100, HOUR_S);
    struct guest guests[4] = {enter(), enter(), enter(), enter()};
    connection_becomes(guests[0].connection, CONNECTION_TAKES, &other);
    connection_becomes(guests[1].connection, CONNECTION_WAITS, &one);
    pass_time();
    uint64_t begin_ms = clock_monotonic_ms();
    connection_becomes(guests[2].connection, CONNECTION_TAKES, &one);
    do
        connections_make_room(all, &one, 0);
    while (!has_to_go(&guests[2], 50));
    cr_expect_geq(clock_monotonic_ms() - begin_ms, STALLED_MS, "before that it may take what it gets");
    for (size_t i = 0; i < 4; i++)
        cr_expect_eq(has_to_go(&guests[i], 0), i == 2, "%zu", i);
    close_all(guests, 4);
}

/* Both read continuously. */
Test(victims, the_oldest_holder_of_a_slot_is_closed_after_its_turn, .timeout = 120)
{
    enum { TURN_MS = 200 };
    atomic_uint one = 0;
    open_for(100, HOUR_S);
    struct guest guests[2] = {enter(), enter()};
    uint64_t begin_ms = clock_monotonic_ms();
    connection_becomes(guests[0].connection, CONNECTION_TAKES, &one);
    pass_time();
    bool was_early = false;
    do {
        for (size_t i = 0; i < 2; i++)
            connection_becomes(guests[i].connection, CONNECTION_TAKES, &one);
        connections_make_room(all, &one, 0); /* no turn ends */
        connections_make_room(all, &one, TURN_MS);
        was_early |= has_to_go(&guests[0], 0) && clock_monotonic_ms() - begin_ms < TURN_MS;
    } while (!has_to_go(&guests[0], 1));
    cr_expect_not(was_early);
    cr_expect_not(has_to_go(&guests[1], 0), "one at a time, and the first first");
    close_all(guests, 2);
}

Test(victims, a_late_request_ends_only_its_connection, .timeout = 120)
{
    open_for(100, 1);
    struct guest guests[3] = {enter()};
    has_to_go(&guests[0], 50); /* so that the others begin later */
    guests[1] = enter();
    uint64_t begin_ms = clock_monotonic_ms();
    guests[2] = enter();
    connection_becomes(guests[1].connection, CONNECTION_WAITS, NULL);
    cr_expect(has_to_go(&guests[0], 100000));
    cr_expect(has_to_go(&guests[2], 100000));
    cr_expect_geq(clock_monotonic_ms() - begin_ms, 1000, "it did not go with the first");
    cr_expect_not(has_to_go(&guests[1], 0), "its request is there");
    close_all(guests, 3);
}

Test(victims, a_closed_connection_is_noticed)
{
    open_for(100, HOUR_S);
    struct guest guests[2] = {enter(), enter()};
    const atomic_bool *gone[] = {connection_gone(guests[0].connection),
                                 connection_gone(guests[1].connection)};
    cr_assert_eq(shutdown(guests[0].ends[1], SHUT_WR), 0);
    while (!atomic_load(gone[0]))
        snapshot_unref(board_wait(board, 0, 1000, gone[0]));
    cr_expect_not(atomic_load(gone[1]));
    close_all(guests, 2);
}

Test(victims, a_connection_without_memory_for_its_entry_is_served)
{
    open_for(100, HOUR_S);
    scarce_begin(1);
    struct guest guest = enter();
    cr_expect(scarce_end());
    cr_expect_null(guest.connection);
    connection_becomes(guest.connection, CONNECTION_TAKES, NULL);
    cr_expect_null(connection_gone(guest.connection));
    cr_expect_not(has_to_go(&guest, 0));
    close_all(&guest, 1);
}
