/* asset.h - the files of webroot/ inside the program. The table is made by embed.py. */
#ifndef HTTP_ASSET_H
#define HTTP_ASSET_H

#include <stddef.h>

struct asset {
    const char *path; /* "js/main.js" */
    const char *etag; /* with its quotes */
    const char *bytes;
    size_t n;
};

/* Ends with a NULL path. */
extern const struct asset assets[];

#endif
