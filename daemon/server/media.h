/* media.h - finds the media type of a file by its name. */
#ifndef SERVER_MEDIA_H
#define SERVER_MEDIA_H

/* Returns static text, "application/octet-stream" for an unknown suffix. */
const char *media_type_of(const char *path);

#endif
