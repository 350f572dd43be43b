/* files.h - serves the page's files: those built into the program, or those of a directory. */
#ifndef SERVER_FILES_H
#define SERVER_FILES_H

#include "server/request.h"
#include "server/response.h"

struct files {
    char *root; /* real path of the directory; NULL: the files in the program */
};

/* Serves the directory `webroot` (NULL: the files in the program). False with an error when it is not a
 * directory. */
bool files_init(struct files *files, const char *webroot, struct error *err);
void files_fini(struct files *files);

/* Answers with the file of the request's path ("/" is index.html), or 304, or 404. Files outside the directory are
 * not found, even through links. Clients may cache built-in files below assets_folder (asset.h) forever, and must
 * check all others again. */
void files_answer(const struct files *files, const struct request *request, struct response *response);

#endif
