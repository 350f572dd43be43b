/* terminal.h - controls the terminal of `miniprofd top`, and reads its keys. Plain VT100, which SSH, tmux, serial
 * consoles and all terminals of the last decades understand. */
#ifndef TOP_TERMINAL_H
#define TOP_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

/* Keys that are not characters. */
enum { KEY_NONE = 0, KEY_UP = 256, KEY_DOWN, KEY_PAGE_UP, KEY_PAGE_DOWN, KEY_HOME, KEY_END };

struct terminal {
    struct termios before; /* to be restored */
    bool is_on;
};

/* True when standard input and output are a terminal that can be filled. */
bool terminal_is_there(void);

/* Switches to the alternate screen and to reading single keys. False when that fails. */
bool terminal_begin(struct terminal *terminal);

/* Restores the terminal. May be called twice. */
void terminal_end(struct terminal *terminal);

/* Returns its current size, 80 x 24 when unknown. */
void terminal_size(unsigned *width, unsigned *height);

/* Writes all bytes. False when the terminal has gone. */
bool terminal_write(const char *bytes, size_t n);

/* Reads the first key of n typed bytes: a character, a key from above, or KEY_NONE for anything else. Returns its
 * length, at least 1. */
size_t terminal_key(const char *bytes, size_t n, int *key);

#endif
