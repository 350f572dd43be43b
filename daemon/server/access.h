/* access.h - decides which requests are admitted: checks Host, Origin, media type and token. Also has the headers
 * that keep other pages out. */
#ifndef SERVER_ACCESS_H
#define SERVER_ACCESS_H

#include "server/framing.h"
#include "server/listen.h"
#include "server/request.h"
#include "server/response.h"

struct access {
    bool is_loopback;
    char hostname[65];   /* this machine's, up to the first dot */
    char full_name[256]; /* with its domain; "" on loopback */
    char *token;         /* NULL: none is required */
    char *policy; /* content security policy with the origins that may frame the page; NULL: none may */
};

/* Reads the token from its file (NULL: no token). False with an error when there is no token for an address beyond
 * loopback, or the file is missing, readable by everybody, writable by others, or has no valid token. */
bool access_init(struct access *access, const struct listen_address *address, const char *token_file,
                 struct error *err);
void access_fini(struct access *access);

/* Allows pages of these origins to embed this one. False with an error when one is not an origin. Called once,
 * after access_init(). */
bool access_allow_frames(struct access *access, const char *const *origins, size_t n, struct error *err);

/* True when the request has a host name of this server (else 421), is not from a foreign page, except for / (else
 * 403), and has the token, except for /healthz (else 401). Otherwise sets the answer. */
bool access_admit(const struct access *access, const struct request *request, struct response *response);

/* True for a POST from the own page or from no page (else 403), with JSON (else 415), which no foreign page can
 * send without preflight, and short enough (else 413). */
bool access_admit_post(const struct request *request, struct response *response);

/* The header lines of every answer. */
extern const struct access_header {
    const char *name, *value;
} access_headers[]; /* ends with NULL */

/* Returns the value of such a header, NULL when it is left out. */
const char *access_header_value(const struct access *access, const struct access_header *header);

#endif
