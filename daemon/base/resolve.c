/* resolve.c - looks up a host's addresses without blocking the caller.
 *
 * getaddrinfo() may wait for a dead name server for half a minute and cannot be interrupted. So it runs in a
 * detached thread that shares the request with the caller. The last of the two to release it frees it. */
#include "base/resolve.h"

#include "base/thread.h"
#include "base/wake.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct resolve {
    atomic_int owners;
    struct wake done; /* rung after the next two are set */
    struct addrinfo *addresses;
    int failure; /* of getaddrinfo() */
    char host[256];
    char port[8];
};

static void let_go(struct resolve *resolve)
{
    if (atomic_fetch_sub(&resolve->owners, 1) > 1)
        return;
    if (resolve->addresses)
        freeaddrinfo(resolve->addresses);
    wake_fini(&resolve->done);
    free(resolve);
}

static void look_up(struct resolve *resolve, int flags)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = flags};
    resolve->failure = getaddrinfo(resolve->host, resolve->port, &hints, &resolve->addresses);
    if (resolve->failure != 0)
        resolve->addresses = NULL;
}

static void *look_up_thread(void *argument)
{
    struct resolve *resolve = argument;
    pthread_setname_np(pthread_self(), "mp-resolve");
    look_up(resolve, AI_ADDRCONFIG);
    wake_ring(&resolve->done);
    let_go(resolve);
    return NULL;
}

static bool start_thread(struct resolve *resolve)
{
    pthread_attr_t detached;
    pthread_t thread;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    atomic_fetch_add(&resolve->owners, 1);
    int code = thread_start(&thread, &detached, look_up_thread, resolve);
    if (code != 0)
        atomic_fetch_sub(&resolve->owners, 1);
    pthread_attr_destroy(&detached);
    errno = code;
    return code == 0;
}

struct resolve *resolve_new(const char *host, const char *port, struct error *err)
{
    struct resolve *resolve = calloc(1, sizeof *resolve);
    if (!resolve) {
        error_set(err, "Out of memory while looking up %s.", host);
        return NULL;
    }
    atomic_init(&resolve->owners, 1);
    if (!wake_init(&resolve->done, err)) {
        free(resolve);
        return NULL;
    }
    strncpy(resolve->host, host, sizeof resolve->host - 1);
    strncpy(resolve->port, port, sizeof resolve->port - 1);
    look_up(resolve, AI_NUMERICHOST);
    if (resolve->failure == 0) {
        wake_ring(&resolve->done);
    } else if (!start_thread(resolve)) {
        error_set_errno(err, errno, "Cannot start a thread to look up %s", host);
        let_go(resolve);
        return NULL;
    }
    return resolve;
}

int resolve_fd(const struct resolve *resolve)
{
    return resolve->done.fd;
}

enum resolve_result resolve_ask(struct resolve *resolve, const struct addrinfo **addresses, struct error *err)
{
    /* Reading the eventfd also orders the thread's writes before the reads below. */
    struct pollfd wait = {.fd = resolve->done.fd, .events = POLLIN};
    if (poll(&wait, 1, 0) <= 0)
        return RESOLVE_WAITING;
    wake_clear(&resolve->done);
    if (resolve->failure != 0) {
        error_set(err, "Cannot find the host %s (%s); check its name and your network.", resolve->host,
                  gai_strerror(resolve->failure));
        return RESOLVE_FAILED;
    }
    *addresses = resolve->addresses;
    return RESOLVE_FOUND;
}

void resolve_free(struct resolve *resolve)
{
    if (resolve)
        let_go(resolve);
}
