/* config.c - reads the configuration file. */
#include "cli/config.h"

#include "base/jsonio.h"
#include "base/wholefile.h"
#include "cli/command_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 1 }; /* MiB */

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

static bool is_section(const char *name)
{
#define COMMAND_WORD(word, run, arguments) word,
    static const char *const commands[] = {COMMAND_ROWS(COMMAND_WORD)};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(name, commands[i]))
            return true;
    return false;
}

static bool hand_on_members(const struct jsonio *object, bool has_sections, config_fn take, void *user,
                            struct error *err)
{
    bool good = true;
    for (const struct jsonio *member = jsonio_first(object); good && member; member = jsonio_next(member)) {
        const char *name = jsonio_name(member);
        if (has_sections && jsonio_is_object(member) && is_section(name))
            continue;
        if (!jsonio_is_array(member)) {
            good = hand_on(name, member, take, user, err);
            continue;
        }
        for (const struct jsonio *one = jsonio_first(member); good && one; one = jsonio_next(one))
            good = hand_on(name, one, take, user, err);
    }
    return good;
}

bool config_read(const char *path, const char *section, config_fn take, void *user, struct error *err)
{
    struct wholefile file;
    if (!wholefile_read(&file, "configuration file", path, FILE_MOST, err))
        return false;
    struct jsonio *top = jsonio_parse(path, file.bytes, file.n, err);
    bool good = top && (jsonio_is_object(top) ||
                        error_set(err, "The configuration file %s must hold a JSON object.", path));
    const struct jsonio *read = section && good ? jsonio_member(top, section) : top;
    if (good && section && read && !jsonio_is_object(read))
        good = error_set(err, "The configuration's '%s' must be an object with options of that command.",
                         section);
    good = good && hand_on_members(read, !section, take, user, err);
    jsonio_free(top);
    free(file.bytes);
    return good;
}
