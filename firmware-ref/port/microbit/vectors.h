/* vectors.h - the interrupts of the nRF51 that the example uses: UART0, TIMER1 and, in place of a
 * converter's, the first that only software requests. */
#define VECTORS(HANDLED, FREE)                                                                               \
    FREE(0, 1)                                                                                               \
    HANDLED(2, UART0_IRQHandler)                                                                             \
    FREE(3, 8)                                                                                               \
    HANDLED(9, TIMER1_IRQHandler)                                                                            \
    FREE(10, 19)                                                                                             \
    HANDLED(20, ADC_IRQHandler)                                                                              \
    FREE(21, 31)
