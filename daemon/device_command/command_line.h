/* command_line.h - what a visit is for, from the command line. For this room only. */
#ifndef DEVICE_COMMAND_COMMAND_LINE_H
#define DEVICE_COMMAND_COMMAND_LINE_H

#include "base/error.h"
#include "base/sink.h"
#include "event.h"
#include "source/source.h"

#include <stddef.h>
#include <stdint.h>

enum { ERRAND_SETTINGS_MAX = EVENT_SETTINGS_MAX, ERRAND_NAME_SIZE = 128 };

enum errand_kind { ERRAND_STATUS, ERRAND_CONFIG, ERRAND_START, ERRAND_STOP, ERRAND_RESET, ERRAND_WINDOW };

/* Text is the command line's. */
struct errand {
    enum errand_kind kind;
    bool help, json;
    const char *port; /* NULL: through a daemon, at `at` */
    uint32_t baud;
    enum source_line dtr, rts; /* of a serial port */
    const char *at;            /* http://HOST:PORT, or unix:PATH */
    const char *token_file;
    enum mode mode;     /* which START asks for */
    const char *window; /* FUNCTION>TIME, now or off */
    size_t settings_n;
    struct errand_setting {
        char name[ERRAND_NAME_SIZE];
        uint64_t value;
    } settings[ERRAND_SETTINGS_MAX];
};

/* Reads the command line after "device". False: `err` says what is wrong. */
bool errand_parse(struct errand *errand, int argc, char *const *argv, struct error *err);

/* Write the line that goes with an error of usage, and the whole help. */
void errand_write_usage(struct sink *sink);
void errand_write_help(struct sink *sink);

/* The word of its kind: "status" and so on; static. */
const char *errand_word(enum errand_kind kind);

/* Do the errand over the port, or through a daemon. Each gives the JSON that a daemon answers to such orders,
 * with "source", "target" and "link", as text that the caller frees. NULL with a sentence when it cannot be
 * done. */
char *errand_direct(const struct errand *errand, struct error *err);
char *errand_remote(const struct errand *errand, struct error *err);

/* Writes what such an answer says of the device, for people. False when it is no such answer. */
bool errand_tell(const char *answer, struct sink *sink, struct error *err);

#endif
