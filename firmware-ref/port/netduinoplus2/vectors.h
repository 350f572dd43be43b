/* vectors.h - the interrupts of the STM32F405 that the example uses. IRQ 18 is that of the converters, which
 * the example requests by software. */
#define VECTORS(HANDLED, FREE)                                                                               \
    FREE(0, 17)                                                                                              \
    HANDLED(18, ADC_IRQHandler)                                                                              \
    FREE(19, 36)                                                                                             \
    HANDLED(37, USART1_IRQHandler)                                                                           \
    FREE(38, 69)                                                                                             \
    HANDLED(70, DMA2_Stream7_IRQHandler)
