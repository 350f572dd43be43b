/* options.h - what the user asked for, from the command line and a configuration file. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "arguments/arguments.h"
#include "base/bound.h"
#include "base/elf_list.h"
#include "base/error.h"
#include "base/log.h"
#include "base/sink.h"
#include "dialect/dialect.h"
#include "source/source.h"

#include <stdint.h>

enum {
    OPTIONS_EXPORTS_MAX = 32,
    OPTIONS_DIALECT_SETTINGS_MAX = 64,
    OPTIONS_SOURCE_PATHS_MAX = 32,
    OPTIONS_FRAMES_MAX = 8,
    OPTIONS_LIMITS_MAX = 64
};

/* An --export: the format is known to exist. */
struct options_export {
    const struct exporter *exporter;
    const char *path; /* "-" is standard output */
};

/* A --source-path. */
struct options_source_path {
    const char *from, *to;
};

/* What the user asked for. The options own all text. */
struct options {
    const char *port;
    uint32_t baud;
    uint32_t baud_max;             /* to which it is raised; 0: it is not */
    enum source_line dtr, rts;     /* of a serial port */
    bool has_default_lines;        /* the command line names neither: for a port only */
    bool has_default_speed;        /* likewise of `speed`, which is 0 where `port` is no recording */
    const struct dialect *dialect; /* NULL: to be found out from the bytes */
    bool dialect_chosen;           /* by --dialect, "auto" included */
    struct dialect_setting dialect_settings[OPTIONS_DIALECT_SETTINGS_MAX];
    size_t dialect_settings_n;
    struct elf_list elfs;
    bool config_is_named;  /* by --config */
    bool has_default_elfs; /* they are the configuration file's, which the command line replaces */
    struct options_source_path source_paths[OPTIONS_SOURCE_PATHS_MAX];
    size_t source_paths_n;
    const char *listen; /* ADDR:PORT */
    const char *webroot;
    const char *token_file;
    const char *frame_origins[OPTIONS_FRAMES_MAX]; /* whose pages may show ours inside them */
    size_t frame_origins_n;
    uint32_t metrics_functions; /* that have metrics of their own; 0: the default */
    const char *record;
    const char *record_dir;                /* NULL: the working directory */
    uint64_t record_most;                  /* bytes that a recording may take; 0: any number */
    const char *keep_dir;                  /* of what is kept around broken limits; NULL: nothing is */
    uint32_t breach_seconds, breach_files; /* 0: the default */
    uint64_t breach_most;                  /* bytes; 0: the default */
    double speed;                          /* 0: as fast as possible */
    struct options_export exports[OPTIONS_EXPORTS_MAX];
    size_t exports_n;
    const char *announce;   /* the file with Prometheus' targets; NULL: none */
    const char *board_name; /* NULL: the port */
    double duration_s;      /* 0: until it ends or is stopped */
    const char *work;       /* the function that ends the measurement ... */
    uint64_t work_calls;    /* ... with its call of this number; 0: none */
    bool ends_when_gone;    /* a live source that went away ends it, too */
    const char *trigger;    /* FUNCTION>TIME; NULL: none */
    struct bound limits[OPTIONS_LIMITS_MAX];
    size_t limits_n;
    enum mode mode; /* how the device is to report its calls */
    bool source_any, unconfined;
    bool http, control;
    bool strict; /* an incomplete profile is a failure */
    bool list_ports, json, version, help, is_verbose;
    enum log_level log_level;
    struct options_text *texts; /* what the pointers above point to */
};

/* Reads the command line, and first the file that --config names, which the command line overrides. False:
 * `err` says what is wrong; options_free() all the same. */
bool options_parse(struct options *options, int argc, char *const *argv, struct error *err);

/* Does that with another file in the place of /etc/miniprofd/config.json, the weakest there is. */
bool options_parse_below(struct options *options, const char *system_file, int argc, char *const *argv,
                         struct error *err);
void options_free(struct options *options);

/* What there is, for --help and completions. */
extern const struct arguments options_arguments;

/* Writes the whole --help: dialects and export formats, too. */
void options_write_help(struct sink *sink);

#endif
