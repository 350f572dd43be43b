/* teller.c - a server that sends given bytes as its answer. */
#include "teller.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static char folder[] = "/tmp/miniprofd-teller-XXXXXX", url[128];
static struct sockaddr_un place = {.sun_family = AF_UNIX};

/* Locked while an answer is sent or replaced: a client may return before the whole answer is sent. */
static pthread_mutex_t exchange = PTHREAD_MUTEX_INITIALIZER;
static uint8_t *answer;
static size_t answer_n;

static void need(int is_done)
{
    if (!is_done)
        abort();
}

static void remove_all(void)
{
    unlink(place.sun_path);
    rmdir(folder);
}

/* Reads a request, which has no body here. Closing an unread connection would reset it. */
static void read_head(int fd)
{
    char bytes[1024];
    ssize_t n;
    do
        n = recv(fd, bytes, sizeof bytes, 0);
    while (n > 0 && !memmem(bytes, (size_t)n, "\r\n\r\n", 4));
}

static void *serve(void *user)
{
    int listener = (int)(intptr_t)user, fd;
    while ((fd = accept(listener, NULL, NULL)) >= 0) {
        read_head(fd);
        pthread_mutex_lock(&exchange);
        for (size_t at = 0; at < answer_n;) {
            ssize_t sent = send(fd, answer + at, answer_n - at, MSG_NOSIGNAL);
            if (sent <= 0)
                break; /* the client has received enough */
            at += (size_t)sent;
        }
        pthread_mutex_unlock(&exchange);
        close(fd);
    }
    return NULL;
}

const char *teller_start(void)
{
    pthread_t thread;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    need(fd >= 0 && mkdtemp(folder) != NULL);
    snprintf(place.sun_path, sizeof place.sun_path, "%s/socket", folder);
    snprintf(url, sizeof url, "unix:%s", place.sun_path);
    atexit(remove_all);
    need(bind(fd, (const struct sockaddr *)&place, sizeof place) == 0 && listen(fd, 8) == 0);
    need(pthread_create(&thread, NULL, serve, (void *)(intptr_t)fd) == 0);
    need(pthread_detach(thread) == 0);
    return url;
}

void teller_says(const void *bytes, size_t n)
{
    pthread_mutex_lock(&exchange);
    free(answer);
    answer = malloc(n + 1);
    need(answer != NULL);
    if (n > 0)
        memcpy(answer, bytes, n);
    answer_n = n;
    pthread_mutex_unlock(&exchange);
}
