/* annex.c - the daemon's side of the processes in which foreign libraries run.
 *
 * Two servers are started at the beginning. One receives the orders. The other sleeps until the first has ended or does
 * not respond. Then it takes over and forks a new spare, since the daemon can no longer create processes. */
#include "annex/annex_private.h"

#include "base/clock.h"
#include "base/wake.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    /* A server that starts no worker in this time counts as hung. If the machine is just busy, the other
     * server may take as long as the job's time limit. */
    SERVER_STARTS_MS = 2000
};

/* Set before the first thread starts, read by all. */
static bool is_there;
static pid_t children[ANNEX_SERVERS]; /* of this process; later spares are children of these */
static struct wake end;               /* rung by annex_give_up() */
static atomic_bool is_ending;

/* Sockets for orders; -1: none. The lock is held only for system calls that do not wait. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int server = -1, spare = -1;
static unsigned generation; /* number of times that `server` was replaced */

static int begin_server(bool confined, pid_t *child, struct error *err)
{
    int ends[2];
    const pid_t daemon = getpid();
    *child = 0;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        error_set_errno(err, errno, "Cannot make a socket for the process that reads ELF files");
        return -1;
    }
    *child = fork();
    if (*child == 0)
        annex_serve(ends[1], daemon, confined);
    close(ends[1]);
    if (*child > 0)
        return ends[0];
    error_set_errno(err, errno, "Cannot start the process that reads ELF files");
    close(ends[0]);
    *child = 0;
    return -1;
}

bool annex_start(bool confined, struct error *err)
{
    if (!wake_init(&end, err))
        return false;
    atomic_store(&is_ending, false);
    is_there = true;
    server = begin_server(confined, &children[0], err);
    spare = server < 0 ? -1 : begin_server(confined, &children[1], err);
    if (spare >= 0)
        return true;
    annex_stop();
    return false;
}

void annex_give_up(void)
{
    if (!is_there)
        return;
    atomic_store(&is_ending, true);
    wake_ring(&end);
}

static void close_orders(int *orders)
{
    if (*orders >= 0)
        close(*orders);
    *orders = -1;
}

/* Waits for a server to end after its socket was closed. One that is stopped (SIGSTOP) is killed. */
static void end_server(pid_t child)
{
    enum { TRIES = 20, MS = 5 };
    for (int i = 0; i < TRIES; i++) {
        if (waitpid(child, NULL, WNOHANG) != 0)
            return;
        poll(NULL, 0, MS);
    }
    if (kill(child, SIGKILL) == 0)
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            ;
}

size_t annex_processes(pid_t out[ANNEX_SERVERS])
{
    size_t n = 0;
    for (int i = 0; is_there && i < ANNEX_SERVERS; i++)
        if (children[i] > 0)
            out[n++] = children[i];
    return n;
}

void annex_stop(void)
{
    if (!is_there)
        return;
    close_orders(&server);
    close_orders(&spare);
    for (int i = 0; i < ANNEX_SERVERS; i++) {
        if (children[i] > 0)
            end_server(children[i]);
        children[i] = 0;
    }
    wake_fini(&end);
    is_there = false;
}

/* The result of moving bytes to or from another process. BROKEN is a local failure, so the process is kept. */
enum { MOVED, LATE, HUNG_UP, GIVEN_UP, BROKEN };

/* Returns the result for a failed call, from errno. */
static int why_not(void)
{
    return errno == EPIPE || errno == ECONNRESET ? HUNG_UP : errno == EAGAIN ? LATE : BROKEN;
}

/* Sends an order with `socket` to the server at the other end of `orders`. HUNG_UP when it has ended, LATE when it has
 * not read earlier orders. */
static int send_order(int orders, const struct annex_order *order, int socket)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct annex_order copy = *order;
    struct iovec what = {&copy, sizeof copy};
    struct msghdr message = {
        .msg_iov = &what, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof socket);
    memcpy(CMSG_DATA(header), &socket, sizeof socket);
    ssize_t sent;
    if (orders < 0)
        return HUNG_UP;
    do
        sent = sendmsg(orders, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? why_not() : MOVED;
}

static bool has_hung_up(int orders)
{
    char nothing;
    ssize_t n = recv(orders, &nothing, 1, MSG_PEEK | MSG_DONTWAIT);
    return n == 0 || (n < 0 && why_not() == HUNG_UP);
}

/* Makes sure that there is a spare server. The caller holds the lock. */
static void ensure_spare(void)
{
    const struct annex_order order = {.job = NULL};
    int ends[2];
    if (spare >= 0 && !has_hung_up(spare))
        return;
    close_orders(&spare);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return;
    if (send_order(server, &order, ends[1]) == MOVED)
        spare = ends[0];
    else
        close(ends[0]);
    close(ends[1]);
}

/* Sends an order. *served_by is for replace_server(), in case no worker starts. */
static int give_order(const struct annex_order *order, int socket, unsigned *served_by)
{
    pthread_mutex_lock(&lock);
    ensure_spare();
    int sent = send_order(server, order, socket);
    *served_by = generation;
    pthread_mutex_unlock(&lock);
    return sent;
}

/* Lets the spare server take over, unless that has already happened. */
static void replace_server(unsigned failed)
{
    pthread_mutex_lock(&lock);
    if (failed == generation) {
        close_orders(&server);
        server = spare;
        spare = -1;
        generation++;
        ensure_spare();
    }
    pthread_mutex_unlock(&lock);
}

