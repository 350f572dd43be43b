/* uart.h - makes a pty behave like a UART: bytes sent at another rate than the receiver's are garbage.
 *
 * A pty carries every byte, whatever its two ends think the rate is. The host's end shows what rate it was
 * set to, so that the board's end can do what the wire would have done. */
#ifndef PORT_HOST_UART_H
#define PORT_HOST_UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Faults of a real line; zero is none. */
struct mpt_uart_faults {
    uint32_t good;     /* rates above this are garbled, though both ends agree; 0: no limit */
    uint32_t lasts_ms; /* a rate other than the first is garbled after this time; 0: never */
    bool is_mute;      /* the answer that agrees to another rate is lost */
};

/* The line begins at `baud`. With 0 it is no UART, and the other functions do nothing. */
void mpt_uart_open(int slave, uint32_t baud, const struct mpt_uart_faults *faults);

uint32_t mpt_uart_baud(void);
void mpt_uart_set_baud(uint32_t baud);

/* The board is about to agree to another rate. */
void mpt_uart_agree(void);

/* Changes `n` bytes as the wire would, in place; returns how many are left. */
size_t mpt_uart_pass(uint8_t *bytes, size_t n);

/* Does the same with bytes that the board sends. */
size_t mpt_uart_send(uint8_t *bytes, size_t n);

#endif
