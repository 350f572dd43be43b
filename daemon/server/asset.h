/* asset.h - the files of webroot/ that are built into the program. embed.py makes the table. */
#ifndef SERVER_ASSET_H
#define SERVER_ASSET_H

#include <stddef.h>

struct asset {
    const char *path; /* "js/main.js" */
    const char *etag; /* with quotes */
    const char *bytes;
    size_t n;
};

/* Ends with a NULL path. */
extern const struct asset assets[];

/* "v-0123456789abcdef/", a hash of all files: index.html refers to the others in this folder. */
extern const char assets_folder[];
enum { ASSETS_FOLDER_N = 19 };

#endif
