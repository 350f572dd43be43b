/* targets_process.c - checks whether the daemon that wrote an entry still runs, by Linux's /proc. */
#include "announce/targets_process.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct place {
    unsigned long long machine, boot; /* 0: unknown */
    char numbers[48];                 /* the namespace's name in Linux; "": unknown */
};

static bool read_text(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* Returns the FNV-1a hash of a file's text, since a machine's id must stay secret. 0 when there is none. */
static unsigned long long hash_of(const char *path)
{
    char text[128];
    uint64_t hash = 0xCBF29CE484222325u;
    if (!read_text(path, text, sizeof text))
        return 0;
    for (const char *byte = text; *byte; byte++)
        hash = (hash ^ (unsigned char)*byte) * 0x100000001B3u;
    return hash;
}

static struct place place_of_this(void)
{
    struct place place = {.machine = hash_of("/etc/machine-id"),
                          .boot = hash_of("/proc/sys/kernel/random/boot_id")};
    ssize_t n = readlink("/proc/self/ns/pid", place.numbers, sizeof place.numbers - 1);
    place.numbers[n > 0 ? n : 0] = '\0';
    return place;
}

/* Returns the start of a process in ticks since the boot, 0 when there is none. The program's name in the file may
 * contain anything, but ends with the last parenthesis. */
static unsigned long long start_of(long pid)
{
    enum { BEFORE = 19 /* fields between that and the start */ };
    char path[32], text[1024];
    unsigned long long start = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    const char *at = read_text(path, text, sizeof text) ? strrchr(text, ')') : NULL;
    for (int i = 0; at && i <= BEFORE; i++)
        at = strchr(at + 1, ' ');
    if (at)
        sscanf(at, " %llu", &start);
    return start;
}

void targets_process_self(char text[static TARGETS_PROCESS_SIZE])
{
    const struct place here = place_of_this();
    unsigned long long start = start_of(getpid());
    text[0] = '\0';
    if (here.boot && *here.numbers && start)
        snprintf(text, TARGETS_PROCESS_SIZE, "%llx %llx %s %ld %llu", here.machine, here.boot, here.numbers,
                 (long)getpid(), start);
}

bool targets_process_has_ended(const char *text)
{
    const struct place here = place_of_this();
    struct place there;
    unsigned long long start;
    long pid;
    if (sscanf(text, "%llx %llx %47s %ld %llu", &there.machine, &there.boot, there.numbers, &pid, &start) !=
        5)
        return false;
    if (there.boot != here.boot)
        return there.machine != 0 && there.machine == here.machine;
    /* If process 1 is invisible, others may be hidden, too (hidepid). */
    if (strcmp(there.numbers, here.numbers) != 0 || access("/proc/1", F_OK) != 0)
        return false;
    return start_of(pid) != start;
}
