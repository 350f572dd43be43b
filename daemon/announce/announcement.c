/* announcement.c - registers this daemon with Prometheus. */
#include "announce/announcement.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "base/wake.h"
#include "handoff/board.h"
#include "announce/targets_file.h"
#include "announce/targets_process.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    REFRESH_MS = 2000,
    LOCKED_MS = 10000,
    LOCKED_AT_END_MS = 1000,
    WRITTEN_AT_END_S = 2,
    NAME_SIZE = 128,
    BUILD_ID_SIZE = 9
};

struct announcement {
    struct announcement_settings settings;
    char address[HOST_NAME_MAX + 64];
    char name[NAME_SIZE];
    char build_id[BUILD_ID_SIZE]; /* as last written */
    char process[TARGETS_PROCESS_SIZE];
    pthread_t thread;
    struct wake done; /* the first attempt is over; the next two have its result */
    bool is_written;
    struct error why;
    struct wake leave;
    atomic_bool is_leaving;
    targets_deadline deadline; /* of the thread's current operation */
};

/* Makes "myhost:7777" of "http://0.0.0.0:7777/". */
static void take_address(struct announcement *announcement, const char *address)
{
    static const char *const everywhere[] = {"0.0.0.0", "[::]"};
    char host[HOST_NAME_MAX + 1] = "localhost";
    address += strncmp(address, "http://", 7) == 0 ? 7 : 0;
    int n = (int)strcspn(address, "/");
    for (size_t i = 0; i < sizeof everywhere / sizeof *everywhere; i++) {
        size_t length = strlen(everywhere[i]);
        if (strncmp(address, everywhere[i], length) != 0 || address[length] != ':')
            continue;
        gethostname(host, sizeof host - 1);
        snprintf(announcement->address, sizeof announcement->address, "%s%.*s", host, n - (int)length,
                 address + length);
        return;
    }
    snprintf(announcement->address, sizeof announcement->address, "%.*s", n, address);
}

static void read_build_id(const struct announcement *announcement, char build_id[static BUILD_ID_SIZE])
{
    struct snapshot *snapshot = board_read(announcement->settings.board);
    build_id[0] = '\0';
    if (snapshot && snapshot->target.has_metadata && snapshot->target.elf_build_id)
        snprintf(build_id, BUILD_ID_SIZE, "%08x", (unsigned)snapshot->target.elf_build_id);
    snapshot_unref(snapshot);
}

static bool put_target_entry(struct announcement *announcement, const char *build_id, struct error *err)
{
    struct targets_entry entry = {.address = announcement->address,
                                  .board = announcement->name,
                                  .version = announcement->settings.version,
                                  .build_id = build_id,
                                  .process = announcement->process};
    return targets_file_put(announcement->settings.path, &entry, !announcement->is_written,
                            &announcement->deadline, err);
}

/* Sets the deadline, unless the end was already requested. */
static void set_deadline(struct announcement *announcement, uint64_t ms)
{
    atomic_store(&announcement->deadline, clock_monotonic_ms() + ms);
    if (atomic_load(&announcement->is_leaving))
        atomic_store(&announcement->deadline, 0);
}

static void keep_up_to_date(struct announcement *announcement)
{
    bool has_failed = false;
    struct pollfd leave = {.fd = announcement->leave.fd, .events = POLLIN};
    while (poll(&leave, 1, REFRESH_MS) <= 0) {
        char build_id[BUILD_ID_SIZE];
        struct error err;
        read_build_id(announcement, build_id);
        if (strcmp(build_id, announcement->build_id) == 0)
            continue;
        set_deadline(announcement, LOCKED_MS);
        if (put_target_entry(announcement, build_id, &err)) {
            strcpy(announcement->build_id, build_id);
            has_failed = false;
        } else if (!has_failed && !atomic_load(&announcement->is_leaving)) {
            has_failed = true;
            log_write(LOG_ERROR, "%s", err.text);
        }
    }
}

static void *announce_thread(void *user)
{
    struct announcement *announcement = user;
    struct error err;
    pthread_setname_np(pthread_self(), "mp-announce");
    set_deadline(announcement, LOCKED_MS);
    read_build_id(announcement, announcement->build_id);
    announcement->is_written = put_target_entry(announcement, announcement->build_id, &announcement->why);
    wake_ring(&announcement->done);
    if (!announcement->is_written)
        return NULL;
    keep_up_to_date(announcement);
    atomic_store(&announcement->deadline, clock_monotonic_ms() + LOCKED_AT_END_MS);
    if (!targets_file_remove(announcement->settings.path, announcement->address, &announcement->deadline,
                             &err))
        log_write(LOG_ERROR, "%s", err.text);
    return NULL;
}

static bool start_announcement_thread(struct announcement *announcement, struct error *err)
{
    if (!wake_init(&announcement->done, err) || !wake_init(&announcement->leave, err))
        return false;
    int code = pthread_create(&announcement->thread, NULL, announce_thread, announcement);
    return code == 0 || error_set_errno(err, code, "Cannot start a thread to announce the address");
}

static void free_all(struct announcement *announcement)
{
    if (announcement->done.fd >= 0)
        wake_fini(&announcement->done);
    if (announcement->leave.fd >= 0)
        wake_fini(&announcement->leave);
    free(announcement);
}

struct announcement *announcement_begin(const struct announcement_settings *settings, int stop, bool *is_over,
                                        struct error *err)
{
    struct announcement *announcement = calloc(1, sizeof *announcement);
    *is_over = false;
    if (!announcement) {
        error_set(err, "Out of memory.");
        return NULL;
    }
    announcement->settings = *settings;
    announcement->done.fd = announcement->leave.fd = -1;
    take_address(announcement, settings->address);
    const char *name = settings->name ? settings->name : settings->port;
    text_clean_utf8(announcement->name, sizeof announcement->name, name, strlen(name));
    targets_process_self(announcement->process);
    if (!start_announcement_thread(announcement, err)) {
        free_all(announcement);
        return NULL;
    }
    struct pollfd fds[] = {{.fd = announcement->done.fd, .events = POLLIN}, {.fd = stop, .events = POLLIN}};
    while (poll(fds, 2, -1) < 0 && errno == EINTR)
        ;
    *is_over = !fds[0].revents;
    if (fds[0].revents && announcement->is_written)
        return announcement;
    if (!*is_over)
        *err = announcement->why;
    announcement_leave(announcement);
    announcement_end(announcement);
    return NULL;
}

void announcement_leave(struct announcement *announcement)
{
    if (!announcement)
        return;
    atomic_store(&announcement->is_leaving, true);
    atomic_store(&announcement->deadline, 0);
    wake_ring(&announcement->leave);
}

void announcement_end(struct announcement *announcement)
{
    if (!announcement)
        return;
    struct timespec until;
    announcement_leave(announcement);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += WRITTEN_AT_END_S;
    if (pthread_timedjoin_np(announcement->thread, NULL, &until) == 0)
        free_all(announcement);
    else /* the thread may use the memory while it waits for disk or network */
        log_write(LOG_ERROR, "The file system of %s does not answer, so the entry of %s stays in it.",
                  announcement->settings.path, announcement->address);
}
