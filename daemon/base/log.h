/* log.h - lines for whoever runs the daemon, on standard error. Safe from any thread; never called with a
 * lock held. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

enum log_level { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG };

/* Lines above this level are dropped. Default LOG_INFO. Set before the first thread starts. */
void log_set_level(enum log_level level);

/* "error", "warning", "info", "debug"; false when the name is none of them. */
bool log_level_parse(const char *name, enum log_level *level);

/* One line, without the newline. Control bytes from the wire are shown as '?'. */
void log_write(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For sentences that a bad wire could repeat without end: true at most once a second per gate. Zero is the
 * start state. */
struct log_gate {
    unsigned long long next_ms;
};
bool log_gate_open(struct log_gate *gate);

#endif
