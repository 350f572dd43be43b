/* control_lines.c - DTR and RTS of a serial port. */
#include "source/control_lines.h"

#include <asm/termbits.h>
#include <string.h>
#include <sys/ioctl.h>

/* In one request, so that the driver of an adapter sends both in one message. */
static void lines_change(int fd, int on, int off)
{
    int before;
    if (!(on | off) || ioctl(fd, TIOCMGET, &before) < 0)
        return;
    int after = (before | on) & ~off;
    if (after != before)
        ioctl(fd, TIOCMSET, &after);
}

/* The lines for which the user wants `state`. */
static int lines_wanted(const struct source_settings *settings, enum source_line state)
{
    return (settings->dtr == state ? TIOCM_DTR : 0) | (settings->rts == state ? TIOCM_RTS : 0);
}

bool lines_set(int fd, const struct source_settings *settings)
{
    int pulsed = lines_wanted(settings, SOURCE_LINE_PULSE);
    lines_change(fd, lines_wanted(settings, SOURCE_LINE_ON),
                 lines_wanted(settings, SOURCE_LINE_OFF) | pulsed);
    return pulsed && lines_read(fd).known;
}

void lines_end_pulse(int fd, const struct source_settings *settings)
{
    lines_change(fd, lines_wanted(settings, SOURCE_LINE_PULSE), 0);
}

void lines_keep_off(int fd, const struct source_settings *settings)
{
    lines_change(fd, 0, lines_wanted(settings, SOURCE_LINE_OFF));
}

struct source_lines lines_read(int fd)
{
    int lines;
    if (ioctl(fd, TIOCMGET, &lines) < 0)
        return (struct source_lines){.known = false};
    return (struct source_lines){.known = true, .dtr = lines & TIOCM_DTR, .rts = lines & TIOCM_RTS};
}

bool source_line_named(const char *name, enum source_line *line)
{
    static const char *const names[] = {[SOURCE_LINE_KEEP] = "keep",
                                        [SOURCE_LINE_ON] = "on",
                                        [SOURCE_LINE_OFF] = "off",
                                        [SOURCE_LINE_PULSE] = "pulse"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) {
            *line = (enum source_line)i;
            return true;
        }
    return false;
}
