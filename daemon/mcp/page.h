/* page.h - an answer that an assistant can read: as much as fits, and where the rest is. For
 * this room only. */
#ifndef MCP_PAGE_H
#define MCP_PAGE_H

#include "base/json.h"
#include "mcp/slice.h"

/* Bytes of an answer, from its begin to its line end. PAGE_MOST are for what a tool says, which is in it
 * twice: as structured content, and as text for programs that do not know that. */
enum { ANSWER_MOST = 8192, PAGE_MOST = 7000 };

/* An object that is being written. The caller that begins one frees `bytes` by page_fini(), or takes them. */
struct page {
    struct sink_buffer out;
    struct json json;
    size_t room; /* bytes of the answer that are left */
};

void page_begin(struct page *page);
void page_fini(struct page *page);

/* Ends the object: its text, which the caller frees; NULL with a sentence when memory was used up. */
char *page_end(struct page *page, struct error *err);

/* Adds a member, if there is room; a NULL key adds an element to the array that is open. Control characters
 * become blanks. */
bool page_add(struct page *page, const char *key, struct slice value);
void page_add_number(struct page *page, const char *key, uint64_t value);

/* Adds the elements of an array from `offset` on, as many as fit, as the member `key`, and the members
 * `offset`, `total`, and where more follow, `next_offset`. `backwards`: the last element is number 0. */
void page_add_array(struct page *page, const char *key, struct slice array, uint64_t offset, bool backwards);

/* Does the same with the elements that `write` writes, `total` of them; it writes number `index` to the
 * sink. */
void page_add_rows(struct page *page, const char *key, uint64_t total, uint64_t offset,
                   void (*write)(void *user, uint64_t index, struct sink *sink), void *user);

/* Adds the members of an object that fit, the small ones first; `left_out` names the others. */
void page_add_members(struct page *page, struct slice object);

/* Adds what is at a path inside of an object: a list by page_add_array() as `items`, an object by
 * page_add_members(), another value as `value`. False with a sentence when there is no such thing. */
bool page_add_part(struct page *page, struct slice object, const char *part, uint64_t offset,
                   struct error *err);

/* Adds text from byte `offset` on, whole lines where possible, with the same members. Answers the part that
 * was added, which the caller frees; NULL without memory. */
char *page_add_lines(struct page *page, const char *key, const char *text, uint64_t offset);

#endif
