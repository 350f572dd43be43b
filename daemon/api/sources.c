/* sources.c - decides which files of this machine may be shown as source code. */
#include "api/sources.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Suffixes of source files for microcontrollers and of the files that they include. */
static const char *const suffixes[] = {"c",   "h",   "cc",  "hh",  "cpp", "hpp", "cxx", "hxx", "c++",
                                       "h++", "inc", "inl", "ipp", "tcc", "tpp", "def", "ino", "s",
                                       "S",   "sx",  "asm", "x",   "rs",  "zig", "go",  "d",   "ada",
                                       "adb", "ads", "nim", "m",   "mm",  "f90", "f95", "for"};

/* No program is built in these folders, even if an ELF claims it. */
static const char *const systems[] = {"/etc", "/proc", "/sys", "/dev", "/run", "/boot"};

static bool is_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return n > 1 && strncmp(path, folder, n) == 0 && path[n] == '/';
}

/* Like is_below(), with the folder's links followed. False for a missing folder. */
static bool is_really_below(const char *path, const char *folder)
{
    char real[PATH_MAX];
    return realpath(folder, real) && is_below(path, real);
}

static bool has_source_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
        if (strcasecmp(dot + 1, suffixes[i]) == 0)
            return true;
    return false;
}

/* Replaces an absolute path by its folder's. False when that is the root. */
static bool climb_to_parent(char *path)
{
    char *slash = strrchr(path, '/');
    *slash = '\0';
    return slash > path;
}

static bool is_with_the_program(const struct sources *sources, const char *real, const char *built_in)
{
    char folder[PATH_MAX];
    if (realpath(sources->elf, folder) && climb_to_parent(folder) && is_below(real, folder))
        return true;
    if (!built_in || *built_in != '/' || !realpath(built_in, folder))
        return false;
    return is_below(real, folder) || (climb_to_parent(folder) && is_below(real, folder));
}

static bool is_of_the_system(const char *real)
{
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
        if (is_below(real, systems[i]))
            return true;
    return false;
}

bool sources_admit(const struct sources *sources, const char *path, const char *built_in,
                   char real[static PATH_MAX], struct error *err)
{
    if (!realpath(path, real))
        return error_set_errno(err, errno, "Cannot read the source file %.300s", path);
    if (sources->any)
        return true;
    for (size_t i = 0; i < sources->map_n; i++)
        if (is_really_below(real, sources->maps[i].to))
            return true;
    if (!is_of_the_system(real) && has_source_name(real) && is_with_the_program(sources, real, built_in))
        return true;
    return error_set(err,
                     "%.300s is not shown, since it lies neither with the ELF, nor where that was built, nor "
                     "below a --source-path; --source-any shows whatever the ELF names.",
                     path);
}
