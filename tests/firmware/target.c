/* target.c - a firmware that runs as a process, and the link to it. */
#include "target.h"

#include "protocol/bytes.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_FOUND = 127 };

struct target target;

_Noreturn void give_up(const char *what)
{
    fprintf(stderr, "%s\n", what);
    if (target.process > 0)
        kill(target.process, SIGTERM);
    exit(1);
}

void require(bool condition, const char *what)
{
    if (!condition)
        give_up(what);
}

void target_start(char **command, int backlog)
{
    int ends[2];

    signal(SIGPIPE, SIG_IGN);
    require(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends), "no socket pair");
    if (backlog)
        setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &backlog, sizeof backlog);
    target.process = fork();
    require(target.process >= 0, "no process");
    if (target.process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        dup2(ends[1], STDIN_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execvp(command[0], command);
        _exit(errno == ENOENT ? NOT_FOUND : 126); /* as `timeout` does */
    }
    close(ends[1]);
    target.link = ends[0];
    mp_frame_reader_init(&target.reader, target.memory, sizeof target.memory);
}

void target_stop(void)
{
    kill(target.process, SIGTERM);
    waitpid(target.process, NULL, 0);
    target.process = 0;
}

static void wait_for_bytes(void)
{
    struct pollfd link = {.fd = target.link, .events = POLLIN};
    ssize_t n =
        poll(&link, 1, TARGET_SILENCE_MS) > 0 ? read(target.link, target.input, sizeof target.input) : -1;
    int status;

    if (n > 0) {
        if (target.on_bytes)
            target.on_bytes(n);
        mp_frame_reader_feed(&target.reader, target.input, (size_t)n);
        return;
    }
    if (n == 0 && waitpid(target.process, &status, 0) > 0 && WIFEXITED(status) &&
        WEXITSTATUS(status) == NOT_FOUND) {
        fprintf(stderr, "SKIP: the command to run the example is not installed\n");
        exit(TARGET_SKIPPED);
    }
    give_up(n == 0 ? "the example ended" : "the example has fallen silent");
}

void target_hear(struct mp_frame *frame)
{
    while (!mp_frame_reader_next(&target.reader, frame))
        wait_for_bytes();
}

void target_command(uint8_t code, uint8_t length, const uint8_t *payload)
{
    struct mp_command command = {.code = code, .length = length};
    uint8_t bytes[MP_COMMAND_SIZE];

    if (length)
        memcpy(command.payload, payload, length);
    mp_command_encode(&command, bytes);
    require(write(target.link, bytes, sizeof bytes) == (ssize_t)sizeof bytes, "the link takes no command");
}

void target_configure(uint8_t key, uint32_t value)
{
    uint8_t payload[5] = {key};

    mp_store_u32(payload + 1, value);
    target_command(MP_SET_CONFIG, sizeof payload, payload);
}
