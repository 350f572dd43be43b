/* parts.c - the names of a recording in parts. */
#include "recording/parts.h"

#include "base/linux_calls.h"
#include "source/pace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_ROOM = PATH_MAX + 16 };

static const char *const suffixes[] = {PACE_SUFFIX, ""};
enum { SUFFIXES = sizeof suffixes / sizeof *suffixes };

static const char *name_of(char out[static NAME_ROOM], const char *path, unsigned part, const char *suffix)
{
    if (part == 0)
        snprintf(out, NAME_ROOM, "%s%s", path, suffix);
    else
        snprintf(out, NAME_ROOM, "%s.%u%s", path, part, suffix);
    return out;
}

bool parts_are_free(const char *path, struct error *err)
{
    char name[NAME_ROOM];
    struct stat about;
    if (lstat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return error_set(err, "%s is no file, so it cannot be kept in parts; leave --record-limit out.",
                         path);
    for (unsigned part = 1; part < PARTS_MOST; part++)
        for (unsigned i = 0; i < SUFFIXES; i++)
            if (lstat(name_of(name, path, part, suffixes[i]), &about) == 0)
                return error_set(err,
                                 "%s is there already and is not overwritten: give the recording another "
                                 "name, or delete it.",
                                 name);
    return true;
}

/* In one step; returns false with ENOSYS if the system cannot do that. */
static bool move_to_free(const char *from, const char *to)
{
#if HAS_LINUX_CALLS
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0;
#else
    errno = ENOSYS;
    return false;
#endif
}

/* True also if there is no `from`. Not every file system can check in the same step that `to` is free. */
static bool move_part(const char *from, const char *to)
{
    struct stat about;
    if (move_to_free(from, to) || errno == ENOENT)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    if (lstat(to, &about) == 0) {
        errno = EEXIST;
        return false;
    }
    return rename(from, to) == 0 || errno == ENOENT;
}

static bool delete_part(const char *path, unsigned part, struct error *err)
{
    char name[NAME_ROOM];
    for (unsigned i = 0; i < SUFFIXES; i++)
        if (unlink(name_of(name, path, part, suffixes[i])) != 0 && errno != ENOENT)
            return error_set_errno(err, errno, "Cannot delete %s, the oldest part of the recording", name);
    return true;
}

/* Renames all files of the part, or none and returns an error: bytes and times stay together. */
static bool shift_part(const char *path, unsigned part, struct error *err)
{
    char from[NAME_ROOM], to[NAME_ROOM];
    for (unsigned i = 0; i < SUFFIXES; i++) {
        if (move_part(name_of(from, path, part - 1, suffixes[i]), name_of(to, path, part, suffixes[i])))
            continue;
        error_set_errno(err, errno, "Cannot call %s, a part of the recording, %s from now on", from, to);
        while (i-- > 0)
            move_part(name_of(to, path, part, suffixes[i]), name_of(from, path, part - 1, suffixes[i]));
        return false;
    }
    return true;
}

bool parts_shift(const char *path, unsigned n, struct error *err)
{
    if (n == PARTS_MOST && !delete_part(path, --n, err))
        return false;
    for (unsigned part = n; part > 0; part--)
        if (!shift_part(path, part, err))
            return false;
    return true;
}

bool parts_sync_fd(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
}

/* True also if it no longer exists. */
static bool sync_at(const char *path, int how)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | how);
    if (fd < 0)
        return true;
    bool good = parts_sync_fd(fd);
    int code = errno;
    close(fd);
    errno = code;
    return good;
}

static bool sync_folder(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t n = !slash ? 0 : slash == path ? 1 : (size_t)(slash - path);
    if (n >= sizeof folder)
        return true;
    memcpy(folder, path, n);
    folder[n] = '\0';
    return sync_at(n > 0 ? folder : ".", O_DIRECTORY);
}

bool parts_sync_older(const char *path, unsigned n)
{
    char name[NAME_ROOM];
    for (unsigned part = 1; part < n; part++)
        for (unsigned i = 0; i < SUFFIXES; i++)
            if (!sync_at(name_of(name, path, part, suffixes[i]), O_NOFOLLOW))
                return false;
    return sync_folder(path);
}
