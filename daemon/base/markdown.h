/* markdown.h - text that may hold anything, in the Markdown of GitHub and GitLab. */
#ifndef BASE_MARKDOWN_H
#define BASE_MARKDOWN_H

#include "base/sink.h"

enum { MARKDOWN_NAME_MOST = 120 }; /* bytes of a name that are worth reading */

/* Writes valid UTF-8 so that it reads as itself, on one line and inside of a table, too; of what is longer
 * than `most` bytes the begin. */
void markdown_text(struct sink *sink, const char *text, size_t most);

#endif
