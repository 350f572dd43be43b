/* history.c - reads the older profiles: one file, or a folder of them. */
#include "check/history.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct file {
    struct timespec written;
    char path[PATH_MAX];
};

static bool is_profile(const char *name)
{
    size_t n = strlen(name);
    return name[0] != '.' && n > 5 && !strcmp(name + n - 5, ".json");
}

static bool is_older(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

/* Keeps the newest files: a further one replaces the oldest. */
static void keep_newest_file(struct file *files, size_t *n, const struct file *file)
{
    size_t at = *n;
    if (*n == HISTORY_MOST) {
        at = 0;
        for (size_t i = 1; i < *n; i++)
            if (is_older(&files[i].written, &files[at].written))
                at = i;
        if (is_older(&file->written, &files[at].written))
            return;
    } else {
        ++*n;
    }
    files[at] = *file;
}

static size_t list_profile_files(DIR *folder, const char *path, struct file *files)
{
    size_t n = 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        struct file file;
        struct stat stats;
        if (!is_profile(entry->d_name) ||
            snprintf(file.path, sizeof file.path, "%s/%s", path, entry->d_name) >= (int)sizeof file.path ||
            stat(file.path, &stats) != 0 || !S_ISREG(stats.st_mode))
            continue;
        file.written = stats.st_mtim;
        keep_newest_file(files, &n, &file);
    }
    return n;
}

static int newest_first(const void *a, const void *b)
{
    const struct measured *left = a, *right = b;
    return strcmp(right->captured_at, left->captured_at);
}

static enum measured_outcome read_folder(struct history *history, const char *path, struct error *err)
{
    enum measured_outcome outcome = MEASURED_OK;
    DIR *folder = opendir(path);
    struct file *files = folder ? calloc(HISTORY_MOST, sizeof *files) : NULL;
    if (!files) {
        error_set_errno(err, errno, "Cannot read the folder %s", path);
        if (folder)
            closedir(folder);
        return MEASURED_UNREADABLE;
    }
    size_t n = list_profile_files(folder, path, files);
    closedir(folder);
    for (size_t i = 0; i < n && outcome == MEASURED_OK; i++) {
        outcome = measured_read(&history->profiles[i], files[i].path, err);
        history->n += outcome == MEASURED_OK;
    }
    free(files);
    if (n == 0) {
        error_set(err, "The folder %s has no profile, a file whose name ends in .json.", path);
        outcome = MEASURED_UNREADABLE;
    }
    if (history->n > 1)
        qsort(history->profiles, history->n, sizeof *history->profiles, newest_first);
    return outcome;
}

enum measured_outcome history_read(struct history *history, const char *path, struct error *err)
{
    struct stat stats;
    if (stat(path, &stats) == 0 && S_ISDIR(stats.st_mode))
        return read_folder(history, path, err);
    enum measured_outcome outcome = measured_read(&history->profiles[0], path, err);
    history->n = outcome == MEASURED_OK;
    return outcome;
}

void history_fini(struct history *history)
{
    for (size_t i = 0; i < history->n; i++)
        measured_fini(&history->profiles[i]);
    history->n = 0;
}
