/* targets_file.c - the list of addresses that Prometheus collects from. */
#include "targets_file.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/jsonio.h"
#include "base/text.h"
#include "base/wholefile.h"

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

enum { MOST_MIB = 4, LOCK_MS = 10000, LOCK_PAUSE_MS = 5 };

static bool name_beside(char name[PATH_MAX], const char *path, const char *ending, struct error *err)
{
    int n = snprintf(name, PATH_MAX, "%s%s", path, ending);
    return (n > 0 && n < PATH_MAX) || error_set(err, "The name of the file to announce in is too long.");
}

/* A descriptor that has the lock until it is closed; -1 when there is none. */
static int lock(const char *path, struct error *err)
{
    char name[PATH_MAX];
    if (!name_beside(name, path, ".lock", err))
        return -1;
    int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (fd < 0) {
        error_set_errno(err, errno, "Cannot announce in %s: its lock %s cannot be opened", path, name);
        return -1;
    }
    for (uint64_t end_ms = clock_monotonic_ms() + LOCK_MS; flock(fd, LOCK_EX | LOCK_NB) != 0;) {
        if ((errno == EWOULDBLOCK || errno == EINTR) && clock_monotonic_ms() < end_ms) {
            nanosleep(&(struct timespec){.tv_nsec = LOCK_PAUSE_MS * 1000000L}, NULL);
            continue;
        }
        error_set_errno(err, errno, "Cannot announce in %s: somebody keeps %s locked", path, name);
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

/* An entry of which nothing is lost when it is written again. */
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

/* Text of a file need not be valid UTF-8. False: memory is used up. */
static bool write_text(struct json *json, const char *text, bool is_key)
{
    char *clean = text_clean_utf8_dup(text, strlen(text));
    if (!clean)
        return false;
    json_text(json, NULL, clean);
    if (is_key) {
        sink_char(json->sink, ':');
        json->comma = false;
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
    json_object_close(json);
    json_object_close(json);
}

/* Writes the list without the entries of `address`, an entry a line, and `ours` after them, if it is not
 * NULL. */
static bool write_list(struct sink *sink, const struct jsonio *list, const char *address,
                       const struct targets_entry *ours, const char *path, struct error *err)
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
        if (has_target(entry, address))
            continue;
        sink_text(sink, written++ ? ",\n" : "\n");
        json.comma = false;
        if (!write_again(&json, entry))
            return error_set(err, "Memory is used up.");
    }
    if (ours) {
        sink_text(sink, written ? ",\n" : "\n");
        json.comma = false;
        write_ours(&json, ours);
    }
    sink_text(sink, "\n]\n");
    return !sink->failed || error_set(err, "Memory is used up.");
}

/* Makes the file anew, under its name once all of it is on the disk. */
static bool replace(const char *path, const struct sink_buffer *text, struct error *err)
{
    char name[PATH_MAX];
    if (!name_beside(name, path, ".new", err))
        return false;
    unlink(name); /* of one that was killed; whoever has the lock is alone */
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0)
        return error_set_errno(err, errno, "Cannot announce in %s: %s cannot be made", path, name);
    size_t n = 0;
    while (n < text->n) {
        ssize_t some = write(fd, text->bytes + n, text->n - n);
        if (some < 0 && errno != EINTR)
            break;
        n += some > 0 ? (size_t)some : 0;
    }
    bool good = n == text->n && fsync(fd) == 0;
    int why = errno;
    close(fd);
    if (good && rename(name, path) == 0)
        return true;
    if (good)
        why = errno;
    unlink(name);
    return error_set_errno(err, why, "Cannot announce in %s", path);
}

/* Reads the file; a file that is empty, or not there, is an empty list. The caller frees *list in any case.
 */
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

static bool change(const char *path, const char *address, const struct targets_entry *ours, struct error *err)
{
    struct jsonio *list;
    int fd = lock(path, err);
    if (fd < 0)
        return false;
    bool good = read_list(path, &list, err);
    if (good && (list || ours)) {
        struct sink_buffer text;
        sink_buffer_init(&text);
        good = write_list(&text.sink, list, address, ours, path, err) && replace(path, &text, err);
        sink_buffer_fini(&text);
    }
    jsonio_free(list);
    close(fd);
    return good;
}

bool targets_file_put(const char *path, const struct targets_entry *entry, struct error *err)
{
    return change(path, entry->address, entry, err);
}

bool targets_file_remove(const char *path, const char *address, struct error *err)
{
    return change(path, address, NULL, err);
}
