/* media.c - finds the media type of a file by its name. */
#include "server/media.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *ending, *type;
} media_types[] = {
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".json", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".txt", "text/plain; charset=utf-8"},
    {".md", "text/plain; charset=utf-8"},
};

const char *media_type_of(const char *path)
{
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < sizeof media_types / sizeof *media_types; i++)
        if (strcmp(ending, media_types[i].ending) == 0)
            return media_types[i].type;
    return "application/octet-stream";
}
