/* asset.h - the files of webroot/ inside the program. The table is made by embed.py. */
#ifndef SERVER_ASSET_H
#define SERVER_ASSET_H

#include <stddef.h>

struct asset {
    const char *path; /* "js/main.js" */
    const char *etag; /* with its quotes */
    const char *bytes;
    size_t n;
};

/* Ends with a NULL path. */
extern const struct asset assets[];

/* "v-0123456789abcdef/", named by all that the files say: index.html finds the others there. */
extern const char assets_folder[];
enum { ASSETS_FOLDER_N = 19 };

#endif
