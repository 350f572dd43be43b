/* files.c - serves the page's files: those built into the program, or those of a directory. */
#include "server/files.h"

#include "server/asset.h"
#include "server/media.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_BYTES_MOST = 64 << 20, ETAG_SIZE = 64 };

bool files_init(struct files *files, const char *webroot, struct error *err)
{
    *files = (struct files){0};
    if (!webroot)
        return true;
    struct stat about;
    files->root = realpath(webroot, NULL);
    if (!files->root || stat(files->root, &about) < 0 || !S_ISDIR(about.st_mode)) {
        int code = files->root ? ENOTDIR : errno;
        files_fini(files);
        return error_set_errno(err, code, "Cannot serve the page from the directory %s", webroot);
    }
    return true;
}

void files_fini(struct files *files)
{
    free(files->root);
    files->root = NULL;
}

/* Sets caching headers. False after answering 304. `lasting`: this address will never have other bytes. */
static bool wants_bytes(const struct request *request, const char *etag, bool lasting,
                        struct response *response)
{
    /* Browsers cache files, but check changeable ones each time, so that a new version appears at once. */
    response_header(response, "ETag", "W/%s", etag);
    response_header(response, "Cache-Control", lasting ? "max-age=31536000, immutable" : "no-cache");
    const char *known = request->if_none_match;
    if (!known || !(strstr(known, etag) || strcmp(known, "*") == 0))
        return true;
    response->status = 304;
    return false;
}

/* Returns the path below a folder like assets_folder. It may be another version's, for pages loaded before this
 * program started. Other paths are returned unchanged. */
static const char *below_folder(const char *path)
{
    enum { BEFORE = 2, DIGITS = ASSETS_FOLDER_N - BEFORE - 1 };
    bool is_folder = strncmp(path, assets_folder, BEFORE) == 0 &&
                     strspn(path + BEFORE, "0123456789abcdef") == DIGITS && path[BEFORE + DIGITS] == '/';
    return is_folder ? path + ASSETS_FOLDER_N : path;
}

static bool answer_asset(const char *path, bool lasting, const struct request *request,
                         struct response *response)
{
    for (const struct asset *asset = assets; asset->path; asset++) {
        if (strcmp(asset->path, path) != 0)
            continue;
        if (wants_bytes(request, asset->etag, lasting, response)) {
            response->media_type = media_type_of(path);
            sink_write(&response->body.sink, asset->bytes, asset->n);
        }
        return true;
    }
    return false;
}

/* Opens the regular file at `path` below root. -1 when there is none. */
static int open_below(const char *root, const char *path)
{
    char joined[PATH_MAX], real[PATH_MAX];
    int n = snprintf(joined, sizeof joined, "%s/%s", root, path);
    if ((size_t)n >= sizeof joined || !realpath(joined, real))
        return -1;
    size_t root_n = strlen(root);
    if (strncmp(real, root, root_n) != 0 || (real[root_n] != '/' && strcmp(root, "/") != 0))
        return -1;
    return open(real, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

/* Reads n bytes. False when the file is shorter or cannot be read. */
static bool read_all(int fd, size_t n, struct sink *sink)
{
    char part[16384];
    while (n > 0) {
        ssize_t got = read(fd, part, n < sizeof part ? n : sizeof part);
        if (got <= 0)
            return false;
        sink_write(sink, part, (size_t)got);
        n -= (size_t)got;
    }
    return true;
}

static bool answer_file(const char *root, const char *path, const struct request *request,
                        struct response *response)
{
    int fd = open_below(root, path);
    if (fd < 0)
        return false;
    struct stat about;
    bool found = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= FILE_BYTES_MOST;
    if (found) {
        char etag[ETAG_SIZE];
        snprintf(etag, sizeof etag, "\"%llx-%llx%08lx\"", (unsigned long long)about.st_size,
                 (unsigned long long)about.st_mtim.tv_sec, (unsigned long)about.st_mtim.tv_nsec);
        if (wants_bytes(request, etag, false, response)) {
            response->media_type = media_type_of(path);
            if (!read_all(fd, (size_t)about.st_size, &response->body.sink))
                response_problem(response, 500, "The file at %.200s could not be read to its end: ask again.",
                                 path);
        }
    }
    close(fd);
    return found;
}

void files_answer(const struct files *files, const struct request *request, struct response *response)
{
    const char *path = strcmp(request->path, "/") == 0 ? "index.html" : request->path + 1;
    bool lasting = strncmp(path, assets_folder, ASSETS_FOLDER_N) == 0;
    path = below_folder(path);
    /* Browsers request this for answers without an icon, such as JSON. */
    if (strcmp(path, "favicon.ico") == 0)
        path = "icon.svg";
    bool found = files->root ? answer_file(files->root, path, request, response)
                             : answer_asset(path, lasting, request, response);
    if (!found)
        response_problem(response, 404, "There is nothing at %.200s.", request->path);
}
