/* names.c - reads the names file for a TF-M profile's topics and checkpoints. */
#include "dialect/tfm/names.h"

#include "base/jsonio.h"
#include "base/wholefile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 16, TOPIC_MAX = 0xFF, CHECKPOINT_MAX = 0xFFFF }; /* MiB, and numbers */

struct reader {
    struct tfm_names *names;
    const char *what;
    struct error *err;
};

/* Reads a member's name as a number up to `most` that ends at `end`. */
static bool read_key(const char **key, char end, uint32_t most, uint32_t *out)
{
    char *rest;
    if (**key < '0' || **key > '9')
        return false;
    errno = 0;
    unsigned long value = strtoul(*key, &rest, 10);
    if (errno || *rest != end || value > most)
        return false;
    *out = (uint32_t)value;
    *key = rest + (end ? 1 : 0);
    return true;
}

/* True when the value is an object or missing. */
static bool need_object(struct reader *reader, const struct jsonio *value, const char *name)
{
    return !value || jsonio_is_object(value) ||
           error_set(reader->err, "%s: \"%s\" must be an object, with a name for each number.", reader->what,
                     name);
}

static bool read_calibration(struct reader *reader, const struct jsonio *object)
{
    for (const struct jsonio *member = jsonio_first(object); member; member = jsonio_next(member)) {
        const char *key = jsonio_name(member);
        uint32_t index;
        uint64_t ticks;
        if (!read_key(&key, 0, 3, &index) || !jsonio_u64(member, &ticks) || ticks > UINT32_MAX)
            return error_set(reader->err,
                             "%s: \"calibration\" has ticks by index 0 to 3, like \"3\": 23; \"%s\" is not.",
                             reader->what, jsonio_name(member));
        reader->names->plan.calibration[index] = (uint32_t)ticks;
    }
    return true;
}

static bool read_topics(struct reader *reader, const struct jsonio *object)
{
    struct event_plan *plan = &reader->names->plan;
    for (const struct jsonio *member = jsonio_first(object); member; member = jsonio_next(member)) {
        struct event_mark_name name = {.name = jsonio_text(member), .is_topic = true};
        const char *key = jsonio_name(member);
        if (!name.name || !read_key(&key, 0, TOPIC_MAX, &name.topic))
            return error_set(reader->err,
                             "%s: \"topics\" has names by number, like \"0\": \"psa\"; \"%s\" is not.",
                             reader->what, jsonio_name(member));
        reader->names->names[plan->name_count++] = name;
    }
    return true;
}

static bool read_checkpoints(struct reader *reader, const struct jsonio *object)
{
    struct event_plan *plan = &reader->names->plan;
    for (const struct jsonio *member = jsonio_first(object); member; member = jsonio_next(member)) {
        struct event_mark_name name = {.name = jsonio_text(member)};
        const char *key = jsonio_name(member);
        if (!name.name || !read_key(&key, '/', TOPIC_MAX, &name.topic) ||
            !read_key(&key, 0, CHECKPOINT_MAX, &name.checkpoint))
            return error_set(
                reader->err,
                "%s: \"checkpoints\" has names by topic and number, like \"0/1\": \"sent\"; \"%s\" is not.",
                reader->what, jsonio_name(member));
        reader->names->names[plan->name_count++] = name;
    }
    return true;
}

static bool read_number(const struct jsonio *object, const char *name, uint32_t most, uint32_t *out)
{
    uint64_t value;
    if (!jsonio_u64(jsonio_member(object, name), &value) || value > most)
        return false;
    *out = (uint32_t)value;
    return true;
}

/* Reads the calibration index in a pair's member `name`; a missing one leaves *out unchanged. */
static bool read_world(const struct jsonio *pair, const char *name, uint32_t *out)
{
    static const char *const worlds[] = {"secure", "1", "2", "non-secure"};
    const struct jsonio *member = jsonio_member(pair, name);
    const char *world = jsonio_text(member);
    if (!member)
        return true;
    for (uint32_t i = 0; world && i < 4; i++)
        if (!strcmp(world, worlds[i])) {
            *out = i;
            return true;
        }
    return false;
}

