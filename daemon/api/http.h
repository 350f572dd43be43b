/* http.h - the web server: the page, the JSON interface and the stream of updates. */
#ifndef API_HTTP_H
#define API_HTTP_H

#include "api/http_settings.h"
#include "base/error.h"
#include "base/sink.h"

/* True when the address is free. False with an error when it is in use or not of this machine. True for unix:,
 * which only http_start() checks. */
bool http_address_is_free(const char *listen, struct error *err);

/* Starts a server on its own threads, which block all signals. NULL with an error when the address is in use,
 * is not of this machine, is not loopback and has no token, or when a file is invalid. */
struct http *http_start(const struct http_settings *settings, struct error *err);

/* Returns the address with the real port: "http://127.0.0.1:7777/", or "unix:PATH". The text lives as long as
 * `http`. */
const char *http_address(const struct http *http);

/* Writes the address with the token, which a browser can open directly ("http://miniprofd:...@..."). For a unix:
 * socket, writes how to reach it. One line each, or nothing when http_address() is enough. */
void http_write_ways_in(const struct http *http, struct sink *sink);

/* Closes the board and the mailbox, so that nothing waits on them, then every connection. Returns when the last
 * thread has ended. The ingest thread must still answer orders that it has taken. */
void http_stop(struct http *http);

#endif
