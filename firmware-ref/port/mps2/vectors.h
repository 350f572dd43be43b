/* vectors.h - the interrupts of the mps2 boards. HANDLED(irq, handler), in the order of their numbers, and
 * FREE(first, last) between them. IRQ_ADC belongs to no device: software requests it. */
#ifdef MPS2_AN505
#define VECTORS(HANDLED, FREE)                                                                               \
    FREE(0, 2)                                                                                               \
    HANDLED(3, TIMER0_IRQHandler)                                                                            \
    HANDLED(4, TIMER1_IRQHandler)                                                                            \
    FREE(5, 30)                                                                                              \
    HANDLED(31, ADC_IRQHandler)                                                                              \
    HANDLED(32, UART0_RX_IRQHandler)                                                                         \
    HANDLED(33, UART0_TX_IRQHandler)
#else
#define VECTORS(HANDLED, FREE)                                                                               \
    HANDLED(0, UART0_RX_IRQHandler)                                                                          \
    HANDLED(1, UART0_TX_IRQHandler)                                                                          \
    FREE(2, 7)                                                                                               \
    HANDLED(8, TIMER0_IRQHandler)                                                                            \
    HANDLED(9, TIMER1_IRQHandler)                                                                            \
    FREE(10, 30)                                                                                             \
    HANDLED(31, ADC_IRQHandler)
#endif
