/* process_metrics.c - writes metrics of the daemon's process, from Linux's /proc (proc(5)). */
#include "api/process_metrics.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static void write_process_metric(struct sink *sink, const char *name, const char *type, const char *help,
                                 double value)
{
    sink_printf(sink, "# HELP process_%s %s\n# TYPE process_%s %s\nprocess_%s %.15g\n", name, help, name,
                type, name, value);
}

static bool read_text(const char *path, char *out, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, out, size - 1);
    close(fd);
    out[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* Returns field `nth` >= 3 of /proc/self/stat, 0 when it is missing. Field 2 is the program's name, which may
 * contain anything but ends with the last parenthesis. */
static unsigned long long stat_field(const char *stat, int nth)
{
    unsigned long long value = 0;
    const char *at = strrchr(stat, ')');
    for (int i = 2; at && i < nth; i++)
        at = strchr(at + 1, ' ');
    if (at)
        sscanf(at, " %llu", &value);
    return value;
}

enum { FIELD_THREADS = 20, FIELD_START = 22, FIELD_VIRTUAL = 23, FIELD_RESIDENT = 24 };

/* Returns the time of the system's boot in seconds since 1970. */
static double booted_s(void)
{
    struct timespec now, up;
    clock_gettime(CLOCK_REALTIME, &now);
    clock_gettime(CLOCK_BOOTTIME, &up);
    return (double)(now.tv_sec - up.tv_sec) + (double)(now.tv_nsec - up.tv_nsec) / 1e9;
}

static void write_stat(struct sink *sink)
{
    char stat[1024];
    if (!read_text("/proc/self/stat", stat, sizeof stat))
        return;
    write_process_metric(sink, "virtual_memory_bytes", "gauge", "Address space of the daemon.",
                         (double)stat_field(stat, FIELD_VIRTUAL));
    write_process_metric(sink, "resident_memory_bytes", "gauge", "Memory of the daemon.",
                         (double)stat_field(stat, FIELD_RESIDENT) * (double)sysconf(_SC_PAGESIZE));
    write_process_metric(sink, "threads", "gauge", "Threads of the daemon.",
                         (double)stat_field(stat, FIELD_THREADS));
    write_process_metric(sink, "start_time_seconds", "gauge",
                         "When the daemon was started, in seconds since 1970.",
                         booted_s() + (double)stat_field(stat, FIELD_START) / (double)sysconf(_SC_CLK_TCK));
}

static void write_files(struct sink *sink)
{
    struct rlimit limit;
    DIR *folder = opendir("/proc/self/fd");
    if (folder) {
        double n = -3; /* not counted: `folder` itself, "." and ".." */
        while (readdir(folder))
            n++;
        closedir(folder);
        write_process_metric(sink, "open_fds", "gauge", "Files and connections that the daemon has open.", n);
    }
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
        write_process_metric(sink, "max_fds", "gauge", "Files and connections that it may have open.",
                             (double)limit.rlim_cur);
}

void process_write(struct sink *sink)
{
    struct rusage used;
    if (getrusage(RUSAGE_SELF, &used) == 0)
        write_process_metric(sink, "cpu_seconds_total", "counter", "Time that the daemon had a processor.",
                             (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                                 (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6);
    write_stat(sink);
    write_files(sink);
}
