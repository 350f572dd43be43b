/* machine.h - the differences of ARM's MPS2 images: an385 (Cortex-M3), an386 (Cortex-M4) and an500
 * (Cortex-M7) are one machine; an505 (Cortex-M33), with MPS2_AN505, has its devices at other addresses. These
 * are the secure ones, since it starts in the secure state. */
#ifndef PORT_MPS2_MACHINE_H
#define PORT_MPS2_MACHINE_H

#ifdef MPS2_AN505
#define MPS2_HZ     20000000u
#define MPS2_BAUD   1000000u /* the clock does not divide into 921600 */
#define MPS2_RAM    0x200000u
#define MPS2_TIMER0 0x50000000u
#define MPS2_TIMER1 0x50001000u
#define MPS2_UART0  0x50200000u
enum { IRQ_TIMER0 = 3, IRQ_TIMER1 = 4, IRQ_ADC = 31, IRQ_UART0_RX = 32, IRQ_UART0_TX = 33 };
#else
#define MPS2_HZ     25000000u
#define MPS2_BAUD   921600u
#define MPS2_RAM    0x400000u
#define MPS2_TIMER0 0x40000000u
#define MPS2_TIMER1 0x40001000u
#define MPS2_UART0  0x40004000u
enum { IRQ_UART0_RX = 0, IRQ_UART0_TX = 1, IRQ_TIMER0 = 8, IRQ_TIMER1 = 9, IRQ_ADC = 31 };
#endif

#endif
