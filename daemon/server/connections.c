/* connections.c - keeps the list of connections, and chooses which to close. */
#include "server/connections.h"

#include "base/clock.h"
#include "base/thread.h"
#include "handoff/board.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { STALLED_MS = 1000, EVENTS = 16, STACK_BYTES = 128 << 10 };

struct connection {
    struct connections *all;
    int fd;
    enum connection_state state;
    uint64_t since_ms; /* in this state */
    const atomic_uint *slot;
    uint64_t slot_since_ms;
    atomic_bool gone;
    struct connection *next;
};

struct connections {
    struct board *board;
    unsigned crowded;
    uint64_t request_ms;
    int watch; /* epoll: disconnects of all clients, and the next two */
    int timer; /* runs while a request is incomplete or has not begun */
    int end;
    pthread_t thread;

    pthread_mutex_t lock; /* protects the following members and all their members except `gone` */
    struct connection *first;
    unsigned n; /* without those that are leaving */
    bool timed;
};

static void shut_down(struct connection *connection)
{
    connection->state = CONNECTION_LEAVING;
    connection->all->n--;
    shutdown(connection->fd, SHUT_RDWR);
}

/* Returns the connection that is longest in `state`, at least `least_ms`, with that slot (NULL: any). */
static struct connection *longest_in_state(struct connections *all, enum connection_state state,
                                           uint64_t least_ms, const atomic_uint *slot)
{
    uint64_t now_ms = clock_monotonic_ms();
    struct connection *found = NULL, *one;
    for (one = all->first; one; one = one->next)
        if (one->state == state && now_ms - one->since_ms >= least_ms && (!slot || one->slot == slot) &&
            (!found || one->since_ms < found->since_ms))
            found = one;
    return found;
}

/* Sets the timer for the oldest incomplete request. Setting it also clears an earlier expiry. */
static void set_timer(struct connections *all)
{
    const struct connection *first = longest_in_state(all, CONNECTION_ASKS, 0, NULL);
    struct itimerspec at = {0};
    if (first) {
        uint64_t due_ms = first->since_ms + all->request_ms;
        at.it_value.tv_sec = (time_t)(due_ms / 1000);
        at.it_value.tv_nsec = (long)(due_ms % 1000) * 1000000 + 1; /* not 0, which would stop the timer */
    }
    timerfd_settime(all->timer, TFD_TIMER_ABSTIME, &at, NULL);
    all->timed = first != NULL;
}

static void end_late_requests(struct connections *all)
{
    uint64_t now_ms = clock_monotonic_ms();
    struct connection *one;
    pthread_mutex_lock(&all->lock);
    for (one = all->first; one; one = one->next)
        if (one->state == CONNECTION_ASKS && one->since_ms + all->request_ms <= now_ms)
            shut_down(one);
    set_timer(all);
    pthread_mutex_unlock(&all->lock);
}

/* Marks a connection as gone, if it is still listed: it may have been removed since the event. */
static void note_gone(struct connections *all, const struct connection *wanted)
{
    struct connection *one;
    pthread_mutex_lock(&all->lock);
    for (one = all->first; one; one = one->next)
        if (one == wanted)
            atomic_store(&one->gone, true);
    pthread_mutex_unlock(&all->lock);
    board_nudge(all->board);
}

static void *watch_over(void *user)
{
    struct connections *all = user;
    struct epoll_event events[EVENTS];
    for (;;) {
        /* -1 after the process was stopped and continued */
        int n = epoll_wait(all->watch, events, EVENTS, -1);
        for (int i = 0; i < n; i++) {
            if (events[i].data.ptr == &all->end)
                return NULL;
            if (events[i].data.ptr == &all->timer)
                end_late_requests(all);
            else
                note_gone(all, events[i].data.ptr);
        }
    }
}

static bool listen_to(struct connections *all, int *fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = fd};
    return *fd >= 0 && epoll_ctl(all->watch, EPOLL_CTL_ADD, *fd, &event) == 0;
}

static bool start_thread(struct connections *all)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes); /* never fails on Linux */
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int error = thread_start(&all->thread, &attributes, watch_over, all);
    pthread_attr_destroy(&attributes);
    return error == 0;
}

static void free_all(struct connections *all)
{
    int fds[] = {all->watch, all->timer, all->end};
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    pthread_mutex_destroy(&all->lock);
    free(all);
}

