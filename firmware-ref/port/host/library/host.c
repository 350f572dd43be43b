/* host.c - starts, serves and ends the measurement of a program: mpt_host.h. */
#include "mpt_host.h"

#include "../link.h"
#include "../text.h"
#include "hooks.h"
#include "mpt.h"
#include "mpt_config.h"
#include "mpt_port.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    POLL_MS = 2,                             /* the ring has room for the fastest program in that time */
    FINISH_MS = 1000,                        /* to send what waits, and again for the host to read it */
    LAST_PACKET_MS = 3 * MPT_FLUSH_US / 1000 /* a packet that is not full was sent */
};

static struct {
    pthread_mutex_t mutex; /* protects all members below */
    pthread_cond_t begun;  /* is_profiling */
    pthread_t thread;
    bool is_started;
    bool has_ended;
    bool is_profiling; /* a host has sent START */
    atomic_bool is_ending;
    atomic_bool is_forked; /* this process is a copy, without the thread that polls */
} host = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* Prints one sentence, in three parts. */
static void say(const char *what, const char *about, const char *more)
{
    fprintf(stderr, "mpt_host: %s%s%s\n", what, about, more);
}

/* ---- the port: the program runs on during system calls ---- */

size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    pthread_mutex_unlock(&mpt_host_mutex);
    size_t written = mpt_link_write(bytes, n);

    pthread_mutex_lock(&mpt_host_mutex);
    return written;
}

size_t mpt_port_read(uint8_t *bytes, size_t n)
{
    pthread_mutex_unlock(&mpt_host_mutex);
    size_t got = mpt_link_read(bytes, n);

    pthread_mutex_lock(&mpt_host_mutex);
    return got;
}

/* ---- the thread that polls ---- */

static uint64_t millis(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

/* Returns true when more is left to send. */
static bool poll_once(void)
{
    pthread_mutex_lock(&mpt_host_mutex);
    bool has_more = mpt_poll(), is_profiling = mpt_is_profiling();
    pthread_mutex_unlock(&mpt_host_mutex);

    pthread_mutex_lock(&host.mutex);
    if (is_profiling && !host.is_profiling)
        pthread_cond_broadcast(&host.begun);
    host.is_profiling = is_profiling;
    pthread_mutex_unlock(&host.mutex);
    return has_more;
}

/* Sends what has been measured to the host. */
static void finish(void)
{
    uint64_t begin = millis(), quiet_since = begin;

    pthread_mutex_lock(&mpt_host_mutex);
    mpt_stop();
    pthread_mutex_unlock(&mpt_host_mutex);
    for (uint64_t now = begin; now - begin < FINISH_MS && now - quiet_since < LAST_PACKET_MS;
         now = millis()) {
        if (poll_once())
            quiet_since = now;
        mpt_link_wait(1);
    }
    mpt_link_finish(FINISH_MS);
}

static void *serve(void *unused)
{
    while (!atomic_load(&host.is_ending)) {
        poll_once();
        mpt_link_wait(POLL_MS);
    }
    finish();
    return NULL;
}

/* ---- starting ---- */

/* Returns false, after an error message, when the address is not valid or cannot be opened. */
static bool open_link(const char *wanted, char *address)
{
    bool is_open;

    if (!strcmp(wanted, "pty")) {
        is_open = mpt_link_open_pty(address);
    } else if (!strncmp(wanted, "unix:", 5) && wanted[5]) {
        is_open = mpt_link_open_unix(wanted + 5, address);
    } else {
        char *end = NULL;
        unsigned long port = strncmp(wanted, "tcp:", 4) ? 0 : strtoul(wanted + 4, &end, 10);

        if (!end || end == wanted + 4 || *end || port > UINT16_MAX) {
            say("not profiled: the address must be tcp:PORT, unix:PATH or pty, not ", wanted, "");
            return false;
        }
        is_open = mpt_link_open_tcp((uint16_t)port, address);
    }
    if (!is_open)
        fprintf(stderr, "mpt_host: not profiled: %s cannot be opened: %s\n", wanted, strerror(errno));
    return is_open;
}

static void in_forked_child(void)
{
    atomic_store(&host.is_forked, true);
    mpt_host_is_forked();
    mpt_link_abandon();
}

/* Blocks signals in the thread: they are for the program's own threads. */
static int create_thread(void)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&host.thread, NULL, serve, NULL);

    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

