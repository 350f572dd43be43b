/* log.h - writes log lines to standard error. Safe from any thread; never called with a lock held. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

enum log_level { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG };

/* Detects the reader of standard error and sets the prefix of later lines. systemd's journal gets a priority
 * ("<3>", which it removes), a terminal the time of day, others nothing. Call this before the first thread
 * starts and before privileges are dropped: the time zone is read from a file. */
void log_begin(void);

enum { LOG_PREFIX_SIZE = 16 };

/* Writes the prefix of a line of that level, which may be empty. Returns its length. */
int log_write_prefix(char out[LOG_PREFIX_SIZE], enum log_level level);

/* Sets the level above which lines are dropped (default LOG_INFO). Call this before the first thread starts. */
void log_set_level(enum log_level level);

/* Reads "error", "warning", "info" or "debug". False for another name. */
bool log_level_parse(const char *name, enum log_level *level);

/* Writes one line; the newline is added. Names in it are made plain (base/text.h). */
void log_write(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Drops the lines of this thread from now on, or writes them again. */
void log_mute(bool is_mute);

/* A gate limits a message that a bad wire could repeat without end to one per second. Zero is the start
 * state. */
struct log_gate {
    unsigned long long next_ms;
};
bool log_gate_open(struct log_gate *gate);

#endif
