/* page.h - an answer of limited size for an assistant, with the offset of the rest. For this room only. */
#ifndef MCP_PAGE_H
#define MCP_PAGE_H

#include "base/json.h"
#include "mcp/slice.h"

/* Size limit of an answer line. PAGE_MOST bytes are for a tool's output, which is in it twice: as structured content,
 * and as text for older clients. */
enum { ANSWER_MOST = 8192, PAGE_MOST = 7000 };

/* An object being written. The caller frees `bytes` with page_fini(), or takes them. */
struct page {
    struct sink_buffer out;
    struct json json;
    size_t room; /* bytes left in the answer */
};

void page_begin(struct page *page);
void page_fini(struct page *page);

/* Ends the object and returns its text, which the caller frees. NULL with an error when memory was used up. */
char *page_end(struct page *page, struct error *err);

/* Adds a member if there is room. A NULL key adds an element to the open array. Control characters become blanks. */
bool page_add(struct page *page, const char *key, struct slice value);
void page_add_number(struct page *page, const char *key, uint64_t value);

/* Adds as many elements of an array as fit, from `offset` on, as the member `key`. Also adds the members `offset`,
 * `total`, and if there are more, `next_offset`. With `backwards`, the last element is number 0. */
void page_add_array(struct page *page, const char *key, struct slice array, uint64_t offset, bool backwards);

/* Does the same with `total` elements; `write` writes element `index` to the sink. */
void page_add_rows(struct page *page, const char *key, uint64_t total, uint64_t offset,
                   void (*write)(void *user, uint64_t index, struct sink *sink), void *user);

/* Adds the members of an object that fit, small ones first. `left_out` names the others. */
void page_add_members(struct page *page, struct slice object);

/* Adds the value at a path inside an object: a list by page_add_array() as `items`, an object by page_add_members(),
 * another value as `value`. False with an error when the path does not exist. */
bool page_add_part(struct page *page, struct slice object, const char *part, uint64_t offset,
                   struct error *err);

/* Adds text from byte `offset` on, in whole lines if possible, with the same members. Returns the part that was added,
 * which the caller frees. NULL when memory is used up. */
char *page_add_lines(struct page *page, const char *key, const char *text, uint64_t offset);

#endif
