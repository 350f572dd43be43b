/* media.h - the media type of a file, by its name. */
#ifndef SERVER_MEDIA_H
#define SERVER_MEDIA_H

/* Static text; "application/octet-stream" for an ending that is not known. */
const char *media_type_of(const char *path);

#endif
