/* confinement.c - what the program gives up once it knows what it is to do. */
#include "confinement.h"

#include "base/callfilter.h"
#include "base/log.h"
#include "base/observed.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Writing in every sense. Reading is left free: an ELF names sources that lie anywhere. */
#define WRITES                                                                                               \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |        \
     LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |              \
     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |           \
     LANDLOCK_ACCESS_FS_MAKE_SYM)
#define WRITES_OF_OURS                                                                                       \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE)

/* A socket that was left is deleted, and so is ours at the end. */
#define SOCKET_OF_OURS (LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_REMOVE_FILE)

static bool allow_below(int rules, const char *path, uint64_t access)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = access};
    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0)
        return errno == ENOENT;
    bool good = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    close(rule.parent_fd);
    return good;
}

/* A file is made beside its place and then takes its name, so it is the folder that counts. */
static bool allow_place(int rules, const char *place, uint64_t access)
{
    char folder[PATH_MAX];
    struct stat about;
    int n = snprintf(folder, sizeof folder, "%s", place);
    if (n < 0 || n >= (int)sizeof folder)
        return true; /* nor can it be opened */
    if (stat(folder, &about) != 0 || !S_ISDIR(about.st_mode)) {
        char *slash = strrchr(folder, '/');
        if (!slash)
            strcpy(folder, ".");
        else
            slash[slash == folder] = '\0';
    }
    return allow_below(rules, folder, access);
}

static bool restrict_files(const struct confinement *confinement)
{
    const struct landlock_ruleset_attr all = {.handled_access_fs =
                                                  WRITES | (IS_OBSERVED ? 0 : LANDLOCK_ACCESS_FS_EXECUTE)};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
    if (rules < 0)
        return false;
    bool good = allow_below(rules, "/dev", LANDLOCK_ACCESS_FS_WRITE_FILE);
    for (size_t i = 0; good && i < confinement->n; i++)
        good = allow_place(rules, confinement->places[i], WRITES_OF_OURS);
/* For scripts/coverage: the folder in which the program tells, when it ends, what of it has run. */
#ifdef COVERAGE_TO
    good = good && allow_below(rules, COVERAGE_TO, WRITES_OF_OURS);
#endif
    if (good && confinement->socket)
        good = allow_place(rules, confinement->socket, SOCKET_OF_OURS);
    if (good && confinement->port)
        good = allow_below(rules, confinement->port, LANDLOCK_ACCESS_FS_WRITE_FILE);
    good = good && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return good;
}

#define REFUSE(name) CALLFILTER_AT(name, CALLFILTER_REFUSE)

/* What no part of the program calls, and whoever has got hold of it would. */
static bool restrict_calls(void)
{
#ifdef CALLFILTER_MACHINE
    static struct sock_filter steps[] = {
        CALLFILTER_BEGIN,
#if defined __x86_64__
        /* The same calls have other numbers from here on (x32). */
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        CALLFILTER_REFUSE,
#endif
#if !IS_OBSERVED
        REFUSE(execve),
        REFUSE(execveat),
        REFUSE(ptrace),
#endif
        REFUSE(process_vm_readv),
        REFUSE(process_vm_writev),
        REFUSE(mount),
        REFUSE(umount2),
        REFUSE(pivot_root),
        REFUSE(chroot),
        REFUSE(unshare),
        REFUSE(setns),
        REFUSE(bpf),
        REFUSE(perf_event_open),
        REFUSE(userfaultfd),
        REFUSE(keyctl),
        REFUSE(add_key),
        REFUSE(request_key),
        REFUSE(init_module),
        REFUSE(finit_module),
        REFUSE(delete_module),
        REFUSE(kexec_load),
        REFUSE(reboot),
        REFUSE(swapon),
        REFUSE(swapoff),
        REFUSE(settimeofday),
        REFUSE(clock_settime),
        REFUSE(sethostname),
        REFUSE(acct),
        REFUSE(quotactl),
        CALLFILTER_ALLOW,
    };
    return callfilter_begin(steps, sizeof steps / sizeof *steps);
#else
    return false;
#endif
}

void confinement_begin(const struct confinement *confinement)
{
    bool no_more_rights = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    bool files = no_more_rights && restrict_files(confinement);
    bool calls = no_more_rights && restrict_calls();
    log_write(LOG_DEBUG, "Confined: %s, %s.", files ? "writes to what was named only" : "no Landlock here",
              calls ? "starts nothing" : "no seccomp here");
}
