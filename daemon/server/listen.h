/* listen.h - parses and opens the address at which the server listens. */
#ifndef SERVER_LISTEN_H
#define SERVER_LISTEN_H

#include "base/error.h"

#include <netinet/in.h>
#include <sys/types.h>
#include <sys/un.h>

struct listen_address {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
        struct sockaddr_un un;
    };
    bool is_loopback; /* only this machine can reach it */
    dev_t device;     /* of a unix: socket, once it is open: which file it made */
    ino_t inode;
};

/* Parses a numeric address or localhost with a port ("127.0.0.1:7777", "[::1]:0", "localhost:80"), or "unix:PATH",
 * a socket for this user only. False with an error for other texts. */
bool listen_parse(const char *text, struct listen_address *address, struct error *err);

/* Opens a listening socket and sets the chosen port in `address`. -1 with an error when that fails. A unix: socket
 * is made with mode 0600. It replaces a socket on which no program listens any more, but no other file. No other
 * thread may create files meanwhile. */
int listen_open(struct listen_address *address, struct error *err);

/* Removes the file of a unix: socket, if it is still the one that listen_open() made. */
void listen_remove(const struct listen_address *address);

enum { LISTEN_URL_SIZE = 128 };

/* Writes the address as "http://127.0.0.1:7777/", or "unix:PATH". */
void listen_url(const struct listen_address *address, char out[static LISTEN_URL_SIZE]);

#endif
