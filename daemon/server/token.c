/* token.c - generates a token. */
#include "server/token.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TOKEN_BYTES = 16 };

/* Makes the folder if needed. True when it is a real folder of this user without access for others. */
static bool is_private(const char *folder)
{
    struct stat about;
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return false;
    return lstat(folder, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid() &&
           (about.st_mode & 077) == 0;
}

/* Gives the path of the folder for tokens, which is made if it does not exist. False when it cannot be used. */
static bool find_folder(char folder[static PATH_MAX])
{
    const char *runtime = getenv("XDG_RUNTIME_DIR"), *home = getenv("HOME");
    int n;
    if (runtime && runtime[0] == '/') {
        n = snprintf(folder, PATH_MAX, "%s/miniprofd", runtime);
        if (n < PATH_MAX && is_private(folder))
            return true;
    }
    if (!home || home[0] != '/')
        return false;
    n = snprintf(folder, PATH_MAX, "%s/.cache", home);
    if (n >= PATH_MAX - (int)sizeof "/miniprofd")
        return false;
    mkdir(folder, 0700);
    strcat(folder, "/miniprofd");
    return is_private(folder);
}

static bool write_token(int fd)
{
    unsigned char secret[TOKEN_BYTES];
    char line[2 * TOKEN_BYTES + 1];
    if (getrandom(secret, sizeof secret, 0) != sizeof secret)
        return false;
    for (size_t i = 0; i < sizeof secret; i++)
        snprintf(line + 2 * i, 3, "%02x", secret[i]);
    line[2 * TOKEN_BYTES] = '\n';
    bool good = write(fd, line, sizeof line) == sizeof line;
    explicit_bzero(secret, sizeof secret);
    explicit_bzero(line, sizeof line);
    return good;
}

bool token_make(char path[static PATH_MAX], struct error *err)
{
    static const char name[] = "/token-XXXXXX";
    if (!find_folder(path) || strlen(path) + sizeof name > PATH_MAX)
        return error_set(err,
                         "There is no folder for a generated token: neither XDG_RUNTIME_DIR nor HOME "
                         "leads to one that only you can access. Make the token yourself, and name its file "
                         "with --token-file.");
    strcat(path, name);
    int fd = mkostemp(path, O_CLOEXEC); /* mode 0600 */
    if (fd < 0)
        return error_set_errno(err, errno, "Cannot make the token file %s", path);
    bool good = write_token(fd);
    int code = errno;
    close(fd);
    if (good)
        return true;
    unlink(path);
    return error_set_errno(err, code, "Cannot write the token file %s", path);
}
