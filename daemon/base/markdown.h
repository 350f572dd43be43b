/* markdown.h - escapes untrusted text for the Markdown of GitHub and GitLab. */
#ifndef BASE_MARKDOWN_H
#define BASE_MARKDOWN_H

#include "base/sink.h"

enum { MARKDOWN_NAME_MOST = 120 }; /* bytes of a name; longer ones are cut */

/* Writes valid UTF-8 so that it shows literally, on one line, also inside a table. Longer text is cut to
 * `most` bytes. */
void markdown_text(struct sink *sink, const char *text, size_t most);

#endif
