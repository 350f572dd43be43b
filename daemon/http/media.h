/* media.h - the media type of a file, by its name. */
#ifndef HTTP_MEDIA_H
#define HTTP_MEDIA_H

/* "application/octet-stream" for an ending that is not known. Static. */
const char *media_type_of(const char *path);

#endif
