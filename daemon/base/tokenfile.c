/* tokenfile.c - reads the file with the secret that clients must send. */
#include "base/tokenfile.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TOKEN_LEAST = 16 };

bool token_file_read(const char *path, char token[static TOKEN_SIZE], struct error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return error_set_errno(err, errno, "Cannot read the token file %s", path);
    struct stat about;
    ssize_t n = -1;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode))
        n = read(fd, token, TOKEN_SIZE - 1);
    close(fd);
    if (n < 0)
        return error_set(err, "The token file %s is not a file that can be read.", path);
    if (about.st_mode & (S_IROTH | S_IWOTH | S_IWGRP))
        return error_set(err, "The token file %s can be %s by others than its owner: chmod 600 %s", path,
                         about.st_mode & S_IROTH ? "read" : "written", path);
    while (n > 0 && isspace((unsigned char)token[n - 1]))
        n--;
    token[n] = '\0';
    for (ssize_t i = 0; i < n; i++)
        if (!isgraph((unsigned char)token[i]))
            n = 0;
    if (n < TOKEN_LEAST)
        return error_set(err,
                         "The token file %s must hold one line of at least %d letters and digits, such as "
                         "'openssl rand -hex 16' makes.",
                         path, TOKEN_LEAST);
    return true;
}
