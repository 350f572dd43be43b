/* targets_file.c - edits the list of addresses from which Prometheus collects. */
#include "announce/targets_file.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/jsonio.h"
#include "base/text.h"
#include "base/wholefile.h"
#include "announce/targets_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_MIB = 4, LOCK_PAUSE_MS = 5 };

/* Prometheus and similar programs drop labels that begin with two underscores before storing data. */
static const char process_label[] = "__miniprofd_process";

static bool name_beside(char name[PATH_MAX], const char *path, const char *ending, struct error *err)
{
    int n = snprintf(name, PATH_MAX, "%s%s", path, ending);
    return (n > 0 && n < PATH_MAX) || error_set(err, "The name of the file to announce in is too long.");
}

/* Opens the lock file, which another user may own. Read access is enough to lock it, except on some network file
 * systems. */
static int open_lock(const char *name)
{
    const int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    int fd = open(name, O_RDWR | flags);
    if (fd < 0 && errno == ENOENT)
        fd = open(name, O_RDWR | O_CREAT | flags, 0666);
    return fd < 0 && errno == EACCES ? open(name, O_RDONLY | flags) : fd;
}

/* Returns a descriptor that keeps the lock until it is closed, or -1. */
static int lock_targets_file(const char *path, const targets_deadline *deadline, struct error *err)
{
    char name[PATH_MAX];
    if (!name_beside(name, path, ".lock", err))
        return -1;
    int fd = open_lock(name);
    if (fd < 0) {
        error_set_errno(err, errno, "Cannot announce in %s: its lock %s cannot be opened", path, name);
        return -1;
    }
    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if ((errno == EWOULDBLOCK || errno == EINTR) && clock_monotonic_ms() < atomic_load(deadline)) {
            nanosleep(&(struct timespec){.tv_nsec = LOCK_PAUSE_MS * 1000000L}, NULL);
            continue;
        }
        error_set(err, "Cannot announce in %s: another program keeps %s locked; 'fuser %s' shows which.",
                  path, name, name);
        close(fd);
        return -1;
    }
    return fd;
}

static bool is_list_of_texts(const struct jsonio *list)
{
    for (const struct jsonio *one = jsonio_first(list); one; one = jsonio_next(one))
        if (!jsonio_text(one))
            return false;
    return true;
}

/* True for an entry that can be written back without loss. */
static bool is_entry(const struct jsonio *entry)
{
    const struct jsonio *targets = jsonio_member(entry, "targets"), *labels = jsonio_member(entry, "labels");
    if (!jsonio_is_object(entry) || !jsonio_is_array(targets) || !is_list_of_texts(targets) ||
        (labels && (!jsonio_is_object(labels) || !is_list_of_texts(labels))))
        return false;
    return jsonio_count(entry) == (labels ? 2 : 1);
}

static bool has_target(const struct jsonio *entry, const char *address)
{
    const struct jsonio *target = jsonio_first(jsonio_member(entry, "targets"));
    for (; target; target = jsonio_next(target))
        if (!strcmp(jsonio_text(target), address))
            return true;
    return false;
}

static bool is_dead(const struct jsonio *entry)
{
    const char *process = jsonio_text(jsonio_member(jsonio_member(entry, "labels"), process_label));
    return process && targets_process_has_ended(process);
}

/* Writes text of the file, made valid UTF-8. False when memory is used up. */
static bool write_text(struct json *json, const char *text, bool is_key)
{
    char *clean = text_clean_utf8_dup(text, strlen(text));
    if (!clean)
        return false;
    json_text(json, NULL, clean);
    if (is_key) {
        sink_char(json->sink, ':');
        json->has_comma = false;
    }
    free(clean);
    return true;
}

static bool write_again(struct json *json, const struct jsonio *entry)
{
    bool good = true;
    json_object_open(json, NULL);
    json_array_open(json, "targets");
    const struct jsonio *one = jsonio_first(jsonio_member(entry, "targets"));
    for (; good && one; one = jsonio_next(one))
        good = write_text(json, jsonio_text(one), false);
    json_array_close(json);
    json_object_open(json, "labels");
    one = jsonio_first(jsonio_member(entry, "labels"));
    for (; good && one; one = jsonio_next(one))
        good = write_text(json, jsonio_name(one), true) && write_text(json, jsonio_text(one), false);
    json_object_close(json);
    json_object_close(json);
    return good;
}

static void write_ours(struct json *json, const struct targets_entry *entry)
{
    json_object_open(json, NULL);
    json_array_open(json, "targets");
    json_text(json, NULL, entry->address);
    json_array_close(json);
    json_object_open(json, "labels");
    json_text(json, "board", entry->board);
    json_text(json, "version", entry->version);
    if (*entry->build_id)
        json_text(json, "build_id", entry->build_id);
    if (*entry->process)
        json_text(json, process_label, entry->process);
    json_object_close(json);
    json_object_close(json);
}

/* A change of the list. */
struct change {
    const char *address; /* remove entries with this address */
    bool removes_dead;
    const struct targets_entry *ours; /* to add; NULL: none */
};

/* Writes the changed list, one entry per line. */
static bool write_list(struct sink *sink, const struct jsonio *list, const struct change *change,
                       const char *path, struct error *err)
{
    struct json json = {.sink = sink};
    size_t number = 0, written = 0;
    sink_char(sink, '[');
    for (const struct jsonio *entry = jsonio_first(list); entry; entry = jsonio_next(entry)) {
        number++;
        if (!is_entry(entry))
            return error_set(err,
                             "%s is left as it is, since its entry %zu is none of Prometheus: it takes "
                             "\"targets\", a list of addresses, and \"labels\".",
                             path, number);
        if (has_target(entry, change->address) || (change->removes_dead && is_dead(entry)))
            continue;
        sink_text(sink, written++ ? ",\n" : "\n");
        json.has_comma = false;
        if (!write_again(&json, entry))
            return error_set(err, "Out of memory.");
    }
    if (change->ours) {
        sink_text(sink, written ? ",\n" : "\n");
        json.has_comma = false;
        write_ours(&json, change->ours);
    }
    sink_text(sink, "\n]\n");
    return !sink->failed || error_set(err, "Out of memory.");
}

