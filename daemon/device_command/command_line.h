/* command_line.h - parses the command line of `miniprofd device`. */
#ifndef DEVICE_COMMAND_COMMAND_LINE_H
#define DEVICE_COMMAND_COMMAND_LINE_H

#include "arguments/arguments.h"
#include "base/error.h"
#include "base/sink.h"
#include "event.h"
#include "handoff/mailbox.h"
#include "source/source.h"

#include <stddef.h>
#include <stdint.h>

extern const struct arguments device_command_arguments;

enum { DEVICE_COMMAND_SETTINGS_MAX = EVENT_SETTINGS_MAX, DEVICE_COMMAND_NAME_SIZE = 128 };

/* The commands of handoff/device_commands.h, and those that send several. */
#define DEVICE_COMMAND_KIND(id, ...) DEVICE_COMMAND_##id,
enum device_command_kind {
    DEVICE_COMMAND_STATUS,
    DEVICE_COMMAND_CONFIG,
    DEVICE_COMMAND_ROWS(DEVICE_COMMAND_KIND, DEVICE_COMMAND_NONE, DEVICE_COMMAND_NONE) DEVICE_COMMAND_WINDOW
};
#undef DEVICE_COMMAND_KIND

/* The parsed command line, which owns the texts. */
struct device_command {
    enum device_command_kind kind;
    bool help, json;
    bool has_word;    /* `kind` was given */
    const char *port; /* NULL: use the daemon at `at` */
    uint32_t baud;
    enum source_line dtr, rts; /* of a serial port */
    const char *at;            /* http://HOST:PORT, or unix:PATH */
    const char *token_file;
    enum mode mode;     /* the mode for START */
    const char *window; /* FUNCTION>TIME, now or off */
    size_t settings_n;
    struct device_command_setting {
        char name[DEVICE_COMMAND_NAME_SIZE];
        uint64_t value;
    } settings[DEVICE_COMMAND_SETTINGS_MAX];
};

/* Parses the command line after "device". False with an error. */
bool device_command_parse(struct device_command *asked, int argc, char *const *argv, struct error *err);

/* Returns the word of a kind: "status" and so on; static. */
const char *device_command_word(enum device_command_kind kind);

/* Send the command over the port, or through a daemon. Both return the JSON of a daemon's answer to such an order, with
 * "source", "target" and "link", as text that the caller frees. NULL with an error. */
char *device_command_over_port(const struct device_command *asked, struct error *err);
char *device_command_over_daemon(const struct device_command *asked, struct error *err);

/* Prints the device's state from such an answer as text. False when it is not such an answer. */
bool device_command_show(const char *answer, struct sink *sink, struct error *err);

#endif
