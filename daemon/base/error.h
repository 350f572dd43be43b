/* error.h - the one way a room tells its caller that the world said no. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>

/* An error is one full sentence for the user, which names the thing and says what to do. The caller owns it;
 * zero is "none". */
struct error {
    char text[512];
};

/* Writes the sentence (truncated to fit) and returns false, so that a failing function can `return
 * error_set(...)`. err may be NULL when the caller does not want the words. */
bool error_set(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Does the same, with ": " and the text of errno value `code` appended. */
bool error_set_errno(struct error *err, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
