/* access.c - decides which requests are admitted.
 *
 * Any page in a browser on this machine can send requests to a loopback port. Three things keep it out: it cannot
 * choose the Host header (which exposes a foreign name that points at 127.0.0.1), it cannot send JSON to another
 * origin without a preflight request (which is never granted), and it cannot read the answers (no CORS). Ports in
 * Host are not compared, since a tunnel may have another one. Origin is compared with Host as sent.
 *
 * The token is accepted as a bearer token, for programs, and as the password of basic authentication, so that a
 * browser asks its user for it and sends it with every request, including event streams. */
#include "server/access.h"

#include "base/tokenfile.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { HOST_SIZE = 256 };

const struct access_header access_headers[] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src "
     "'self'; "
     "font-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action "
     "'none'; " FRAMING_NOBODY},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin-allow-popups"},
    {NULL, NULL},
};

/* Finds this machine's name with its domain, from /etc/hosts or DNS. */
static void find_full_name(struct access *access)
{
    const struct addrinfo hints = {.ai_flags = AI_CANONNAME, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    const char *name = access->hostname;
    if (getaddrinfo(access->hostname, NULL, &hints, &found) == 0 && found->ai_canonname)
        name = found->ai_canonname;
    snprintf(access->full_name, sizeof access->full_name, "%s", name);
    if (found)
        freeaddrinfo(found);
}

bool access_init(struct access *access, const struct listen_address *address, const char *token_file,
                 struct error *err)
{
    *access = (struct access){.is_loopback = address->is_loopback};
    if (!token_file && !address->is_loopback) {
        char url[LISTEN_URL_SIZE];
        listen_url(address, url);
        return error_set(err,
                         "Others could reach %s, so it needs a token that they must know: give one with "
                         "--token-file FILE, or listen on 127.0.0.1.",
                         url);
    }
    gethostname(access->hostname, sizeof access->hostname); /* which has room for any name: it cannot fail */
    if (!access->is_loopback)
        find_full_name(access);
    access->hostname[strcspn(access->hostname, ".")] = '\0';
    char token[TOKEN_SIZE];
    if (token_file && !token_file_read(token_file, token, err))
        return false;
    if (token_file && !(access->token = strdup(token)))
        return error_set(err, "Out of memory while preparing the token.");
    return true;
}

void access_fini(struct access *access)
{
    if (access->token)
        explicit_bzero(access->token, strlen(access->token));
    free(access->token);
    free(access->policy);
    *access = (struct access){0};
}

bool access_allow_frames(struct access *access, const char *const *origins, size_t n, struct error *err)
{
    if (n == 0)
        return true;
    access->policy = framing_policy(access_headers[0].value, origins, n, err);
    return access->policy != NULL;
}

/* X-Frame-Options cannot name origins and is redundant with the policy, so it is left out with a policy. */
const char *access_header_value(const struct access *access, const struct access_header *header)
{
    if (access->policy && strcmp(header->name, "X-Frame-Options") == 0)
        return NULL;
    return access->policy && header == &access_headers[0] ? access->policy : header->value;
}

/* Copies the name of "name", "name:port" or "[address]:port", without brackets. False for another form. */
static bool host_name(const char *host, char name[static HOST_SIZE], bool *bracketed)
{
    *bracketed = host[0] == '[';
    const char *from = host + *bracketed;
    size_t n = strcspn(from, *bracketed ? "]" : ":");
    const char *rest = from + n;
    if (*bracketed && *rest++ != ']')
        return false;
    if (*rest && (*rest != ':' || rest[1 + strspn(rest + 1, "0123456789")] != '\0'))
        return false;
    if (n == 0 || n >= HOST_SIZE)
        return false;
    memcpy(name, from, n);
    name[n] = '\0';
    return true;
}

/* True for a name of this server. Beyond loopback the token protects, so any numeric address is accepted: no
 * foreign name server can point a number at this machine. */
static bool host_is_ours(const struct access *access, const char *host)
{
    char name[HOST_SIZE];
    bool bracketed;
    if (!host_name(host, name, &bracketed))
        return false;
    struct in6_addr v6;
    if (bracketed)
        return inet_pton(AF_INET6, name, &v6) == 1 && (!access->is_loopback || IN6_IS_ADDR_LOOPBACK(&v6));
    struct in_addr v4;
    if (inet_pton(AF_INET, name, &v4) == 1)
        return !access->is_loopback || ntohl(v4.s_addr) >> 24 == 127;
    if (strcasecmp(name, "localhost") == 0)
        return true;
    if (access->is_loopback || !access->hostname[0])
        return false;
    size_t n = strlen(access->hostname);
    return strcasecmp(name, access->hostname) == 0 || strcasecmp(name, access->full_name) == 0 ||
           (strncasecmp(name, access->hostname, n) == 0 && strcasecmp(name + n, ".local") == 0);
}

/* Compares in constant time. */
static bool same_token(const char *token, const char *offered, size_t offered_n)
{
    size_t token_n = strlen(token);
    unsigned char difference = token_n != offered_n;
    for (size_t i = 0; i < offered_n; i++)
        difference |= (unsigned char)(token[i % token_n] ^ offered[i]);
    return difference == 0;
}

static int base64_value(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Decodes up to the first character that is not a base64 digit. Returns the number of bytes. */
static size_t base64_decode(const char *text, char *out, size_t room)
{
    unsigned bits = 0, have = 0;
    size_t n = 0;
    for (int value; (value = base64_value(*text)) >= 0 && n < room; text++) {
        bits = bits << 6 | (unsigned)value;
        have += 6;
        if (have >= 8) {
            have -= 8;
            out[n++] = (char)(bits >> have);
        }
    }
    return n;
}

static bool knows_token(const struct access *access, const char *authorization)
{
    if (!authorization)
        return false;
    if (strncasecmp(authorization, "Bearer ", 7) == 0) {
        const char *offered = authorization + 7 + strspn(authorization + 7, " ");
        return same_token(access->token, offered, strlen(offered));
    }
    if (strncasecmp(authorization, "Basic ", 6) == 0) {
        char decoded[TOKEN_SIZE + 255];
        size_t n = base64_decode(authorization + 6 + strspn(authorization + 6, " "), decoded, sizeof decoded);
        const char *colon = memchr(decoded, ':', n);
        return colon && same_token(access->token, colon + 1, n - (size_t)(colon + 1 - decoded));
    }
    return false;
}

bool access_admit(const struct access *access, const struct request *request, struct response *response)
{
    if (!request->host || !host_is_ours(access, request->host)) {
        response_problem(response, 421,
                         "This is miniprofd, which answers to localhost and its own addresses only, not to "
                         "the name in the request's Host header.");
        return false;
    }
    if (request->fetch_site && strcasecmp(request->fetch_site, "same-origin") != 0 &&
        strcasecmp(request->fetch_site, "none") != 0 && strcmp(request->path, "/") != 0) {
        response_problem(response, 403,
                         "This was asked for by a page of another origin, which may only lead to "
                         "miniprofd's own page at /.");
        return false;
    }
    bool open_to_all = strcmp(request->path, "/healthz") == 0;
    if (access->token && !open_to_all && !knows_token(access, request->authorization)) {
        response_problem(response, 401,
                         "This miniprofd asks for the token in its --token-file: programs send it as "
                         "'Authorization: Bearer TOKEN', browsers as the password of any user name.");
        response_header(response, "WWW-Authenticate", "Basic realm=\"miniprofd token\", charset=\"UTF-8\"");
        response_header(response, "WWW-Authenticate", "Bearer realm=\"miniprofd token\"");
        return false;
    }
    return true;
}

static bool origin_is_host(const char *origin, const char *host)
{
    return strncasecmp(origin, "http://", 7) == 0 && strcasecmp(origin + 7, host) == 0;
}

bool access_admit_post(const struct request *request, struct response *response)
{
    if (request->origin && !origin_is_host(request->origin, request->host)) {
        response_problem(response, 403,
                         "Only miniprofd's own page may send this, not one of another origin.");
        return false;
    }
    static const char json[] = "application/json";
    const char *type = request->content_type ? request->content_type : "";
    size_t type_n = strcspn(type, "; \t");
    if (type_n != sizeof json - 1 || strncasecmp(type, json, type_n) != 0) {
        response_problem(response, 415, "Send this with the header 'Content-Type: application/json'.");
        return false;
    }
    if (request->body_n > REQUEST_BODY_MOST) {
        response_problem(response, 413, "The body is longer than %d bytes.", REQUEST_BODY_MOST);
        return false;
    }
    return true;
}
