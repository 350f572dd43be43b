/* resolve.h - looks a host's addresses up without keeping the caller waiting. */
#ifndef BASE_RESOLVE_H
#define BASE_RESOLVE_H

#include "base/error.h"

#include <netdb.h>

struct resolve;

/* Begins to look up HOST. Addresses in figures are known at once, names are asked for in a thread of their
 * own. NULL with a sentence when not even that could be started. */
struct resolve *resolve_new(const char *host, const char *port, struct error *err);

/* A descriptor that is readable in poll() once the answer is here. */
int resolve_fd(const struct resolve *resolve);

enum resolve_result { RESOLVE_WAITING, RESOLVE_FOUND, RESOLVE_FAILED };

/* Asks for the answer. FOUND: *addresses is the list, which stays the resolve's own. FAILED:
 * `err` says why. */
enum resolve_result resolve_ask(struct resolve *resolve, const struct addrinfo **addresses,
                                struct error *err);

/* May be called at any time: a look-up that still runs is left to end by itself. NULL is fine. */
void resolve_free(struct resolve *resolve);

#endif