/* Reads the worlds in which pair `place` begins and ends. */
static bool read_worlds(struct reader *reader, const struct jsonio *member, size_t place,
                        struct event_pair *pair)
{
    pair->of_world = jsonio_member(member, "world") != NULL;
    if (!pair->of_world && jsonio_member(member, "to_world"))
        return error_set(reader->err,
                         "%s: pair %zu has \"to_world\" but no \"world\", which says where it begins.",
                         reader->what, place);
    if (!read_world(member, "world", &pair->calibration))
        return error_set(reader->err,
                         "%s: \"world\" of pair %zu must be \"secure\" or \"non-secure\", or leave it out "
                         "to measure each world by itself.",
                         reader->what, place);
    pair->to_calibration = pair->calibration;
    return read_world(member, "to_world", &pair->to_calibration) ||
           error_set(reader->err,
                     "%s: \"to_world\" of pair %zu must be \"secure\" or \"non-secure\", or leave it out for "
                     "a pair that ends where it began.",
                     reader->what, place);
}

static bool read_pairs(struct reader *reader, const struct jsonio *array)
{
    struct event_plan *plan = &reader->names->plan;
    size_t place = 1;
    for (const struct jsonio *member = jsonio_first(array); member; member = jsonio_next(member), place++) {
        struct event_pair pair = {.name = jsonio_text(jsonio_member(member, "name"))};
        if (!read_number(member, "topic", TOPIC_MAX, &pair.topic) ||
            !read_number(member, "from", CHECKPOINT_MAX, &pair.from) ||
            !read_number(member, "to", CHECKPOINT_MAX, &pair.to))
            return error_set(reader->err,
                             "%s: pair %zu needs \"topic\" (0 to 255), \"from\" and \"to\" (0 to 65535).",
                             reader->what, place);
        pair.to_topic = pair.topic;
        if (jsonio_member(member, "to_topic") && !read_number(member, "to_topic", TOPIC_MAX, &pair.to_topic))
            return error_set(
                reader->err,
                "%s: \"to_topic\" of pair %zu must be a topic, 0 to 255, or leave it out for a pair "
                "of one topic.",
                reader->what, place);
        if (!read_worlds(reader, member, place, &pair))
            return false;
        reader->names->pairs[plan->pair_count++] = pair;
    }
    return true;
}

static bool read_all(struct reader *reader, const struct jsonio *top)
{
    struct tfm_names *names = reader->names;
    const struct jsonio *topics = jsonio_member(top, "topics"), *pairs = jsonio_member(top, "pairs"),
                        *checkpoints = jsonio_member(top, "checkpoints"),
                        *hz = jsonio_member(top, "clock_hz");
    if (!jsonio_is_object(top))
        return error_set(reader->err, "%s: a names file is a JSON object.", reader->what);
    names->pairs = calloc(jsonio_count(pairs) + 1, sizeof *names->pairs);
    names->names = calloc(jsonio_count(topics) + jsonio_count(checkpoints) + 1, sizeof *names->names);
    if (!names->pairs || !names->names)
        return error_set(reader->err, "Out of memory while reading %s.", reader->what);
    names->plan.pairs = names->pairs;
    names->plan.names = names->names;
    if (hz && !jsonio_u64(hz, &names->clock_hz))
        return error_set(reader->err, "%s: \"clock_hz\" is a whole number of ticks per second.",
                         reader->what);
    const struct jsonio *calibration = jsonio_member(top, "calibration");
    return need_object(reader, calibration, "calibration") && read_calibration(reader, calibration) &&
           need_object(reader, topics, "topics") && read_topics(reader, topics) &&
           need_object(reader, checkpoints, "checkpoints") && read_checkpoints(reader, checkpoints) &&
           read_pairs(reader, pairs);
}

struct tfm_names *tfm_names_read(const char *what, const char *text, size_t n, struct error *err)
{
    struct tfm_names *names = calloc(1, sizeof *names);
    struct reader reader = {names, what, err};
    if (!names) {
        error_set(err, "Out of memory while reading %s.", what);
        return NULL;
    }
    names->text = jsonio_parse(what, text, n, err);
    if (names->text && read_all(&reader, names->text))
        return names;
    tfm_names_free(names);
    return NULL;
}

struct tfm_names *tfm_names_load(const char *path, struct error *err)
{
    struct wholefile file;
    if (!wholefile_read(&file, "names file", path, FILE_MOST, err))
        return NULL;
    struct tfm_names *names = tfm_names_read(path, file.bytes, file.n, err);
    free(file.bytes);
    return names;
}

void tfm_names_free(struct tfm_names *names)
{
    if (!names)
        return;
    jsonio_free(names->text);
    free(names->pairs);
    free(names->names);
    free(names);
}
