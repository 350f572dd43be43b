/* vectors.h - the interrupts of the STM32F405 that the example has. IRQ 18 is the converters', which the
 * example has software request. */
#define VECTORS(HANDLED, FREE)                                                                               \
    FREE(0, 17)                                                                                              \
    HANDLED(18, ADC_IRQHandler)                                                                              \
    FREE(19, 36)                                                                                             \
    HANDLED(37, USART1_IRQHandler)                                                                           \
    FREE(38, 69)                                                                                             \
    HANDLED(70, DMA2_Stream7_IRQHandler)
