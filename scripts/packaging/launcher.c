/* launcher.c - bin/miniprofd of the release archive: starts lib/miniprofd/miniprofd with the loader and the
 * libraries beside it, so that it runs with any C library of the system.
 *
 * It is linked statically. The kernel needs a program's loader at an absolute path, which is unknown when the
 * archive is made. A shell script could start the loader, but not every system has a shell. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Writes the path of this program into `path`: from the kernel or, where /proc is not mounted, from the
 * command's name. */
static int find_itself(char path[PATH_MAX], const char *word)
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length > 0) {
        path[length] = '\0';
        return 0;
    }
    return strchr(word, '/') && realpath(word, path) ? 0 : -1;
}

int main(int count, char **arguments)
{
    static char path[PATH_MAX], folder[PATH_MAX + 32], loader[PATH_MAX + 64], program[PATH_MAX + 64];
    if (count < 1 || find_itself(path, arguments[0]) != 0) {
        fputs(
            "miniprofd: Cannot find the program's own folder. Start it with its full path, or mount /proc.\n",
            stderr);
        return 1;
    }
    *strrchr(path, '/') = '\0'; /* cut off the file's name */
    char *bin = strrchr(path, '/');
    if (bin)
        *bin = '\0';
    snprintf(folder, sizeof folder, "%s/lib/miniprofd", path);
    snprintf(loader, sizeof loader, "%s/loader", folder);
    snprintf(program, sizeof program, "%s/miniprofd", folder);
    char **words = calloc((size_t)count + 7, sizeof *words);
    if (!words) {
        fputs("miniprofd: Out of memory. Free some, and start it again.\n", stderr);
        return 1;
    }
    char *first[] = {loader, "--inhibit-cache", "--library-path", folder, "--argv0", arguments[0], program};
    memcpy(words, first, sizeof first);
    memcpy(words + 7, arguments + 1, (size_t)count * sizeof *words); /* with the NULL at their end */
    execv(loader, words);
    fprintf(stderr,
            "miniprofd: Cannot start %s: %s. Unpack the whole archive, and leave bin/ and lib/ beside each "
            "other.\n",
            loader, strerror(errno));
    return 1;
}
