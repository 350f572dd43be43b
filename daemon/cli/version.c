/* version.c - what --version prints. */
#include "cli/version.h"

#include "commit.h" /* made by meson */

#include <link.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* libz.so.1 is a link to libz.so.1.2.13. A program that is linked statically has none. */
static int write_library(struct dl_phdr_info *info, size_t size, void *sink)
{
    char path[PATH_MAX];
    (void)size;
    if (info->dlpi_name[0] != '/' || !realpath(info->dlpi_name, path))
        return 0; /* ourselves, and what the kernel provides */
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
