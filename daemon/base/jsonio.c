/* jsonio.c - parses JSON with cJSON. No other file uses cJSON. */
#include "base/jsonio.h"

#include "base/scarcity.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* cJSON writes its error position to a global in every parse, so only one parse runs at a time. */
static pthread_mutex_t parsing = PTHREAD_MUTEX_INITIALIZER;

/* cJSON reports a failed allocation like a syntax error, so hooks count these. */
static pthread_once_t hooks_once = PTHREAD_ONCE_INIT;

static void *allocate_json(size_t size)
{
    return scarcity_note(malloc(size));
}

static void install_json_hooks(void)
{
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = allocate_json, .free_fn = free});
}

/* `struct jsonio` is never defined: it is the opaque type of a cJSON item. */
static const cJSON *as_cjson_item(const struct jsonio *value)
{
    return (const cJSON *)(const void *)value;
}

static const struct jsonio *as_jsonio_value(const cJSON *item)
{
    return (const struct jsonio *)(const void *)item;
}

static struct jsonio *refuse_json(const char *what, const char *text, const char *place, struct error *err)
{
    unsigned line = 1, column = 1;
    for (; text < place; text++, column++) {
        if (*text == '\n') {
            line++;
            column = 0;
        }
    }
    error_set(err,
              "%s is not JSON: it makes no sense at line %u, column %u. Correct it there, or have the file "
              "written again.",
              what, line, column);
    return NULL;
}

struct jsonio *jsonio_parse(const char *what, const char *text, size_t n, struct error *err)
{
    const char *end = text;
    uint64_t before = scarcity_here();
    pthread_once(&hooks_once, install_json_hooks);
    pthread_mutex_lock(&parsing);
    cJSON *top = cJSON_ParseWithLengthOpts(text, n, &end, false);
    pthread_mutex_unlock(&parsing);
    if (!top && scarcity_here() != before) {
        error_set(err, "Out of memory while reading %s.", what);
        return NULL;
    }
    while (top && end < text + n && memchr(" \t\r\n", *end, 4))
        end++;
    if (!top || end != text + n) {
        cJSON_Delete(top);
        return refuse_json(what, text, end < text + n ? end : text + n, err);
    }
    return (struct jsonio *)(void *)top;
}

void jsonio_free(struct jsonio *top)
{
    cJSON_Delete((cJSON *)(void *)top);
}

bool jsonio_is_object(const struct jsonio *value)
{
    return cJSON_IsObject(as_cjson_item(value));
}

bool jsonio_is_array(const struct jsonio *value)
{
    return cJSON_IsArray(as_cjson_item(value));
}

bool jsonio_is_null(const struct jsonio *value)
{
    return cJSON_IsNull(as_cjson_item(value));
}

const struct jsonio *jsonio_first(const struct jsonio *value)
{
    bool holds = jsonio_is_object(value) || jsonio_is_array(value);
    return holds ? as_jsonio_value(as_cjson_item(value)->child) : NULL;
}

const struct jsonio *jsonio_next(const struct jsonio *member)
{
    return member ? as_jsonio_value(as_cjson_item(member)->next) : NULL;
}

size_t jsonio_count(const struct jsonio *value)
{
    bool holds = jsonio_is_object(value) || jsonio_is_array(value);
    return holds ? (size_t)cJSON_GetArraySize(as_cjson_item(value)) : 0;
}

const struct jsonio *jsonio_at(const struct jsonio *value, size_t index)
{
    return index < jsonio_count(value) ? as_jsonio_value(cJSON_GetArrayItem(as_cjson_item(value), (int)index))
                                       : NULL;
}

const char *jsonio_name(const struct jsonio *member)
{
    return member ? as_cjson_item(member)->string : NULL;
}

const struct jsonio *jsonio_member(const struct jsonio *object, const char *name)
{
    return as_jsonio_value(cJSON_GetObjectItemCaseSensitive(as_cjson_item(object), name));
}

const char *jsonio_text(const struct jsonio *value)
{
    return cJSON_GetStringValue(as_cjson_item(value));
}

bool jsonio_u64(const struct jsonio *value, uint64_t *out)
{
    double number;
    if (!jsonio_double(value, &number) || number < 0 || number > 9007199254740991.0 ||
        number != floor(number))
        return false;
    *out = (uint64_t)number;
    return true;
}

bool jsonio_double(const struct jsonio *value, double *out)
{
    if (!cJSON_IsNumber(as_cjson_item(value)))
        return false;
    *out = cJSON_GetNumberValue(as_cjson_item(value));
    return true;
}

bool jsonio_bool(const struct jsonio *value, bool *out)
{
    if (!cJSON_IsBool(as_cjson_item(value)))
        return false;
    *out = cJSON_IsTrue(as_cjson_item(value));
    return true;
}
