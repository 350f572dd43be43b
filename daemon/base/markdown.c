/* markdown.c - escapes untrusted text for Markdown. */
#include "base/markdown.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>

/* True when the character at `at` has a meaning in Markdown: emphasis, a link, a cell's end, HTML. A '_'
 * between letters has none. */
static bool is_special(const char *text, const char *at)
{
    if (*at == '_')
        return at == text || !isalnum((unsigned char)at[-1]) || !isalnum((unsigned char)at[1]);
    if (*at == '.') /* www.example.org becomes a link automatically */
        return at > text && tolower((unsigned char)at[-1]) == 'w';
    return strchr("\\`*[]<>|~&@:#!", *at) != NULL;
}

void markdown_text(struct sink *sink, const char *text, size_t most)
{
    const char *at = text;
    for (size_t length; *at && (size_t)(at - text) < most; at += length) {
        bool is_order;
        length = text_character(at, &is_order);
        if (is_order) {
            sink_char(sink, ' ');
            continue;
        }
        if (is_special(text, at))
            sink_char(sink, '\\');
        sink_write(sink, at, length);
    }
    if (*at)
        sink_text(sink, "…");
}
