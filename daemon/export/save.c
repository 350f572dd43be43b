/* save.c - writes an export to where the user wants it. */
#include "export/export.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_fd(const struct exporter *exporter, const struct snapshot *snapshot, int fd,
                     const char *path, struct error *err)
{
    struct sink_fd *sink = malloc(sizeof *sink);
    if (!sink)
        return error_set(err, "Memory is used up; cannot write %s.", path);
    sink_fd_init(sink, fd);
    exporter->write(snapshot, &sink->sink);
    bool good = sink_fd_flush(sink);
    if (!good)
        error_set_errno(err, sink->error_number, "Cannot write %s", path);
    free(sink);
    return good;
}

/* A device or a pipe is written to as it is. A file is made beside and then takes its name, so that a reader
 * never sees half of it and a full disk does not cost the previous one. */
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

static bool write_file(const struct exporter *exporter, const struct snapshot *snapshot, const char *path,
                       struct error *err)
{
    char *beside;
    if (asprintf(&beside, "%s.part", path) < 0)
        return error_set(err, "Memory is used up; cannot write %s.", path);
    bool good = false;
    int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        error_set_errno(err, errno, "Cannot make %s for the %s export", path, exporter->id);
        goto out;
    }
    good = write_fd(exporter, snapshot, fd, path, err);
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
    /* A file is replaced, so what counts is its folder. */
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    if (!folder)
        return error_set(err, "Memory is used up; cannot write %s.", path);
    bool good = access(folder, W_OK | X_OK) == 0 ||
                error_set_errno(err, errno, "Cannot make %s for the %s export", path, exporter->id);
    free(folder);
    return good;
}
