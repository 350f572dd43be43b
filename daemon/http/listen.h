/* listen.h - where the server listens. */
#ifndef HTTP_LISTEN_H
#define HTTP_LISTEN_H

#include "base/error.h"

#include <netinet/in.h>

struct listen_address {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    };
    bool loopback; /* only this machine can reach it */
};

/* Understands a numeric address, or localhost, and a port: "127.0.0.1:7777", "[::1]:0", "localhost:80". False
 * with a sentence when `text` is none. */
bool listen_parse(const char *text, struct listen_address *address, struct error *err);

/* Opens a listening socket and sets the port that was picked in `address`; -1 with a sentence when that
 * cannot be. */
int listen_open(struct listen_address *address, struct error *err);

enum { LISTEN_URL_SIZE = 80 };

/* Writes the address as "http://127.0.0.1:7777/". */
void listen_url(const struct listen_address *address, char out[static LISTEN_URL_SIZE]);

#endif
