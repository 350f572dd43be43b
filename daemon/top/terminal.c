/* terminal.c - controls the terminal of `miniprofd top`, and reads its keys. */
#include "top/terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_is_there(void)
{
    const char *term = getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

bool terminal_write(const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, n);
        if (written < 0 && errno != EINTR)
            return false;
        bytes += written > 0 ? written : 0;
        n -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

bool terminal_begin(struct terminal *terminal)
{
    /* Alternate screen, no cursor, no wrapping. */
    static const char begin[] = "\033[?1049h\033[?25l\033[?7l\033[H\033[J";
    if (tcgetattr(STDIN_FILENO, &terminal->before) != 0)
        return false;
    struct termios raw = terminal->before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO); /* keeps signals: Ctrl+C, Ctrl+Z */
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    terminal->is_on = tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) == 0;
    return terminal->is_on && terminal_write(begin, sizeof begin - 1);
}

void terminal_end(struct terminal *terminal)
{
    static const char end[] = "\033[?7h\033[?25h\033[?1049l";
    if (!terminal->is_on)
        return;
    terminal->is_on = false;
    terminal_write(end, sizeof end - 1);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &terminal->before);
}

void terminal_size(unsigned *width, unsigned *height)
{
    struct winsize size = {0};
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    *width = size.ws_col > 0 ? size.ws_col : 80;
    *height = size.ws_row > 0 ? size.ws_row : 24;
}

/* Sequences of VT100 and xterm. */
static const struct {
    const char *bytes;
    int key;
} sequences[] = {{"\033[A", KEY_UP},   {"\033OA", KEY_UP},       {"\033[B", KEY_DOWN},
                 {"\033OB", KEY_DOWN}, {"\033[5~", KEY_PAGE_UP}, {"\033[6~", KEY_PAGE_DOWN},
                 {"\033[H", KEY_HOME}, {"\033OH", KEY_HOME},     {"\033[1~", KEY_HOME},
                 {"\033[F", KEY_END},  {"\033OF", KEY_END},      {"\033[4~", KEY_END}};

size_t terminal_key(const char *bytes, size_t n, int *key)
{
    size_t length = 1;
    *key = (unsigned char)*bytes < 128 && *bytes != '\033' ? *bytes : KEY_NONE;
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
        if (strlen(sequences[i].bytes) <= n &&
            !memcmp(bytes, sequences[i].bytes, strlen(sequences[i].bytes))) {
            *key = sequences[i].key;
            return strlen(sequences[i].bytes);
        }
    /* An unknown sequence is skipped as a whole, so that its letters do not count as keys. */
    if (n > 2 && bytes[0] == '\033' && bytes[1] == '[')
        for (length = 2; length < n && bytes[length] < '@'; length++)
            ;
    return length < n && length > 1 ? length + 1 : length;
}
