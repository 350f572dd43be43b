/* tty.c - ptys and other terminals that libserialport does not support, with plain termios.
 *
 * Uses the kernel's own struct termios2, which supports any speed, not only those with a name; <termios.h>
 * cannot be included with it. */
#include "source/tty.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

int tty_open(const char *path, uint32_t baud, int *code)
{
    int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        *code = errno;
        return -1;
    }
    struct termios2 settings;
    if (ioctl(fd, TCGETS2, &settings) < 0)
        goto failed;
    settings.c_iflag = 0;
    settings.c_oflag = 0;
    settings.c_lflag = 0;
    settings.c_cflag = CS8 | CREAD | CLOCAL | BOTHER;
    settings.c_ispeed = settings.c_ospeed = baud;
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    if (ioctl(fd, TCSETS2, &settings) < 0)
        goto failed;
    return fd;

failed:
    *code = errno;
    close(fd);
    return -1;
}

void tty_close(int fd)
{
    ioctl(fd, TCFLSH, TCOFLUSH);
    close(fd);
}

void tty_keep_lines(int fd)
{
    struct termios2 settings;
    if (ioctl(fd, TCGETS2, &settings) < 0 || !(settings.c_cflag & HUPCL))
        return;
    settings.c_cflag &= ~(tcflag_t)HUPCL;
    ioctl(fd, TCSETS2, &settings);
}

void tty_set_baud(int fd, uint32_t baud)
{
    struct termios2 settings;
    if (ioctl(fd, TCGETS2, &settings) < 0)
        return;
    settings.c_cflag = (settings.c_cflag & ~(tcflag_t)CBAUD) | BOTHER;
    settings.c_ispeed = settings.c_ospeed = baud;
    ioctl(fd, TCSETS2, &settings);
}

uint32_t tty_baud(int fd)
{
    struct termios2 settings;
    return ioctl(fd, TCGETS2, &settings) < 0 ? 0 : settings.c_ospeed;
}
