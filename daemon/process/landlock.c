/* landlock.c - drops rights with the kernel's version of Landlock. */
#include "process/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The structures of linux/landlock.h, which on older systems has only their first members. */
struct ruleset {
    uint64_t files;
    uint64_t tcp;    /* since version 4 */
    uint64_t scoped; /* since version 6 */
};
struct port_rule {
    uint64_t rights;
    uint64_t port;
};
enum { RULE_TCP_PORT = 2, SCOPED_ABSTRACT_SOCKETS = 1 << 0, SCOPED_SIGNALS = 1 << 1 };
enum { HAS_TRUNCATE = 3, HAS_TCP = 4, HAS_DEVICE_IOCTL = 5, HAS_SCOPES = 6 };

/* The rights that a rule for a file, not a folder, may have. */
enum {
    RIGHTS_TO_A_FILE = LANDLOCK_FILE_EXECUTE | LANDLOCK_FILE_WRITE | LANDLOCK_FILE_READ |
                       LANDLOCK_FILE_TRUNCATE | LANDLOCK_FILE_DEVICE_IOCTL
};

bool landlock_init(struct landlock *landlock, uint64_t files, uint64_t tcp)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    *landlock = (struct landlock){.fd = -1, .version = version > 0 ? (int)version : 0};
    if (landlock->version < HAS_TRUNCATE)
        files &= ~(uint64_t)LANDLOCK_FILE_TRUNCATE;
    if (landlock->version < HAS_DEVICE_IOCTL)
        files &= ~(uint64_t)LANDLOCK_FILE_DEVICE_IOCTL;
    landlock->files = files;
    landlock->tcp = landlock->version < HAS_TCP ? 0 : tcp;
    const struct ruleset set = {
        .files = files,
        .tcp = landlock->tcp,
        .scoped = landlock->version < HAS_SCOPES ? 0 : SCOPED_ABSTRACT_SOCKETS | SCOPED_SIGNALS,
    };
    if (landlock->version > 0)
        landlock->fd = (int)syscall(SYS_landlock_create_ruleset, &set, sizeof set, 0);
    return landlock->fd >= 0;
}

void landlock_allow(struct landlock *landlock, const char *path, uint64_t rights)
{
    struct stat about;
    struct landlock_path_beneath_attr rule = {.parent_fd = open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent_fd < 0) {
        landlock->has_failed |= errno != ENOENT && errno != ENOTDIR && errno != EACCES;
        return;
    }
    bool is_folder = fstat(rule.parent_fd, &about) == 0 && S_ISDIR(about.st_mode);
    rule.allowed_access = rights & landlock->files & (is_folder ? ~UINT64_C(0) : RIGHTS_TO_A_FILE);
    if (rule.allowed_access != 0 &&
        syscall(SYS_landlock_add_rule, landlock->fd, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0 &&
        errno != EBADFD) /* a pipe or socket, which Landlock does not restrict */
        landlock->has_failed = true;
    close(rule.parent_fd);
}

void landlock_allow_tcp(struct landlock *landlock, uint64_t rights, uint16_t port)
{
    const struct port_rule rule = {.rights = rights & landlock->tcp, .port = port};
    if (rule.rights != 0 && syscall(SYS_landlock_add_rule, landlock->fd, RULE_TCP_PORT, &rule, 0) != 0)
        landlock->has_failed = true;
}

int landlock_begin(struct landlock *landlock)
{
    bool good = !landlock->has_failed && syscall(SYS_landlock_restrict_self, landlock->fd, 0) == 0;
    close(landlock->fd);
    return good ? landlock->version : 0;
}
