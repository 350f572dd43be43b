/* announcement.c - tells Prometheus that there is somebody to collect from. */
#include "announcement.h"

#include "base/log.h"
#include "base/text.h"
#include "exchange/board.h"
#include "targets_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REFRESH_MS = 2000, NAME_SIZE = 128, BUILD_ID_SIZE = 9 };

struct announcement {
    struct announcement_settings settings;
    char address[HOST_NAME_MAX + 64];
    char name[NAME_SIZE];
    char build_id[BUILD_ID_SIZE]; /* as it was written */
    bool has_failed;
};

/* "http://0.0.0.0:7777/": "myhost:7777". */
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

static bool put(struct announcement *announcement, const char *build_id, struct error *err)
{
    struct targets_entry entry = {.address = announcement->address,
                                  .board = announcement->name,
                                  .version = announcement->settings.version,
                                  .build_id = build_id};
    return targets_file_put(announcement->settings.path, &entry, err);
}

struct announcement *announcement_begin(const struct announcement_settings *settings, struct error *err)
{
    struct announcement *announcement = calloc(1, sizeof *announcement);
    if (!announcement) {
        error_set(err, "Memory is used up.");
        return NULL;
    }
    announcement->settings = *settings;
    take_address(announcement, settings->address);
    const char *name = settings->name ? settings->name : settings->port;
    text_clean_utf8(announcement->name, sizeof announcement->name, name, strlen(name));
    read_build_id(announcement, announcement->build_id);
    if (put(announcement, announcement->build_id, err))
        return announcement;
    free(announcement);
    return NULL;
}

int announcement_refresh(struct announcement *announcement)
{
    char build_id[BUILD_ID_SIZE];
    struct error err;
    if (!announcement)
        return -1;
    read_build_id(announcement, build_id);
    if (!strcmp(build_id, announcement->build_id))
        return REFRESH_MS;
    if (put(announcement, build_id, &err)) {
        strcpy(announcement->build_id, build_id);
        announcement->has_failed = false;
    } else if (!announcement->has_failed) {
        announcement->has_failed = true;
        log_write(LOG_ERROR, "%s", err.text);
    }
    return REFRESH_MS;
}

void announcement_end(struct announcement *announcement)
{
    struct error err;
    if (!announcement)
        return;
    if (!targets_file_remove(announcement->settings.path, announcement->address, &err))
        log_write(LOG_ERROR, "%s", err.text);
    free(announcement);
}
