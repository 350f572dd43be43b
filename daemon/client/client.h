/* client.h - sends requests to a running miniprofd over HTTP. */
#ifndef CLIENT_CLIENT_H
#define CLIENT_CLIENT_H

#include "base/error.h"
#include "base/tokenfile.h"

#include <stddef.h>
#include <sys/un.h>

enum { CLIENT_HOST_SIZE = 256 };

/* The server. Do not copy or move it: `header` points into it. */
struct client {
    char host[CLIENT_HOST_SIZE], port[8]; /* to connect to; "" for a unix: socket */
    struct sockaddr_un file;
    char name[CLIENT_HOST_SIZE]; /* for errors */
    const char *header;          /* the request's Host */
    char token[TOKEN_SIZE];      /* "": none */
    unsigned patience_ms;        /* time limit of a request; 0: 20 s */
};

/* Reads http://HOST[:PORT] or HOST:PORT, where HOST may be an IPv6 address in brackets, or unix:PATH. Reads
 * the token from `token_file` (NULL: none), which must satisfy base/tokenfile.h. Sends nothing yet. False
 * with an error that names `option` of the command line. */
bool client_init(struct client *client, const char *option, const char *url, const char *token_file,
                 struct error *err);

/* True when the address has such a form, else false with an error for the command line. */
bool client_address_is_good(const char *option, const char *url, struct error *err);

/* Sends a request for a path such as "/api/v1/status", with a JSON body (NULL: none). Waits at most `patience_ms` for
 * look-up, connection and answer. Returns the body, which the caller frees. NULL with an error when there is no answer,
 * it is cut off or longer than `most` bytes, or it is a refusal, whose text is then the error. */
char *client_ask(const struct client *client, const char *method, const char *path, const char *body,
                 size_t most, struct error *err);

#endif
