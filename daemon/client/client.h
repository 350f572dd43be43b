/* client.h - asks a miniprofd that runs, over HTTP. */
#ifndef CLIENT_CLIENT_H
#define CLIENT_CLIENT_H

#include "base/error.h"
#include "base/tokenfile.h"

#include <stddef.h>
#include <sys/un.h>

enum { CLIENT_HOST_SIZE = 256 };

/* Where it is. It must stay where it is: it points into itself. */
struct client {
    char host[CLIENT_HOST_SIZE], port[8]; /* to connect to; none at a socket in a file */
    struct sockaddr_un file;
    char name[CLIENT_HOST_SIZE]; /* for people */
    const char *header;          /* Host, as the request has it */
    char token[TOKEN_SIZE];      /* "": none */
    unsigned patience_ms;        /* that a question may take in all; 0: 20 s */
};

/* Takes http://HOST[:PORT] or HOST:PORT, where HOST may be an IPv6 address in brackets, or unix:PATH, and the
 * token that stands in `token_file` (NULL: none). Nobody is asked yet. The file must be one that the daemon
 * takes (base/tokenfile.h). False with a sentence that names `option`, as the command line has it. */
bool client_init(struct client *client, const char *option, const char *url, const char *token_file,
                 struct error *err);

/* True when the address is of such a form, else a sentence: the command line is wrong, whether or not a server listens. */
bool client_address_is_good(const char *option, const char *url, struct error *err);

/* Asks for a path such as "/api/v1/status", with a body in JSON (NULL: none), and waits for at most 20 s
 * until the host is found, connected to, and has answered. Answers with the body, which the caller frees;
 * NULL, with a sentence, when no answer comes, the answer is cut off or longer than `most` bytes, or it is a
 * refusal, whose own sentence it then is. */
char *client_ask(const struct client *client, const char *method, const char *path, const char *body,
                 size_t most, struct error *err);

#endif
