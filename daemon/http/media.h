/* media.h - the media type of a file, by its name. */
#ifndef HTTP_MEDIA_H
#define HTTP_MEDIA_H

/* Static text; "application/octet-stream" for an ending that is not known. */
const char *media_type_of(const char *path);

#endif
