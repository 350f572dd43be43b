/* save.c - writes an export to the path that the user gave. */
#include "export/export.h"

#include "base/scarcity.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_fd(const struct exporter *exporter, const struct snapshot *snapshot, int fd,
                     const char *path, struct error *err)
{
    struct sink_fd *sink = malloc(sizeof *sink);
    if (!sink)
        return error_set(err, "Out of memory while writing %s.", path);
    sink_fd_init(sink, fd);
    uint64_t before = scarcity_here();
    exporter->write(snapshot, &sink->sink);
    sink->sink.failed |= scarcity_here() != before;
    bool good = sink_fd_flush(sink);
    if (!good && sink->error_number)
        error_set_errno(err, sink->error_number, "Cannot write %s", path);
    else if (!good)
        error_set(err, "Out of memory while writing %s.", path);
    free(sink);
    return good;
}

/* True for a device or a pipe, which is written directly. A file is written under a temporary name and then
 * renamed, so that a reader never sees half of it and a full disk does not destroy the previous one. */
static bool is_special(const char *path)
{
    struct stat stat_;
    return stat(path, &stat_) == 0 && !S_ISREG(stat_.st_mode);
}

static bool write_special(const struct exporter *exporter, const struct snapshot *snapshot, const char *path,
                          struct error *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return error_set_errno(err, errno, "Cannot open %s for the %s export", path, exporter->id);
    bool good = write_fd(exporter, snapshot, fd, path, err);
    close(fd);
    return good;
}

/* Creates a new file in the same folder; an existing link or pipe of that name is never opened. Returns its
 * descriptor, and its name, which the caller frees. -1 with an error otherwise. */
static int create_beside(const struct exporter *exporter, const char *path, char **beside, struct error *err)
{
    enum { NAMES_TRIED = 100 };
    *beside = NULL;
    for (int i = 0; i < NAMES_TRIED; i++) {
        uint32_t random;
        free(*beside);
        if (getrandom(&random, sizeof random, 0) != sizeof random ||
            asprintf(beside, "%s.%08x.part", path, random) < 0) {
            *beside = NULL;
            error_set(err, "Out of memory, or the system has no random number, while writing %s.", path);
            return -1;
        }
        int fd = open(*beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd >= 0)
            return fd;
        if (errno != EEXIST)
            break;
    }
    error_set_errno(err, errno, "Cannot make %s for the %s export", *beside, exporter->id);
    return -1;
}

static bool write_file(const struct exporter *exporter, const struct snapshot *snapshot, const char *path,
                       struct error *err)
{
    char *beside;
    bool good = false;
    int fd = create_beside(exporter, path, &beside, err);
    if (fd < 0)
        goto out;
    good = write_fd(exporter, snapshot, fd, path, err);
    /* Otherwise a crash right after the rename might leave an empty file. */
    if (good && fsync(fd) != 0)
        good = error_set_errno(err, errno, "Cannot write %s", path);
    if (close(fd) != 0 && good)
        good = error_set_errno(err, errno, "Cannot write %s", path);
    if (good && rename(beside, path) != 0)
        good = error_set_errno(err, errno, "Cannot give the %s export the name %s", exporter->id, path);
    if (!good)
        unlink(beside);
out:
    free(beside);
    return good;
}

bool export_to_path(const struct exporter *exporter, const struct snapshot *snapshot, const char *path,
                    struct error *err)
{
    if (!exporter_can(exporter, snapshot, err))
        return false;
    if (strcmp(path, "-") == 0)
        return write_fd(exporter, snapshot, STDOUT_FILENO, "standard output", err);
    if (is_special(path))
        return write_special(exporter, snapshot, path, err);
    return write_file(exporter, snapshot, path, err);
}

bool export_check_path(const struct exporter *exporter, const char *path, struct error *err)
{
    struct stat stat_;
    if (strcmp(path, "-") == 0)
        return true;
    bool exists = stat(path, &stat_) == 0;
    if (exists && S_ISDIR(stat_.st_mode))
        return error_set(err, "Cannot write the %s export: %s is a folder; name a file in it.", exporter->id,
                         path);
    if (exists && !S_ISREG(stat_.st_mode))
        return access(path, W_OK) == 0 ||
               error_set_errno(err, errno, "Cannot open %s for the %s export", path, exporter->id);
    /* A file is replaced, so its folder must be writable. */
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    if (!folder)
        return error_set(err, "Out of memory while writing %s.", path);
    bool good = access(folder, W_OK | X_OK) == 0 ||
                error_set_errno(err, errno, "Cannot make %s for the %s export", path, exporter->id);
    free(folder);
    return good;
}
