/* error.h - returns an error to the caller as a sentence for the user. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>

/* An error is one full sentence for the user, which names the cause and the remedy. The caller owns it; zero
 * means none. */
struct error {
    char text[512];
};

/* Writes the sentence (truncated to fit) and returns false, so that a failing function can `return
 * error_set(...)`. err may be NULL when the caller does not need the text. */
bool error_set(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Does the same, with ": " and the text of errno value `code` appended. */
bool error_set_errno(struct error *err, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
