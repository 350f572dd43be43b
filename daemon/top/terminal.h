/* terminal.h - the terminal that `miniprofd top` fills, and its keys. Plain VT100: what SSH, tmux, a serial
 * console and every terminal of the last decades understand. */
#ifndef TOP_TERMINAL_H
#define TOP_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

/* Keys that are no characters. */
enum { KEY_NONE = 0, KEY_UP = 256, KEY_DOWN, KEY_PAGE_UP, KEY_PAGE_DOWN, KEY_HOME, KEY_END };

struct terminal {
    struct termios before; /* to be set back */
    bool is_on;
};

/* True when standard input and output are a terminal that can be filled. */
bool terminal_is_there(void);

/* Takes the screen: keys come one by one, what was there is kept by the terminal. False when
 * that cannot be. */
bool terminal_begin(struct terminal *terminal);

/* Gives it back as it was. May be called twice. */
void terminal_end(struct terminal *terminal);

/* Its size now; 80 x 24 where it does not say. */
void terminal_size(unsigned *width, unsigned *height);

/* Writes all; false when the terminal has gone. */
bool terminal_write(const char *bytes, size_t n);

/* Takes the first key off n bytes that were typed: a character or a key from above, KEY_NONE for what is no
 * key. Answers how many bytes it has, at least 1. */
size_t terminal_key(const char *bytes, size_t n, int *key);

#endif
