/* usart.h - USART1 of an STM32F405: usart.c, interrupt-driven, which also runs in QEMU, or usart_dma.c, by
 * DMA. Each provides mpt_port_write() and mpt_port_read(). */
#ifndef PORT_NETDUINOPLUS2_USART_H
#define PORT_NETDUINOPLUS2_USART_H

#include <stdint.h>

enum { IRQ_ADC = 18, IRQ_USART1 = 37, IRQ_DMA2_STREAM7 = 70 };

struct stm32_usart {
    uint32_t state, data, baud, control1, control2, control3;
};

#define USART1 ((volatile struct stm32_usart *)0x40011000u)

enum { USART_RECEIVED = 1 << 5, USART_SENT = 1 << 7 }; /* in state, and the interrupts for them in control1 */
enum { USART_ON = 1 << 13 | 1 << 3 | 1 << 2 };         /* in control1: on, both ways */
enum { USART_HZ = 84000000, INTERNAL_HZ = 16000000, USART_BAUD = 921600 };

/* Opens it on the pins PA9 and PA10 at USART_BAUD, after clock_open(). */
void usart_open(void);

/* Turns on the clocks of USART1 and its pins, and connects the pins to it. */
void usart_pins_open(void);

/* Sets the processor to 168 MHz, from the board's crystal of 25 MHz. If that does not start within 0.1 s, it
 * uses the internal oscillator, which is at most 1 % off at 25 C and more elsewhere. Returns the clock of
 * USART1 in Hz: USART_HZ, or less if the PLL fails and the processor stays at INTERNAL_HZ. The baud rate is
 * right then, but reported times are 10.5 times too short, since MPT_TICK_HZ is a constant. Does nothing
 * where these registers do not exist, as in QEMU, whose processor runs at 168 MHz. */
uint32_t clock_open(void);

#endif
