/* files.h - the page's files: those inside the program, or those of a directory. */
#ifndef SERVER_FILES_H
#define SERVER_FILES_H

#include "server/request.h"
#include "server/response.h"

struct files {
    char *root; /* real path of the directory; NULL: the files inside the program */
};

/* Serves the directory `webroot`; NULL: the files inside the program. False with a sentence when it is no
 * directory. */
bool files_init(struct files *files, const char *webroot, struct error *err);
void files_fini(struct files *files);

/* Answers with the file of the request's path ("/" is index.html), or 304, or 404. A file that lies outside
 * the directory, by whatever link, is not found. Below assets_folder (asset.h) a file inside the program may
 * be kept for good; every other answer is to be asked for again. */
void files_answer(const struct files *files, const struct request *request, struct response *response);

#endif