/* The outcome of a job. NOT_SERVED: no worker started. */
enum outcome { DONE, FAILED, NOT_SERVED };

/* Sends n bytes to the worker, or receives them, before the deadline. */
static int move_worker_bytes(int socket, bool out, void *bytes, size_t n, uint64_t deadline_ms)
{
    for (size_t done = 0; done < n;) {
        uint64_t now_ms = clock_monotonic_ms();
        struct pollfd ready[] = {{.fd = socket, .events = out ? POLLOUT : POLLIN},
                                 {.fd = end.fd, .events = POLLIN}};
        if (atomic_load(&is_ending))
            return GIVEN_UP;
        if (now_ms >= deadline_ms)
            return LATE;
        if (poll(ready, 2, (int)(deadline_ms - now_ms)) <= 0 || !ready[0].revents)
            continue;
        uint8_t *at = (uint8_t *)bytes + done;
        ssize_t moved = out ? send(socket, at, n - done, MSG_NOSIGNAL | MSG_DONTWAIT)
                            : recv(socket, at, n - done, MSG_DONTWAIT);
        if (moved > 0)
            done += (size_t)moved;
        else if (moved == 0)
            return HUNG_UP;
        else if (errno != EAGAIN && errno != EINTR)
            return why_not();
    }
    return MOVED;
}

/* Sets the error, half a sentence, for a failed move. */
static enum outcome explain_failed_move(int moved, const struct annex_job *job, struct error *err)
{
    if (moved == LATE)
        error_set(err, "%s took longer than %u s", job->title, job->seconds);
    else if (moved == GIVEN_UP)
        error_set(err, "%s was given up: miniprofd is ending", job->title);
    else if (moved == BROKEN)
        error_set(err, "%s failed: the system kept its process and miniprofd apart", job->title);
    else
        error_set(err, "%s failed: the process that did it ended", job->title);
    return FAILED;
}

static enum outcome converse_with_worker(const struct annex_order *order, int socket, uint8_t *request,
                                         bool may_be_late, uint8_t **answer, size_t *answer_n,
                                         struct error *err)
{
    const struct annex_job *job = order->job;
    uint64_t now_ms = clock_monotonic_ms(), length;
    uint64_t deadline_ms = now_ms + job->seconds * UINT64_C(1000);
    char here;
    int moved =
        move_worker_bytes(socket, false, &here, 1, may_be_late ? deadline_ms : now_ms + SERVER_STARTS_MS);
    if (moved == LATE || moved == HUNG_UP)
        return NOT_SERVED;
    deadline_ms = clock_monotonic_ms() + job->seconds * UINT64_C(1000);
    if (moved == MOVED)
        moved = move_worker_bytes(socket, true, request, order->n, deadline_ms);
    if (moved == MOVED)
        moved = move_worker_bytes(socket, false, &length, sizeof length, deadline_ms);
    if (moved != MOVED)
        return explain_failed_move(moved, job, err);
    if (length > order->most) {
        error_set(err, "%s came to more than it can come to", job->title);
        return FAILED;
    }
    *answer = malloc((size_t)length + 1);
    if (!*answer) {
        error_set(err, "%s needs more memory than there is", job->title);
        return FAILED;
    }
    *answer_n = (size_t)length;
    moved = move_worker_bytes(socket, false, *answer, (size_t)length, deadline_ms);
    if (moved == MOVED)
        return DONE;
    free(*answer);
    *answer = NULL;
    return explain_failed_move(moved, job, err);
}

static uint8_t *do_here(const struct annex_order *order, uint8_t *request, size_t *answer_n,
                        struct error *err)
{
    struct sink_buffer buffer;
    sink_buffer_init(&buffer);
    buffer.limit = order->most;
    order->job->run(request, order->n, &buffer.sink);
    *answer_n = buffer.n;
    uint8_t *answer = buffer.sink.failed ? NULL : buffer.n > 0 ? (uint8_t *)buffer.bytes : malloc(1);
    if (!answer || buffer.n == 0)
        sink_buffer_fini(&buffer);
    if (!answer)
        error_set(err, "%s needs more memory than there is, or than it may take", order->job->title);
    return answer;
}

uint8_t *annex_ask(const struct annex_job *job, uint8_t *request, size_t n, size_t most, size_t *answer_n,
                   struct error *err)
{
    const struct annex_order order = {job, n, most < ANNEX_ANSWER_MOST ? most : ANNEX_ANSWER_MOST};
    if (!is_there)
        return do_here(&order, request, answer_n, err);
    for (int served = 1; served <= ANNEX_SERVERS; served++) {
        int ends[2];
        uint8_t *answer = NULL;
        unsigned served_by;
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
            error_set_errno(err, errno, "%s needs a socket, and there is none", job->title);
            return NULL;
        }
        int sent = give_order(&order, ends[1], &served_by);
        close(ends[1]);
        enum outcome outcome = NOT_SERVED;
        if (sent == MOVED)
            outcome = converse_with_worker(&order, ends[0], request, served == ANNEX_SERVERS, &answer,
                                           answer_n, err);
        else if (sent == BROKEN)
            outcome = explain_failed_move(sent, job, err);
        close(ends[0]);
        if (outcome != NOT_SERVED)
            return answer;
        replace_server(served_by);
    }
    error_set(err, "%s failed: the processes that start it ended or do not answer; start miniprofd again",
              job->title);
    return NULL;
}
