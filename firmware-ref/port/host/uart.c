/* uart.c - makes a pty behave like a UART.
 *
 * The kernel's own struct termios2, since it alone has any rate and not just those with a name;
 * <termios.h> cannot be included beside it. */
#include "uart.h"

#include <asm/termbits.h>
#include <sys/ioctl.h>
#include <time.h>

static struct {
    int slave;
    uint32_t first, now;
    uint64_t since_ms;
    bool is_mute; /* until the rate changes */
    struct mpt_uart_faults faults;
} uart;

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

void mpt_uart_open(int slave, uint32_t baud, const struct mpt_uart_faults *faults)
{
    struct termios2 host;

    uart.slave = slave;
    /* Sets the right rate at the other end, which applies until a host opens it. */
    if (!ioctl(slave, TCGETS2, &host)) {
        host.c_cflag = (host.c_cflag & ~(tcflag_t)CBAUD) | BOTHER;
        host.c_ispeed = host.c_ospeed = baud;
        ioctl(slave, TCSETS2, &host);
    }
    uart.first = uart.now = baud;
    uart.faults = *faults;
}

uint32_t mpt_uart_baud(void)
{
    return uart.now;
}

void mpt_uart_set_baud(uint32_t baud)
{
    uart.now = baud;
    uart.since_ms = now_ms();
    uart.is_mute = false;
}

void mpt_uart_agree(void)
{
    uart.is_mute = uart.faults.is_mute;
}

/* Receivers tolerate a rate that is off by some percent. */
static bool is_near(uint32_t a, uint32_t b)
{
    return (a > b ? a - b : b - a) <= b / 50;
}

static bool garbles(void)
{
    const struct mpt_uart_faults *faults = &uart.faults;
    struct termios2 host;

    if (ioctl(uart.slave, TCGETS2, &host) < 0 || !is_near(host.c_ospeed, uart.now))
        return true;
    return (faults->good && uart.now > faults->good) ||
           (faults->lasts_ms && uart.now != uart.first && now_ms() - uart.since_ms >= faults->lasts_ms);
}

/* Drops every third byte, and changes the others. */
size_t mpt_uart_pass(uint8_t *bytes, size_t n)
{
    size_t left = 0;

    if (!uart.now || !garbles())
        return n;
    for (size_t i = 0; i < n; i++)
        if (i % 3 != 2 || n == 1)
            bytes[left++] = (uint8_t)(bytes[i] * 77u ^ 0xD4u);
    return left;
}

size_t mpt_uart_send(uint8_t *bytes, size_t n)
{
    return uart.is_mute ? 0 : mpt_uart_pass(bytes, n);
}
