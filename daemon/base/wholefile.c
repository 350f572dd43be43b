/* wholefile.c - reads whole files that the user names into memory. */
#include "base/wholefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_all(int fd, char *bytes, size_t size, size_t *n)
{
    *n = 0;
    while (*n < size) {
        ssize_t got = read(fd, bytes + *n, size - *n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        if (got == 0)
            break;
        *n += (size_t)got;
    }
    return true;
}

bool wholefile_read(struct wholefile *file, const char *what, const char *path, size_t most,
                    struct error *err)
{
    *file = (struct wholefile){0};
    struct stat about;
    bool good = false;
    /* O_NONBLOCK: opening a pipe or device does not wait. Neither is read. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &about) != 0)
        error_set_errno(err, errno, "Cannot read the %s %.300s", what, path);
    else if (!S_ISREG(about.st_mode) || (uint64_t)about.st_size > (uint64_t)most << 20)
        error_set(err, "The %s %.300s is no regular file of %zu MiB at most.", what, path, most);
    else if (!(file->bytes = malloc((size_t)about.st_size + 1)))
        error_set(err, "Out of memory while reading the %s %.300s.", what, path);
    else if (!(good = read_all(fd, file->bytes, (size_t)about.st_size, &file->n)))
        error_set_errno(err, errno, "Cannot read the %s %.300s", what, path);
    if (good) {
        file->bytes[file->n] = '\0';
        file->modified_s = about.st_mtim.tv_sec;
    } else {
        free(file->bytes);
        file->bytes = NULL;
    }
    if (fd >= 0)
        close(fd);
    return good;
}
