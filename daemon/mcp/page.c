/* page.c - writes an object as long as the answer has room.
 *
 * The cost of a byte is its size in both forms: once in the structured content, and once in the text, with quotes and
 * backslashes escaped. */
#include "mcp/page.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { TAIL = 300 /* bytes of the last members and the brackets */ };

void page_begin(struct page *page)
{
    *page = (struct page){.room = PAGE_MOST - TAIL};
    sink_buffer_init(&page->out);
    page->json.sink = &page->out.sink;
    json_object_open(&page->json, NULL);
}

void page_fini(struct page *page)
{
    sink_buffer_fini(&page->out);
}

char *page_end(struct page *page, struct error *err)
{
    json_object_close(&page->json);
    if (!page->out.sink.failed)
        return page->out.bytes;
    page_fini(page);
    error_set(err, "Out of memory.");
    return NULL;
}

/* Returns the cost of n bytes of JSON with a comma, in both forms. The text's '#' may take six bytes. */
static size_t cost_of_json(const char *text, size_t n)
{
    size_t cost = 2 * n + 2;
    for (size_t i = 0; i < n; i++)
        cost += text[i] == '"' || text[i] == '\\' ? 1 : text[i] == '#' ? 5 : 0;
    return cost;
}

static bool page_has_room(struct page *page, const char *key, size_t cost)
{
    cost += key ? 2 * strlen(key) + 8 : 0;
    if (cost > page->room)
        return false;
    page->room -= cost;
    return true;
}

/* Writes a value on one line. Strings may have control bytes that JSON forbids, since the parser is lenient. */
static void write_value(struct json *json, const char *key, struct slice value)
{
    json_raw(json, key, "", 0);
    for (const char *at = value.at, *const end = value.at + value.n; at < end;) {
        const char *plain = at;
        while (at < end && (unsigned char)*at >= 0x20)
            at++;
        sink_write(json->sink, plain, (size_t)(at - plain));
        for (; at < end && (unsigned char)*at < 0x20; at++)
            sink_char(json->sink, ' ');
    }
}

bool page_add(struct page *page, const char *key, struct slice value)
{
    if (value.n == 0 || !page_has_room(page, key, cost_of_json(value.at, value.n)))
        return false;
    write_value(&page->json, key, value);
    return true;
}

void page_add_number(struct page *page, const char *key, uint64_t value)
{
    if (page_has_room(page, key, 44))
        json_u64(&page->json, key, value);
}

/* Adds the tail, for which room is reserved. */
static void add_tail(struct page *page, uint64_t offset, uint64_t next, uint64_t total)
{
    json_u64(&page->json, "offset", offset);
    json_u64(&page->json, "total", total);
    if (next < total)
        json_u64(&page->json, "next_offset", next);
}

void page_add_rows(struct page *page, const char *key, uint64_t total, uint64_t offset,
                   void (*write)(void *user, uint64_t index, struct sink *sink), void *user)
{
    static const char too_long[] = "{\"left_out\":\"This entry is longer than an answer may be.\"}";
    struct sink_buffer row;
    uint64_t i = offset < total ? offset : total;
    bool is_first = true;
    page_has_room(page, key, 8);
    json_array_open(&page->json, key);
    sink_buffer_init(&row);
    for (; i < total && !page->out.sink.failed; i++, is_first = false) {
        sink_buffer_clear(&row);
        write(user, i, &row.sink);
        if (row.sink.failed || !row.bytes)
            break;
        if (!page_add(page, NULL, (struct slice){row.bytes, row.n}) &&
            (!is_first || !page_add(page, NULL, (struct slice){too_long, sizeof too_long - 1})))
            break;
    }
    page->out.sink.failed |= row.sink.failed;
    sink_buffer_fini(&row);
    json_array_close(&page->json);
    add_tail(page, offset, i, total);
}

struct elements {
    struct slice *all;
    bool is_backwards;
    uint64_t n;
};

static void write_element(void *user, uint64_t index, struct sink *sink)
{
    const struct elements *elements = user;
    struct slice value = elements->all[elements->is_backwards ? elements->n - 1 - index : index];
    sink_write(sink, value.at, value.n);
}

void page_add_array(struct page *page, const char *key, struct slice array, uint64_t offset, bool backwards)
{
    struct elements elements = {.n = slice_count(array), .is_backwards = backwards};
    struct slice_walk walk = slice_walk(array);
    struct slice name;
    elements.all = calloc(elements.n + 1, sizeof *elements.all);
    page->out.sink.failed |= !elements.all;
    for (uint64_t i = 0; elements.all && i < elements.n; i++)
        slice_next(&walk, &name, &elements.all[i]);
    if (elements.all)
        page_add_rows(page, key, elements.n, offset, write_element, &elements);
    free(elements.all);
}

/* Adds a member with its name, a quoted string. */
static bool add_named(struct page *page, struct slice name, struct slice value)
{
    char key[80];
    if (name.n < 2 || name.n - 2 >= sizeof key)
        return false;
    memcpy(key, name.at + 1, name.n - 2);
    key[name.n - 2] = '\0';
    return page_add(page, key, value);
}

enum { LEFT_OUT_MOST = 32 };

void page_add_members(struct page *page, struct slice object)
{
    struct slice name, value, left_out[LEFT_OUT_MOST];
    size_t n = 0;
    page->room -= page->room < 1000 ? page->room : 1000; /* reserved for the names of members left out */
    for (int composite = 0; composite <= 1; composite++) {
        struct slice_walk walk = slice_walk(object);
        while (slice_next(&walk, &name, &value))
            if (slice_is_composite(value) == composite && !add_named(page, name, value) && n < LEFT_OUT_MOST)
                left_out[n++] = name;
    }
    page->room += 1000;
    if (n == 0)
        return;
    page_has_room(page, "left_out", 8);
    json_array_open(&page->json, "left_out");
    for (size_t i = 0; i < n; i++)
        page_add(page, NULL, left_out[i]);
    json_array_close(&page->json);
}

bool page_add_part(struct page *page, struct slice object, const char *part, uint64_t offset,
                   struct error *err)
{
    struct slice found = slice_path(object, part);
    if (found.n == 0)
        return error_set(err, "There is no part %.100s here; left_out has the names of parts.", part);
    if (*found.at == '[')
        page_add_array(page, "items", found, offset, false);
    else if (*found.at == '{')
        page_add_members(page, found);
    else if (!page_add(page, "value", found))
        return error_set(err, "The part %.100s is longer than an answer may be.", part);
    return true;
}

/* Returns the cost of a byte of text in a string, in both forms. */
static size_t cost_of_byte(char c)
{
    bool is_control = (unsigned char)c < 0x20 && c != '\n' && c != '\t';
    return c == '#' || is_control ? 12 : c == '"' || c == '\\' || c == '\n' || c == '\t' ? 4 : 2;
}

static bool begins_character(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

char *page_add_lines(struct page *page, const char *key, const char *text, uint64_t offset)
{
    size_t total = strlen(text), at = offset < total ? (size_t)offset : total, end = at, line = at;
    while (at < total && !begins_character(text[at]))
        at++;
    for (end = line = at; end < total; end++) {
        if (page->room < cost_of_byte(text[end]))
            break;
        page->room -= cost_of_byte(text[end]);
        if (text[end] == '\n')
            line = end + 1;
    }
    if (end < total && line > at)
        end = line;
    while (end < total && end > at && !begins_character(text[end]))
        end--;
    char *some = strndup(text + at, end - at);
    page->out.sink.failed |= !some;
    if (some)
        json_text(&page->json, key, some);
    add_tail(page, at, end, total);
    return some;
}