struct connections *connections_new(struct board *board, unsigned crowded, unsigned request_s,
                                    struct error *err)
{
    struct connections *all = calloc(1, sizeof *all);
    if (!all) {
        error_set(err, "Out of memory while preparing the web server.");
        return NULL;
    }
    all->board = board;
    all->crowded = crowded;
    all->request_ms = request_s * UINT64_C(1000);
    pthread_mutex_init(&all->lock, NULL);
    all->watch = epoll_create1(EPOLL_CLOEXEC);
    all->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    all->end = eventfd(0, EFD_CLOEXEC);
    if (all->watch < 0 || !listen_to(all, &all->timer) || !listen_to(all, &all->end) || !start_thread(all)) {
        error_set(err, "The web server cannot start: check the limits on threads and open files.");
        free_all(all);
        return NULL;
    }
    return all;
}

void connections_free(struct connections *all)
{
    static const uint64_t one = 1;
    if (write(all->end, &one, sizeof one) != sizeof one)
        abort(); /* cannot fail: the eventfd counter is 0 */
    pthread_join(all->thread, NULL);
    free_all(all);
}

struct connection *connections_add(struct connections *all, int fd)
{
    struct connection *connection = calloc(1, sizeof *connection);
    if (!connection)
        return NULL;
    *connection =
        (struct connection){.all = all, .fd = fd, .state = CONNECTION_ASKS, .since_ms = clock_monotonic_ms()};
    pthread_mutex_lock(&all->lock);
    if (all->n >= all->crowded) {
        struct connection *victim = longest_in_state(all, CONNECTION_ASKS, 0, NULL);
        if (!victim)
            victim = longest_in_state(all, CONNECTION_TAKES, STALLED_MS, NULL);
        if (victim)
            shut_down(victim);
    }
    connection->next = all->first;
    all->first = connection;
    all->n++;
    if (!all->timed)
        set_timer(all);
    pthread_mutex_unlock(&all->lock);
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data.ptr = connection};
    (void)epoll_ctl(all->watch, EPOLL_CTL_ADD, fd,
                    &event); /* if this fails, the disconnect is only noticed when sending */
    return connection;
}

void connections_remove(struct connection *connection)
{
    if (!connection)
        return;
    struct connections *all = connection->all;
    (void)epoll_ctl(all->watch, EPOLL_CTL_DEL, connection->fd, NULL);
    pthread_mutex_lock(&all->lock);
    struct connection **at = &all->first;
    while (*at != connection)
        at = &(*at)->next;
    *at = connection->next;
    all->n -= connection->state != CONNECTION_LEAVING;
    pthread_mutex_unlock(&all->lock);
    free(connection);
}

void connection_becomes(struct connection *connection, enum connection_state state, const atomic_uint *slot)
{
    if (!connection)
        return;
    struct connections *all = connection->all;
    pthread_mutex_lock(&all->lock);
    if (connection->state != CONNECTION_LEAVING) {
        connection->state = state;
        connection->since_ms = clock_monotonic_ms();
        if (slot != connection->slot)
            connection->slot_since_ms = connection->since_ms;
        connection->slot = slot;
        if (state == CONNECTION_ASKS && !all->timed)
            set_timer(all);
    }
    pthread_mutex_unlock(&all->lock);
}

const atomic_bool *connection_gone(const struct connection *connection)
{
    return connection ? &connection->gone : NULL;
}

/* Returns the connection that has had such a slot for longest, at least `least_ms`. */
static struct connection *longest_turn(struct connections *all, const atomic_uint *slot, uint64_t least_ms)
{
    uint64_t now_ms = clock_monotonic_ms();
    struct connection *found = NULL, *one;
    for (one = all->first; one; one = one->next)
        if (one->state == CONNECTION_TAKES && one->slot == slot && now_ms - one->slot_since_ms >= least_ms &&
            (!found || one->slot_since_ms < found->slot_since_ms))
            found = one;
    return found;
}

void connections_make_room(struct connections *all, const atomic_uint *slot, uint64_t turn_ms)
{
    pthread_mutex_lock(&all->lock);
    struct connection *victim = longest_in_state(all, CONNECTION_TAKES, STALLED_MS, slot);
    if (!victim && turn_ms)
        victim = longest_turn(all, slot, turn_ms);
    if (victim)
        shut_down(victim);
    pthread_mutex_unlock(&all->lock);
}
