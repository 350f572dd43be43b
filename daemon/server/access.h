/* access.h - who may come in: the Host, Origin, media type and token checks, and the headers that keep other
 * pages out. */
#ifndef SERVER_ACCESS_H
#define SERVER_ACCESS_H

#include "server/framing.h"
#include "server/listen.h"
#include "server/request.h"
#include "server/response.h"

struct access {
    bool loopback;
    char hostname[65];   /* this machine's, up to the first dot */
    char full_name[256]; /* with its domain; "" on loopback */
    char *token;         /* NULL: none is asked for */
    char *policy;        /* with who may frame the page; NULL: nobody may */
};

/* Reads the token from its file (NULL: no token). False with a sentence when the address lies beyond loopback
 * and there is no token, or the file is missing, readable by everybody or writable by others, or holds no
 * decent token. */
bool access_init(struct access *access, const struct listen_address *address, const char *token_file,
                 struct error *err);
void access_fini(struct access *access);

/* Lets pages of these origins show ours inside them. False with a sentence when one is no origin. Called
 * once, after access_init(). */
bool access_allow_frames(struct access *access, const char *const *origins, size_t n, struct error *err);

/* True when the request asks for one of our names (else 421) and knows the token (else 401). When not, the
 * answer is set. */
bool access_admit(const struct access *access, const struct request *request, struct response *response);

/* True when a POST may come from where it does: our own page or no page at all (else 403), as JSON, which no
 * foreign page can send unasked (else 415), and short (else 413). */
bool access_admit_post(const struct request *request, struct response *response);

/* The header lines that every answer has. */
extern const struct access_header {
    const char *name, *value;
} access_headers[]; /* ends with NULL */

/* The value of such a header here; NULL when it is left out. */
const char *access_header_value(const struct access *access, const struct access_header *header);

#endif
