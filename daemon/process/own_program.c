#include "process/own_program.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The release archive has the launcher as bin/miniprofd, the loader as lib/miniprofd/loader. */
static const char loader_place[] = "/lib/miniprofd/loader", launcher_place[] = "/bin/miniprofd";

const char *own_program_path(void)
{
    static const char itself[] = "/proc/self/exe";
    static char path[PATH_MAX];
    ssize_t length = readlink(itself, path, sizeof path - 1);
    if (length < (ssize_t)(sizeof loader_place - 1))
        return itself;
    path[length] = '\0';
    char *place = path + length - (sizeof loader_place - 1);
    if (strcmp(place, loader_place) != 0)
        return itself;
    snprintf(place, sizeof loader_place, "%s", launcher_place);
    return path;
}