static bool write_all(int fd, const char *bytes, size_t n)
{
    for (size_t done = 0; done < n;) {
        ssize_t some = write(fd, bytes + done, n - done);
        if (some < 0 && errno != EINTR)
            return false;
        done += some > 0 ? (size_t)some : 0;
    }
    return fsync(fd) == 0;
}

/* Overwrites the file, which had n_before bytes. Pads the list with blanks, which readers ignore, so that the file is
 * never shorter than a list. */
static bool overwrite_targets_file(int fd, size_t n_before, struct sink_buffer *text)
{
    while (text->n < n_before && !text->sink.failed)
        sink_char(&text->sink, text->n + 1 < n_before ? ' ' : '\n');
    return !text->sink.failed && write_all(fd, text->bytes, text->n);
}

/* True when replacing the file keeps its mode and group, and with `with_owner` also its owner. */
static bool is_alike(const struct stat *before, const struct stat *made, bool with_owner)
{
    return made->st_mode == before->st_mode && made->st_gid == before->st_gid &&
           (!with_owner || made->st_uid == before->st_uid);
}

/* Writes the text to the new file `fd`. If that has other rights than the old file, overwrites the old one instead and
 * sets *is_over. Another user's file without write permission is replaced anyway if group and mode stay the same. */
static bool write_one(int fd, const char *path, const struct stat *before, struct sink_buffer *text,
                      bool *is_over)
{
    struct stat made;
    if (before && fstat(fd, &made) != 0)
        return false;
    int old = before && !is_alike(before, &made, true)
                  ? open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
                  : -1;
    *is_over = old >= 0;
    if (before && old < 0 && !is_alike(before, &made, false))
        return false;
    bool good = old < 0 ? write_all(fd, text->bytes, text->n)
                        : overwrite_targets_file(old, (size_t)before->st_size, text);
    int why = errno;
    if (old >= 0)
        close(old);
    errno = why;
    return good;
}

/* Replaces the file's content. `before` is the old file, NULL when there is none. */
static bool replace_targets_file(const char *path, const struct stat *before, struct sink_buffer *text,
                                 struct error *err)
{
    char name[PATH_MAX];
    bool is_over = false;
    if (!name_beside(name, path, ".new", err))
        return false;
    unlink(name); /* left by a killed daemon; the lock excludes others */
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                  before ? before->st_mode & 0777 : 0666);
    if (fd < 0)
        return error_set_errno(err, errno, "Cannot announce in %s: %s cannot be made", path, name);
    bool good = write_one(fd, path, before, text, &is_over);
    int why = errno;
    close(fd);
    if (good && !is_over && rename(name, path) == 0)
        return true;
    if (good && !is_over)
        why = errno;
    unlink(name);
    return (good && is_over) || error_set_errno(err, why, "Cannot announce in %s", path);
}

/* Reads the file. An empty or missing file is an empty list. The caller frees *list in any case. */
static bool read_list(const char *path, struct jsonio **list, struct error *err)
{
    struct wholefile file;
    struct stat about;
    *list = NULL;
    if (stat(path, &about) != 0)
        return errno == ENOENT || error_set_errno(err, errno, "Cannot announce in %s", path);
    if (!wholefile_read(&file, "file to announce in", path, MOST_MIB, err))
        return false;
    bool good = file.n == 0;
    if (!good) {
        *list = jsonio_parse(path, file.bytes, file.n, err);
        good = jsonio_is_array(*list);
        if (*list && !good)
            error_set(err, "%s is left as it is, since it is no list of Prometheus' targets.", path);
    }
    free(file.bytes);
    return good;
}

/* Resolves links: finds the file that `path` leads to, or would create. */
static bool follow_links(const char *path, char real[static PATH_MAX], struct error *err)
{
    struct stat about;
    if (realpath(path, real))
        return true;
    if (errno == ENOENT && lstat(path, &about) == 0)
        return error_set(
            err, "Cannot announce in %s: it is a link to a file that does not exist; make that file.", path);
    return (errno == ENOENT && name_beside(real, path, "", err)) ||
           error_set_errno(err, errno, "Cannot announce in %s", path);
}

static bool change_file(const char *path, const struct change *change, const targets_deadline *deadline,
                        struct error *err)
{
    struct jsonio *list;
    struct stat before;
    char real[PATH_MAX];
    int fd = follow_links(path, real, err) ? lock_targets_file(real, deadline, err) : -1;
    if (fd < 0)
        return false;
    bool is_there = stat(real, &before) == 0;
    bool good = read_list(real, &list, err);
    if (good && (list || change->ours)) {
        struct sink_buffer text;
        sink_buffer_init(&text);
        good = write_list(&text.sink, list, change, real, err) &&
               replace_targets_file(real, is_there ? &before : NULL, &text, err);
        sink_buffer_fini(&text);
    }
    jsonio_free(list);
    close(fd);
    return good;
}

bool targets_file_put(const char *path, const struct targets_entry *entry, bool removes_dead,
                      const targets_deadline *deadline, struct error *err)
{
    const struct change change = {entry->address, removes_dead, entry};
    return change_file(path, &change, deadline, err);
}

bool targets_file_remove(const char *path, const char *address, const targets_deadline *deadline,
                         struct error *err)
{
    const struct change change = {.address = address};
    return change_file(path, &change, deadline, err);
}
