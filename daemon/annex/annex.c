/* annex.c - the daemon's side of the process in which foreign libraries work. */
#include "annex/process.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Set before the first thread, and read by all. */
static int orders = -1;
static pid_t server;

enum { SERVER_ANSWERS_S = 5 };

bool annex_start(bool confined, struct error *err)
{
    int ends[2];
    const struct timeval patience = {.tv_sec = SERVER_ANSWERS_S};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return error_set_errno(err, errno, "Cannot make a socket for the process that reads ELF files");
    server = fork();
    if (server == 0) {
        close(ends[0]);
        annex_serve(ends[1], confined);
    }
    close(ends[1]);
    if (server < 0) {
        close(ends[0]);
        return error_set_errno(err, errno, "Cannot start the process that reads ELF files");
    }
    setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    orders = ends[0];
    return true;
}

pid_t annex_process(void)
{
    return orders < 0 ? 0 : server;
}

void annex_stop(void)
{
    if (orders < 0)
        return;
    close(orders);
    orders = -1;
    while (waitpid(server, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* Hands `socket` to the server. */
static bool send_order(const struct annex_order *order, int socket)
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
    do
        sent = sendmsg(orders, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)sizeof copy;
}

/* Moves n bytes to (or from) the worker before the deadline; false with why not. */
static bool move(int socket, bool out, uint8_t *bytes, size_t n, uint64_t deadline_ms,
                 const struct annex_job *job, struct error *err)
{
    for (size_t done = 0; done < n;) {
        uint64_t now_ms = clock_monotonic_ms();
        struct pollfd ready = {.fd = socket, .events = out ? POLLOUT : POLLIN};
        if (now_ms >= deadline_ms)
            return error_set(err, "%s took longer than %u s", job->title, job->seconds);
        if (poll(&ready, 1, (int)(deadline_ms - now_ms)) <= 0)
            continue;
        ssize_t moved = out ? send(socket, bytes + done, n - done, MSG_NOSIGNAL | MSG_DONTWAIT)
                            : recv(socket, bytes + done, n - done, MSG_DONTWAIT);
        if (moved > 0)
            done += (size_t)moved;
        else if (moved == 0 || (errno != EAGAIN && errno != EINTR))
            return error_set(err, "%s failed: the process that did it ended", job->title);
    }
    return true;
}

static uint8_t *converse(const struct annex_order *order, int socket, uint8_t *request, size_t *answer_n,
                         struct error *err)
{
    const struct annex_job *job = order->job;
    uint64_t deadline_ms = clock_monotonic_ms() + job->seconds * UINT64_C(1000);
    uint64_t length;
    if (!move(socket, true, request, order->n, deadline_ms, job, err) ||
        !move(socket, false, (uint8_t *)&length, sizeof length, deadline_ms, job, err))
        return NULL;
    if (length > order->most) {
        error_set(err, "%s came to more than it can come to", job->title);
        return NULL;
    }
    uint8_t *answer = malloc((size_t)length + 1);
    if (!answer)
        error_set(err, "%s needs more memory than there is", job->title);
    else if (move(socket, false, answer, (size_t)length, deadline_ms, job, err)) {
        *answer_n = (size_t)length;
        return answer;
    }
    free(answer);
    return NULL;
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
    int ends[2];
    const struct annex_order order = {job, n, most < ANNEX_ANSWER_MOST ? most : ANNEX_ANSWER_MOST};
    if (orders < 0)
        return do_here(&order, request, answer_n, err);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        error_set_errno(err, errno, "%s needs a socket, and there is none", job->title);
        return NULL;
    }
    bool sent = send_order(&order, ends[1]);
    close(ends[1]);
    uint8_t *answer = NULL;
    if (sent)
        answer = converse(&order, ends[0], request, answer_n, err);
    else
        error_set(err, "%s failed: the process that starts it ended; start miniprofd again", job->title);
    close(ends[0]);
    return answer;
}
