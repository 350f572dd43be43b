/* framing.h - which pages of others may show ours inside them: an editor's, a dashboard's. */
#ifndef SERVER_FRAMING_H
#define SERVER_FRAMING_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* What a policy ends with where nobody may. */
#define FRAMING_NOBODY "frame-ancestors 'none'"

/* True when this is one origin: "https://grafana.example:3000", or the scheme alone of an editor's own pages,
 * which have no name that lasts: "vscode-webview:". */
bool framing_is_origin(const char *text);

/* Returns the policy, which ends with FRAMING_NOBODY, with these origins and ourselves in its place; the
 * caller frees. NULL with a sentence when one is no origin, or memory is used up. */
char *framing_policy(const char *policy, const char *const *origins, size_t n, struct error *err);

#endif
