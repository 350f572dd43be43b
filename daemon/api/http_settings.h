/* http_settings.h - the settings of the web server: content, address and access. */
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

/* Members must be set unless the comment allows NULL or 0. Pointers are borrowed until http_stop(). */
struct http_settings {
    const char *listen;     /* "127.0.0.1:7777", "[::1]:0", "unix:PATH"; port 0 picks a free one */
    const char *webroot;    /* directory of the page's files; NULL: the page built into the program */
    const char *token_file; /* file with the secret that clients must send; NULL: none, loopback only */
    const char *version;    /* "0.1.0" */
    struct board *board;    /* without a first snapshot, answers are 503 */
    struct mailbox *mailbox;
    const struct http_dialect *dialects;
    size_t dialect_n;
    const struct http_source_path *source_paths; /* the first match counts */
    size_t source_path_n;
    const struct replay *replay;      /* reads recordings; NULL: none can be opened */
    const struct pulse *pulse;        /* of the thread that /healthz checks; NULL: none */
    const char *const *frame_origins; /* origins whose pages may embed this one: "https://grafana.example" */
    size_t frame_origin_n;
    bool source_any;            /* show any file that the ELF names as source */
    uint32_t metrics_functions; /* number of functions with their own metrics; 0: 500 */
    uint32_t heartbeat_ms;      /* silence after which a comment line is sent; 0: 15,000 */
    uint32_t stuck_s;           /* time after which a client that reads nothing is dropped; 0: 60 */
    uint32_t request_s;         /* time limit for receiving a request; 0: 15 */
};

#endif
