/* http_settings.h - what the web server serves, where, and to whom. */
#ifndef API_HTTP_SETTINGS_H
#define API_HTTP_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct board;
struct mailbox;
struct replay;

/* One entry of the page's dialect menu. */
struct http_dialect {
    const char *id, *title, *summary;
};

/* Source files that were below `from` when the program was compiled are below `to` here. */
struct http_source_path {
    const char *from, *to;
};

/* Members without a word on zero must be set. All that is pointed to is borrowed until http_stop(). */
struct http_settings {
    const char *listen;     /* "127.0.0.1:7777", "[::1]:0", "unix:PATH"; port 0 picks a free one */
    const char *webroot;    /* directory that the page is read from; NULL: the one inside the program */
    const char *token_file; /* holds what clients must prove to know; NULL: nothing, loopback only */
    const char *version;    /* "0.1.0" */
    struct board *board;    /* hang up a first snapshot before http_start(): until then answers are 503 */
    struct mailbox *mailbox;
    const struct http_dialect *dialects;
    size_t dialect_n;
    const struct http_source_path *source_paths; /* the first that fits counts */
    size_t source_path_n;
    const struct replay *replay;      /* reads recordings; NULL: none can be opened */
    const struct pulse *pulse;        /* of the thread that /healthz speaks for; NULL: none */
    const char *const *frame_origins; /* whose pages may show ours inside them: "https://grafana.example" */
    size_t frame_origin_n;
    bool source_any;            /* whatever file the ELF names is shown as its source */
    uint32_t metrics_functions; /* that have metrics of their own; 0: 500 */
    uint32_t heartbeat_ms;      /* a comment line after so much silence; 0: 15,000 */
    uint32_t stuck_s;           /* a client that reads nothing for this long is dropped; 0: 60 */
    uint32_t request_s;         /* a request must all be there in that time; 0: 15 */
};

#endif
