/* version.c - prints --version. */
#include "cli/version.h"

#include "commit.h" /* made by meson */

#include <link.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Writes a library's file name, with links resolved: libz.so.1.2.13, not libz.so.1. */
static int write_library(struct dl_phdr_info *info, size_t size, void *sink)
{
    char path[PATH_MAX];
    (void)size;
    if (info->dlpi_name[0] != '/' || !realpath(info->dlpi_name, path))
        return 0; /* the program itself, and the kernel's vDSO */
    sink_printf(sink, "%s\n", strrchr(path, '/') + 1);
    return 0;
}

void version_write(struct sink *sink, bool is_verbose)
{
    sink_text(sink, "miniprofd " MINIPROFD_VERSION "\n");
    if (!is_verbose)
        return;
    sink_text(sink, *MINIPROFD_COMMIT ? "commit " MINIPROFD_COMMIT "\n" : "commit unknown\n");
    dl_iterate_phdr(write_library, sink);
}
