/* own_site.h - a site that every case of a file has for itself: TestSuite(x, .init = open_site, .fini =
 * close_site). */
#ifndef TESTS_HTTP_OWN_SITE_H
#define TESTS_HTTP_OWN_SITE_H

#include "fixture.h"

static struct fixture fixture;
static unsigned status; /* of the last answer to get() */

static void open_site(void)
{
    fixture_init(&fixture);
    fixture_open_site(&fixture);
}

static void close_site(void)
{
    fixture_fini(&fixture);
}

/* Gets `target` and returns the parsed body, which the caller frees. NULL when it is not JSON. */
static inline struct jsonio *get(const char *target)
{
    return fixture_json(&fixture, "GET", target, NULL, &status);
}

#endif
