/* markdown.h - text that may hold anything, in the Markdown of GitHub and GitLab. */
#ifndef BASE_MARKDOWN_H
#define BASE_MARKDOWN_H

#include "base/sink.h"

/* Writes valid UTF-8 so that it reads as itself, on one line and inside of a table, too; what is longer than
 * some hundred bytes in part. */
void markdown_text(struct sink *sink, const char *text);

#endif
