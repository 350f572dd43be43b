/* uart.h - makes a pty behave as a UART does: what is said at another rate than the listener's is garbage.
 *
 * A pty carries every byte, whatever its two ends think the rate is. The host's end tells what rate it was
 * set to, so that the board's end can do what the wire would have done. */
#ifndef PORT_HOST_UART_H
#define PORT_HOST_UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Faults that a real line may have; zero is none. */
struct mpt_uart_faults {
    uint32_t good;     /* rates above this one garble, though both ends agree; 0: none does */
    uint32_t lasts_ms; /* a rate other than the first garbles after that long; 0: none does */
    bool is_mute;      /* the answer that agrees to another rate is lost */
};

/* The line begins at `baud`; 0: it is no UART, and all that follows does nothing. */
void mpt_uart_open(int slave, uint32_t baud, const struct mpt_uart_faults *faults);

uint32_t mpt_uart_baud(void);
void mpt_uart_set_baud(uint32_t baud);

/* The rate is about to be agreed to. */
void mpt_uart_agree(void);

/* What becomes of `n` bytes on the wire, in place; returns how many are left. */
size_t mpt_uart_pass(uint8_t *bytes, size_t n);

/* Likewise of those that the board sends. */
size_t mpt_uart_send(uint8_t *bytes, size_t n);

#endif
