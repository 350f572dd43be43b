/* framing.h - the policy for pages that may embed this one, such as an editor or a dashboard. */
#ifndef SERVER_FRAMING_H
#define SERVER_FRAMING_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The end of a policy where no page may. */
#define FRAMING_NOBODY "frame-ancestors 'none'"

/* True when this is one origin: "https://grafana.example:3000", or only the scheme of an editor's pages, whose
 * names change: "vscode-webview:". */
bool framing_is_origin(const char *text);

/* Returns the policy with FRAMING_NOBODY at its end replaced by these origins and the own one. The caller frees.
 * NULL with an error when one is not an origin, or memory is used up. */
char *framing_policy(const char *policy, const char *const *origins, size_t n, struct error *err);

#endif