static void init_agent(const struct mpt_host_code *code)
{
    static struct mpt_target target = {.clock_hz = 1000000000}; /* a round number: it changes all the time */
    uintptr_t text = code->base + mpt_text_find(&target.text_bytes);

    if (text < code->first || text - code->first > code->bytes ||
        target.text_bytes > code->bytes - (text - code->first))
        target.text_bytes = 0;
    target.text = (const void *)text;
    target.fw_version = program_invocation_short_name;
    mpt_init(&target);
}

static void set_condition(void)
{
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&host.begun, &attributes);
    pthread_condattr_destroy(&attributes);
}

static bool start(const char *wanted)
{
    char address[MPT_LINK_ADDRESS], program[PATH_MAX];
    struct mpt_host_code code;

    if (!mpt_host_find_code(&code)) {
        say("not profiled: the program's code is not in the lower 1 GB, which addresses on the wire can reach",
            "", "; link it at a lower address");
        return false;
    }
    if (!open_link(wanted, address))
        return false;
    mpt_host_set_code(&code);
    init_agent(&code);
    set_condition();
    pthread_atfork(NULL, NULL, in_forked_child);
    mpt_host_measure_me();
    int error = create_thread();

    if (error) {
        mpt_host_measure_none();
        mpt_link_abandon();
        say("not profiled: the thread could not be started: ", strerror(error), "");
        return false;
    }
    ssize_t n = readlink("/proc/self/exe", program, sizeof program);

    fprintf(stderr, "mpt_host: miniprofd --port %s --elf %.*s\n", address, n > 0 ? (int)n : 7,
            n > 0 ? program : "PROGRAM");
    return true;
}

bool mpt_host_start(const char *address)
{
    const char *wanted = address ? address : secure_getenv("MPT_HOST");

    if (!wanted) {
        say("not profiled: no address is given, and the environment has no MPT_HOST", "", "");
        return false;
    }
    if (atomic_load(&host.is_forked)) {
        say("not profiled: this process is the child of one that is", "", "");
        return false;
    }
    pthread_mutex_lock(&host.mutex);
    bool has_ended = host.has_ended;

    if (has_ended)
        say("not profiled: measuring has ended and cannot begin again", "", "");
    else if (!host.is_started)
        host.is_started = start(wanted);
    bool is_started = host.is_started && !has_ended;

    pthread_mutex_unlock(&host.mutex);
    return is_started;
}

bool mpt_host_wait(uint32_t limit_ms)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += limit_ms / 1000u;
    until.tv_nsec += (long)(limit_ms % 1000u) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    if (atomic_load(&host.is_forked))
        return false;
    pthread_mutex_lock(&host.mutex);
    while (host.is_started && !host.has_ended && !host.is_profiling)
        if (pthread_cond_timedwait(&host.begun, &host.mutex, &until))
            break;
    bool is_profiling = host.is_profiling;

    pthread_mutex_unlock(&host.mutex);
    return is_profiling;
}

void mpt_host_stop(void)
{
    if (atomic_load(&host.is_forked))
        return;
    pthread_mutex_lock(&host.mutex);
    bool is_running = host.is_started && !host.has_ended;

    host.has_ended = host.is_started;
    pthread_mutex_unlock(&host.mutex);
    if (!is_running)
        return;
    mpt_host_measure_none();
    atomic_store(&host.is_ending, true);
    pthread_join(host.thread, NULL);
    if (!mpt_host_has_measured())
        say("no call was measured: compile the program with -finstrument-functions", "", "");
}

static __attribute__((destructor)) void end(void)
{
    mpt_host_stop();
}

void mpt_host_begin(void)
{
    const char *limit_ms = secure_getenv("MPT_HOST_WAIT");

    if (!secure_getenv("MPT_HOST") || !mpt_host_start(NULL) || !limit_ms)
        return;
    if (!mpt_host_wait((uint32_t)strtoul(limit_ms, NULL, 10)))
        say("no miniprofd profiled within MPT_HOST_WAIT=", limit_ms, " milliseconds; the program continues");
}
