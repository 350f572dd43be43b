/* confinement.c - drops the daemon's rights to files, devices, TCP ports and signals (Landlock). The system calls
 * that it may make are in allowed_calls.c. */
#include "process/confinement.h"

#include "process/allowed_calls.h"
#include "process/landlock.h"
#include "process/observed.h"

#include <dirent.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    WRITES = LANDLOCK_FILE_WRITE | LANDLOCK_FILE_REMOVE_DIR | LANDLOCK_FILE_REMOVE | LANDLOCK_FILE_MAKE_CHAR |
             LANDLOCK_FILE_MAKE_DIR | LANDLOCK_FILE_MAKE_REG | LANDLOCK_FILE_MAKE_SOCK |
             LANDLOCK_FILE_MAKE_FIFO | LANDLOCK_FILE_MAKE_BLOCK | LANDLOCK_FILE_MAKE_SYM |
             LANDLOCK_FILE_TRUNCATE,
    WRITES_TO_PLACES =
        LANDLOCK_FILE_WRITE | LANDLOCK_FILE_MAKE_REG | LANDLOCK_FILE_REMOVE | LANDLOCK_FILE_TRUNCATE,
    WRITES_TO_SOCKET = LANDLOCK_FILE_MAKE_SOCK | LANDLOCK_FILE_REMOVE, /* REMOVE: for a stale socket */
    USE_OF_DEVICE = LANDLOCK_FILE_READ | LANDLOCK_FILE_WRITE | LANDLOCK_FILE_DEVICE_IOCTL,
    DNS_PORT = 53,
};

static struct {
    bool calls;
    int landlock; /* version; 0: not applied */
} in_force;

/* Gets the folder of a file, or the folder itself. False when the name is too long. */
static bool folder_of(char folder[PATH_MAX], const char *path)
{
    struct stat about;
    int n = snprintf(folder, PATH_MAX, "%s", path);
    if (n < 0 || n >= PATH_MAX)
        return false;
    if (stat(folder, &about) == 0 && S_ISDIR(about.st_mode))
        return true;
    char *slash = strrchr(folder, '/');
    if (!slash)
        strcpy(folder, ".");
    else
        slash[slash == folder] = '\0';
    return true;
}

/* Allows writing a file. A regular file is made under a temporary name and renamed, so the rule is for its folder.
 * A pipe or a device is written directly. */
static void allow_place(struct landlock *landlock, const char *path, uint64_t rights)
{
    char folder[PATH_MAX];
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode) &&
        !S_ISSOCK(about.st_mode))
        landlock_allow(landlock, path, rights);
    else if (folder_of(folder, path))
        landlock_allow(landlock, folder, rights);
}

/* Allows reading everywhere, since an ELF names sources in any folder, except devices, such as the user's other
 * terminals and disks. */
static void allow_reading(struct landlock *landlock, const struct confinement *confinement)
{
    static const char *const devices[] = {"/dev/null",   "/dev/zero",    "/dev/full",
                                          "/dev/random", "/dev/urandom", "/dev/shm"};
    char path[NAME_MAX + 2];
    DIR *root = opendir("/");
    for (struct dirent *entry; root && (entry = readdir(root));) {
        snprintf(path, sizeof path, "/%s", entry->d_name);
        if (strcmp(entry->d_name, "dev") != 0 && strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0)
            landlock_allow(landlock, path, LANDLOCK_FILE_READ);
    }
    if (root)
        closedir(root);
    else
        landlock->has_failed = true;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        landlock_allow(landlock, devices[i], LANDLOCK_FILE_READ);
    if (confinement->capture)
        landlock_allow(landlock, confinement->capture, LANDLOCK_FILE_READ);
    for (size_t i = 0; i < confinement->elf_n; i++) /* in "/", since another file may replace it */
        allow_place(landlock, confinement->elfs[i], LANDLOCK_FILE_READ);
}

/* Allows a device. A port that is plugged in again is a new file, so the rule is for the folder of devices. */
static void allow_device(struct landlock *landlock, const char *path)
{
    char device[PATH_MAX], folder[PATH_MAX];
    landlock_allow(landlock, "/dev", USE_OF_DEVICE);
    if (realpath(path, device) && folder_of(folder, device))
        landlock_allow(landlock, folder, USE_OF_DEVICE);
}

static void allow_writing(struct landlock *landlock, const struct confinement *confinement)
{
    for (size_t i = 0; i < confinement->n; i++)
        allow_place(landlock, confinement->places[i], WRITES_TO_PLACES);
/* For scripts/coverage: the folder to which the program writes its coverage at the end. */
#ifdef COVERAGE_TO
    landlock_allow(landlock, COVERAGE_TO, WRITES_TO_PLACES);
#endif
    if (confinement->socket)
        allow_place(landlock, confinement->socket, WRITES_TO_SOCKET);
    if (confinement->device)
        allow_device(landlock, confinement->device);
}

static void allow_ports(struct landlock *landlock, const struct confinement *confinement)
{
    if (confinement->listen_port >= 0)
        landlock_allow_tcp(landlock, LANDLOCK_TCP_BIND, (uint16_t)confinement->listen_port);
    if (confinement->peer >= CONFINEMENT_ADDRESS)
        landlock_allow_tcp(landlock, LANDLOCK_TCP_CONNECT, (uint16_t)confinement->peer_port);
    if (confinement->peer == CONFINEMENT_NAME)
        landlock_allow_tcp(landlock, LANDLOCK_TCP_CONNECT, DNS_PORT);
}

void confinement_keep_capabilities(uint32_t kept)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
    if (IS_OBSERVED || syscall(SYS_capget, &header, sets) != 0)
        return;
    for (size_t i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
        sets[i].permitted &= i == 0 ? kept : 0;
        sets[i].effective &= sets[i].permitted;
        sets[i].inheritable = 0;
    }
    syscall(SYS_capset, &header, sets);
}

void confinement_restrict_rights(const struct confinement *confinement)
{
    struct landlock landlock;
    const uint64_t files =
        WRITES | LANDLOCK_FILE_READ | LANDLOCK_FILE_DEVICE_IOCTL | (IS_OBSERVED ? 0 : LANDLOCK_FILE_EXECUTE);
    /* With these, root can open users' ports and files, and listen at any port. */
    confinement_keep_capabilities(1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH |
                                  1U << CAP_NET_BIND_SERVICE);
    bool can_gain_rights = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0;
    if (can_gain_rights || !landlock_init(&landlock, files, LANDLOCK_TCP_BIND | LANDLOCK_TCP_CONNECT))
        return;
    allow_reading(&landlock, confinement);
    allow_writing(&landlock, confinement);
    allow_ports(&landlock, confinement);
    in_force.landlock = landlock_begin(&landlock);
}

void confinement_restrict_calls(const struct confinement *confinement)
{
    in_force.calls = allowed_calls_begin(confinement);
}

const char *confinement_in_force(void)
{
    static char text[64];
    if (in_force.landlock > 0)
        snprintf(text, sizeof text, "%sLandlock %d", in_force.calls ? "seccomp, " : "", in_force.landlock);
    else
        snprintf(text, sizeof text, "%s", in_force.calls ? "seccomp" : "nothing");
    return text;
}
