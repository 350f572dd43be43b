/* framing.c - the policy for pages that may embed this one.
 *
 * An origin is copied into a header, so only valid characters are allowed, and none that matches everybody, such
 * as "*" or "https:". */
#include "server/framing.h"

#include "base/sink.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { ORIGIN_MOST = 255 };

static bool is_web(const char *scheme, size_t n)
{
    return (n == 4 && strncasecmp(scheme, "http", n) == 0) ||
           (n == 5 && strncasecmp(scheme, "https", n) == 0);
}

/* True for schemes of which anybody can make a page. */
static bool is_anybody(const char *scheme, size_t n)
{
    static const char *const schemes[] = {"http", "https", "ws",         "wss",        "data",
                                          "blob", "file",  "filesystem", "javascript", "about"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (strlen(schemes[i]) == n && strncasecmp(schemes[i], scheme, n) == 0)
            return true;
    return false;
}

bool framing_is_origin(const char *text)
{
    static const char of_scheme[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.";
    static const char of_name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.";
    size_t scheme_n = strspn(text, of_scheme);
    const char *host = text + scheme_n + 3, *rest;
    if (!isalpha((unsigned char)*text) || text[scheme_n] != ':' || strlen(text) > ORIGIN_MOST)
        return false;
    if (!text[scheme_n + 1])
        return !is_anybody(text, scheme_n);
    if (!is_web(text, scheme_n) || strncmp(text + scheme_n, "://", 3) != 0)
        return false;
    rest = host + strspn(host, of_name);
    if (rest == host)
        return false;
    return !*rest || (*rest == ':' && rest[1] && !rest[1 + strspn(rest + 1, "0123456789")]);
}

char *framing_policy(const char *policy, const char *const *origins, size_t n, struct error *err)
{
    struct sink_buffer text;
    sink_buffer_init(&text);
    sink_write(&text.sink, policy, strlen(policy) - strlen(FRAMING_NOBODY));
    sink_text(&text.sink, "frame-ancestors 'self'");
    for (size_t i = 0; i < n; i++) {
        if (!framing_is_origin(origins[i])) {
            sink_buffer_fini(&text);
            error_set(
                err,
                "--allow-frame takes an origin such as https://grafana.example:3000, or vscode-webview:, "
                "not '%.100s'.",
                origins[i]);
            return NULL;
        }
        sink_printf(&text.sink, " %s", origins[i]);
    }
    if (text.sink.failed) {
        sink_buffer_fini(&text);
        error_set(err, "Out of memory while reading the pages that may frame this one.");
        return NULL;
    }
    return text.bytes;
}
