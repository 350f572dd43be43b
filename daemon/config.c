/* config.c - the configuration file. */
#include "config.h"

#include "base/jsonio.h"
#include "base/sink.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { CONFIG_MAX = 1 << 20 }; /* bytes */

/* Fills `content`, which the caller frees in any case. */
static bool read_file(const char *path, struct sink_buffer *content, struct error *err)
{
    sink_buffer_init(content);
    content->limit = CONFIG_MAX;
    FILE *file = fopen(path, "re");
    if (!file)
        return error_set_errno(err, errno, "Cannot read the configuration file %s", path);
    char chunk[4096];
    for (size_t n; (n = fread(chunk, 1, sizeof chunk, file)) > 0;)
        sink_write(&content->sink, chunk, n);
    bool good = !ferror(file) && !content->sink.failed;
    fclose(file);
    return good ||
           error_set(err, "Cannot read the configuration file %s: it must be a file of at most 1 MiB.", path);
}

static bool hand_on(const char *name, const struct jsonio *value, config_fn take, void *user,
                    struct error *err)
{
    bool flag;
    double number;
    if (jsonio_bool(value, &flag))
        return !flag || take(user, name, NULL, err);
    if (jsonio_text(value))
        return take(user, name, jsonio_text(value), err);
    if (jsonio_double(value, &number)) {
        char text[64];
        snprintf(text, sizeof text, "%.15g", number);
        return take(user, name, text, err);
    }
    return error_set(
        err, "The configuration's '%s' must be a text, a number, true, false, or a list of texts.", name);
}

bool config_read(const char *path, config_fn take, void *user, struct error *err)
{
    struct sink_buffer content;
    struct jsonio *top = NULL;
    bool good = read_file(path, &content, err);
    if (good) {
        top = jsonio_parse(path, content.bytes ? content.bytes : "", content.n, err);
        good = top && (jsonio_is_object(top) ||
                       error_set(err, "The configuration file %s must hold a JSON object.", path));
    }
    for (size_t i = 0; good && i < jsonio_count(top); i++) {
        const struct jsonio *member = jsonio_at(top, i);
        if (!jsonio_is_array(member)) {
            good = hand_on(jsonio_name(member), member, take, user, err);
            continue;
        }
        for (size_t j = 0; good && j < jsonio_count(member); j++)
            good = hand_on(jsonio_name(member), jsonio_at(member, j), take, user, err);
    }
    jsonio_free(top);
    sink_buffer_fini(&content);
    return good;
}
