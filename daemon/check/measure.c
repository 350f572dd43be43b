/* measure.c - measures a profile by running this program in another process.
 *
 * So the profile is exactly what the daemon writes, with any of its options. */
#include "check/measure.h"

#include "check/measured.h"
#include "process/own_program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The daemon's exit statuses (main.c). */
enum { ENDED_WELL = 0, ENDED_USAGE = 2, ENDED_LIMIT = 3, ENDED_INCOMPLETE = 4 };

enum { OWN_ARGUMENTS = 4 };

static bool choose_path(const char *keep, char path[static MEASURE_PATH_SIZE], struct error *err)
{
    const char *folder = getenv("TMPDIR");
    struct stat there;
    if (keep) {
        /* A pipe or the like cannot be replaced, so it is written directly. */
        bool is_file = stat(keep, &there) != 0 || S_ISREG(there.st_mode);
        if (snprintf(path, MEASURE_PATH_SIZE, is_file ? "%s.XXXXXX" : "%s", keep) >= MEASURE_PATH_SIZE)
            return error_set(err, "--keep has a path that is too long; give a shorter one.");
        int file = is_file ? mkstemp(path) : -1;
        if (is_file && file < 0)
            return error_set_errno(err, errno, "Cannot make a file for what is measured beside %s", keep);
        if (is_file)
            close(file);
        return true;
    }
    int n =
        snprintf(path, MEASURE_PATH_SIZE, "%s/miniprofd-check-XXXXXX", folder && *folder ? folder : "/tmp");
    int fd = n < MEASURE_PATH_SIZE ? mkstemp(path) : -1;
    if (fd < 0)
        return error_set_errno(err, errno, "Cannot make a file for what is measured in %s",
                               folder && *folder ? folder : "/tmp");
    close(fd);
    return true;
}

static enum measure_outcome judge_wait_status(int status, bool interrupted, struct error *err)
{
    if (interrupted)
        error_set(err, "Measuring was interrupted, so nothing was compared.");
    else if (WIFSIGNALED(status))
        error_set(err, "The process that measures was ended by signal %d; start it again.", WTERMSIG(status));
    else if (WEXITSTATUS(status) == ENDED_WELL || WEXITSTATUS(status) == ENDED_LIMIT ||
             WEXITSTATUS(status) == ENDED_INCOMPLETE)
        return MEASURE_DONE;
    else if (WEXITSTATUS(status) == ENDED_USAGE)
        return MEASURE_USAGE;
    return MEASURE_FAILED;
}

static size_t count_arguments(const char *const *arguments)
{
    size_t n = 1;
    while (arguments[n])
        n++;
    return n;
}

static enum measure_outcome run_measuring_process(const char *const *arguments, struct error *err)
{
    sigset_t before;
    own_program_block_signals(&before);
    /* A cancelled job may be killed while the next one needs the port, so the child ends with this process. */
    const struct own_program_start start = {
        .arguments = arguments, .blocked = &before, .in = -1, .out = -1, .log = -1};
    pid_t child = own_program_start(&start);
    bool interrupted = false;
    int status = child > 0 ? own_program_wait(child, &interrupted) : 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (child > 0)
        return judge_wait_status(status, interrupted, err);
    error_set_errno(err, errno, "Cannot start a process to measure in");
    return MEASURE_FAILED;
}

/* Returns the status of the file at the path, zeros when there is none. */
static struct stat file_at(const char *path)
{
    struct stat stat_ = {0};
    return stat(path, &stat_) == 0 ? stat_ : (struct stat){0};
}

/* True when the file was written. --version and the like also succeed, but leave an older profile there. */
static bool is_written(const char *path, const struct stat *before)
{
    struct stat now = file_at(path);
    return now.st_ino != before->st_ino || now.st_size != before->st_size ||
           now.st_mtim.tv_sec != before->st_mtim.tv_sec || now.st_mtim.tv_nsec != before->st_mtim.tv_nsec;
}

/* Renames the measured file to `keep`, with the mode of a new file or of the one replaced. */
static bool put_in_place(const char *keep, char path[static MEASURE_PATH_SIZE], struct error *err)
{
    struct stat there;
    mode_t mask = umask(0);
    umask(mask);
    mode_t mode = stat(keep, &there) == 0 ? there.st_mode & 0777 : 0666 & ~mask;
    if (!strcmp(keep, path))
        return true;
    if (chmod(path, mode) != 0 || rename(path, keep) != 0)
        return error_set_errno(err, errno, "Cannot write %s", keep);
    snprintf(path, MEASURE_PATH_SIZE, "%s", keep);
    return true;
}

/* True when a limit could not be judged, for which the measuring process exits with 1 if nothing else failed. */
static bool has_unjudged_limit(const char *path)
{
    struct measured measured = {0};
    struct error err;
    bool has_one = false;
    if (measured_read(&measured, path, &err) == MEASURED_OK)
        for (size_t i = 0; i < measured.limits_n; i++)
            has_one |= !measured.limits[i].is_kept && !measured.limits[i].is_broken;
    measured_fini(&measured);
    return has_one;
}

enum measure_outcome measure(const char *arguments[], const char *keep, char path[static MEASURE_PATH_SIZE],
                             struct error *err)
{
    char export[MEASURE_PATH_SIZE + 8];
    size_t n = count_arguments(arguments);
    const char **all = calloc(OWN_ARGUMENTS + n, sizeof *all);
    *err = (struct error){""};
    if (!all) {
        error_set(err, "Out of memory.");
        return MEASURE_FAILED;
    }
    if (!choose_path(keep, path, err)) {
        free(all);
        return MEASURE_FAILED;
    }
    snprintf(export, sizeof export, "json=%s", path);
    /* These come first: the user's last option may lack its value, and must not take one of these for it. */
    const char *const own[] = {"miniprofd", "--no-http", "--export", export};
    memcpy(all, own, sizeof own);
    memcpy(all + OWN_ARGUMENTS, arguments + 1, (n - 1) * sizeof *all);
    struct stat before = file_at(path);
    enum measure_outcome outcome = run_measuring_process(all, err);
    if (outcome == MEASURE_FAILED && !*err->text && is_written(path, &before) && has_unjudged_limit(path))
        outcome = MEASURE_DONE; /* the gate judges it */
    if (outcome == MEASURE_DONE && !is_written(path, &before)) {
        error_set(err, "Nothing was measured: no profile was written; see miniprofd check --help.");
        outcome = MEASURE_FAILED;
    }
    if (outcome == MEASURE_DONE && keep && !put_in_place(keep, path, err))
        outcome = MEASURE_FAILED;
    if (outcome != MEASURE_DONE && (!keep || strcmp(keep, path) != 0))
        unlink(path);
    free(all);
    return outcome;
}
