/* resolve.h - looks up a host's addresses without blocking the caller. */
#ifndef BASE_RESOLVE_H
#define BASE_RESOLVE_H

#include "base/error.h"

#include <netdb.h>

struct resolve;

/* Starts to look up `host`. Numeric addresses are resolved at once, names in another thread. NULL with an
 * error when that cannot be started. */
struct resolve *resolve_new(const char *host, const char *port, struct error *err);

/* Returns a descriptor that poll() shows as readable once the answer is available. */
int resolve_fd(const struct resolve *resolve);

enum resolve_result { RESOLVE_WAITING, RESOLVE_FOUND, RESOLVE_FAILED };

/* Returns the answer. FOUND: *addresses is the list, which `resolve` owns. FAILED: `err` has the reason. */
enum resolve_result resolve_ask(struct resolve *resolve, const struct addrinfo **addresses,
                                struct error *err);

/* May be called at any time: a look-up that still runs ends by itself. NULL is allowed. */
void resolve_free(struct resolve *resolve);

#endif
