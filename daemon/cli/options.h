/* options.h - the options, from the command line and configuration files. */
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

/* An --export with an existing format. */
struct options_export {
    const struct exporter *exporter;
    const char *path; /* "-" is standard output */
};

/* A --source-path. */
struct options_source_path {
    const char *from, *to;
};

/* The options, which own all texts. */
struct options {
    const char *port;
    uint32_t baud;
    uint32_t baud_max;             /* the highest rate to raise it to; 0: do not raise it */
    enum source_line dtr, rts;     /* of a serial port */
    bool has_default_lines;        /* dtr and rts are not from the command line: ignored without a port */
    bool has_default_speed;        /* speed is not from the command line: 0 without a recording */
    const struct dialect *dialect; /* NULL: guess from the bytes */
    bool dialect_chosen;           /* by --dialect, "auto" included */
    struct dialect_setting dialect_settings[OPTIONS_DIALECT_SETTINGS_MAX];
    size_t dialect_settings_n;
    struct elf_list elfs;
    bool config_is_named;  /* by --config */
    bool has_default_elfs; /* from a configuration file, so that the command line replaces them */
    struct options_source_path source_paths[OPTIONS_SOURCE_PATHS_MAX];
    size_t source_paths_n;
    const char *listen; /* ADDR:PORT */
    const char *webroot;
    const char *token_file;
    const char *frame_origins[OPTIONS_FRAMES_MAX]; /* origins whose pages may embed this one */
    size_t frame_origins_n;
    uint32_t metrics_functions; /* number of functions with their own metrics; 0: the default */
    const char *record;
    const char *record_dir;                /* NULL: the working directory */
    uint64_t record_most;                  /* size limit of a recording in bytes; 0: none */
    const char *keep_dir;                  /* folder of recordings around breaches; NULL: none */
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
    bool ends_when_gone;    /* also end when a live source is gone */
    const char *trigger;    /* FUNCTION>TIME; NULL: none */
    struct bound limits[OPTIONS_LIMITS_MAX];
    size_t limits_n;
    enum mode mode; /* how the device should report its calls */
    bool source_any, unconfined;
    bool http, control;
    bool strict; /* treat an incomplete profile as a failure */
    bool list_ports, json, version, help, is_verbose;
    enum log_level log_level;
    struct options_text *texts; /* owns the texts of the pointers above */
};

/* Reads the options of configuration files, environment and command line, in rising precedence. False with an error;
 * the caller calls options_free() in any case. */
bool options_parse(struct options *options, int argc, char *const *argv, struct error *err);

/* Does that with another file instead of /etc/miniprofd/config.json, which has the lowest precedence. */
bool options_parse_below(struct options *options, const char *system_file, int argc, char *const *argv,
                         struct error *err);
void options_free(struct options *options);

/* The table of options, also for --help and completions. */
extern const struct arguments options_arguments;

/* Writes the whole --help, with dialects and export formats. */
void options_write_help(struct sink *sink);

#endif
