/* log.h - lines for whoever runs the daemon, on standard error. Safe from any thread; never called with a
 * lock held. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

enum log_level { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG };

/* Finds out who reads standard error, for all lines that follow. The journal of systemd gets the priority of
 * each ("<3>", which it takes off), a terminal the time of day, and others neither. To be called before the
 * first thread starts and before rights are given up: the time zone is read from a file. */
void log_begin(void);

enum { LOG_PREFIX_SIZE = 16 };

/* Writes what a line of that level begins with, which may be nothing; answers its length. */
int log_write_prefix(char out[LOG_PREFIX_SIZE], enum log_level level);

/* Has lines above this level dropped; it is LOG_INFO until then. To be called before the first thread
 * starts. */
void log_set_level(enum log_level level);

/* Understands "error", "warning", "info" and "debug"; false when the name is none of them. */
bool log_level_parse(const char *name, enum log_level *level);

/* Writes one line, which is reported without its newline. Names in it are made plain (base/text.h). */
void log_write(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Has the lines of this thread dropped, or written again. */
void log_mute(bool is_mute);

/* A gate keeps back sentences that a bad wire could repeat without end: it opens at most once a second. Zero
 * is the start state. */
struct log_gate {
    unsigned long long next_ms;
};
bool log_gate_open(struct log_gate *gate);

#endif
