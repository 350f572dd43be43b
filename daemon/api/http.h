/* http.h - the web server: the page, the JSON interface and the stream of updates. */
#ifndef API_HTTP_H
#define API_HTTP_H

#include "api/http_settings.h"
#include "base/error.h"
#include "base/sink.h"

/* True when http_start() will find the address free. False with a sentence when it is taken or none of ours;
 * true as well where that shows only then (unix:). */
bool http_address_is_free(const char *listen, struct error *err);

/* Starts a server, which answers from here on, on threads of its own that block all signals. NULL with a
 * sentence when the address is taken or not ours, lies beyond loopback and there is no token, or a file is
 * not as it must be. */
struct http *http_start(const struct http_settings *settings, struct error *err);

/* Where it listens, with the real port: "http://127.0.0.1:7777/", or "unix:PATH". The text lives as long as
 * `http`. */
const char *http_address(const struct http *http);

/* Writes the address that lets a browser in without asking, the token in it ("http://miniprofd:...@..."); for
 * a unix: socket, how to come to it. One line each, or nothing when the address says all. */
void http_write_ways_in(const struct http *http, struct sink *sink);

/* Closes the board and the mailbox, which ends whoever waits on them, then every connection, and returns when
 * the last thread has ended. Orders that the ingest thread has taken must still be answered by it. */
void http_stop(struct http *http);

#endif
