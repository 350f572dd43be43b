/* asker.c - sends requests to the daemon from another thread. */
#include "top/asker.h"

#include "base/thread.h"
#include "top/idle.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Size limit of a whole profile, whose tree may have a hundred thousand nodes. */
enum { SNAPSHOT_MOST = 256 << 20 };

/* A result of the thread, small enough for an atomic write to a pipe. */
struct answer {
    struct reading *reading;
    struct error why;
};

static void ask_for_snapshot(struct asker *asker, struct answer *answer)
{
    char *text = client_ask(&asker->client, "GET", "/api/v1/snapshot", NULL, SNAPSHOT_MOST, &answer->why);
    if (text)
        answer->reading = reading_parse(text, strlen(text), &answer->why);
    if (answer->reading)
        idle_find(answer->reading);
    free(text);
}

static void *asker_run(void *user)
{
    struct asker *asker = user;
    char wish;
    while (read(asker->wishes[0], &wish, 1) == 1) {
        struct answer answer = {.why = {"Out of memory."}};
        ask_for_snapshot(asker, &answer);
        if (write(asker->answers[1], &answer, sizeof answer) != (ssize_t)sizeof answer)
            break;
    }
    return NULL;
}

bool asker_start(struct asker *asker, struct error *err)
{
    pthread_t thread;
    if (pipe2(asker->wishes, O_CLOEXEC) != 0 || pipe2(asker->answers, O_CLOEXEC) != 0 ||
        thread_start(&thread, NULL, asker_run, asker) != 0)
        return error_set(err,
                         "Cannot start a thread; check the limits on processes and open files (ulimit).");
    pthread_detach(thread);
    return true;
}

void asker_ask(struct asker *asker)
{
    if (write(asker->wishes[1], "?", 1) != 1)
        return; /* impossible: one request at a time */
}

int asker_fd(const struct asker *asker)
{
    return asker->answers[0];
}

struct reading *asker_take(struct asker *asker, struct error *err)
{
    struct answer answer;
    if (read(asker->answers[0], &answer, sizeof answer) != (ssize_t)sizeof answer) {
        error_set(err, "The answer was lost. Start the command again.");
        return NULL;
    }
    if (!answer.reading)
        *err = answer.why;
    return answer.reading;
}
