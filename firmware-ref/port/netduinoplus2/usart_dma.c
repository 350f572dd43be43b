/* usart_dma.c - USART1 by DMA, for the real part: no code runs per byte. Written from the register
 * descriptions of ST's RM0090, and not run: QEMU has no DMA there.
 *
 * Sending: DMA2's stream 7 takes the longest run of the ring without a wrap, and its interrupt starts the
 * next. Receiving: stream 5 writes into a ring without end; its counter gives the position. The rings must
 * not lie in the CCM memory at 0x10000000, which DMA does not reach. */
#include "usart.h"

#include "mpt_port.h"
#include "port/mps2/nvic.h"

struct stm32_stream {
    uint32_t control, count, peripheral, memory, memory1, fifo;
};

struct stm32_dma {
    uint32_t state[2], clear[2];
    struct stm32_stream stream[8];
};

#define DMA2        ((volatile struct stm32_dma *)0x40026400u)
#define RCC_ENABLE1 (*(volatile uint32_t *)0x40023830u)

enum { SENDING = 7, RECEIVING = 5 };
enum {
    STREAM_ON = 1 << 0,
    STREAM_DONE_INTERRUPT = 1 << 4,
    STREAM_TO_PERIPHERAL = 1 << 6,
    STREAM_CIRCULAR = 1 << 8,
    STREAM_NEXT_BYTE = 1 << 10, /* of memory */
    STREAM_CHANNEL_4 = 4 << 25  /* USART1 */
};
enum { RCC_DMA2 = 1 << 22, USART_BY_DMA = 1 << 7 | 1 << 6 }; /* in control3 */
enum { CLEAR_SENDING = 0x3D << 22 };                         /* in clear[1], all flags of stream 7 */
enum { TX_SIZE = 512, RX_SIZE = 64 };                        /* powers of two */

static struct {
    uint8_t tx[TX_SIZE], rx[RX_SIZE];
    volatile uint32_t tx_head, tx_tail;
    volatile uint32_t run; /* bytes that the stream is sending; 0: it is idle */
    uint32_t rx_tail;
} line;

void DMA2_Stream7_IRQHandler(void);

void usart_open(void)
{
    volatile struct stm32_stream *const in = &DMA2->stream[RECEIVING];

    uint32_t hz = clock_open();

    usart_pins_open();
    RCC_ENABLE1 |= RCC_DMA2;
    (void)RCC_ENABLE1; /* the clock is on two cycles later */
    USART1->baud = (hz + USART_BAUD / 2) / USART_BAUD;
    USART1->control3 = USART_BY_DMA;
    in->peripheral = (uint32_t)(uintptr_t)&USART1->data;
    in->memory = (uint32_t)(uintptr_t)line.rx;
    in->count = RX_SIZE;
    in->control = STREAM_CHANNEL_4 | STREAM_NEXT_BYTE | STREAM_CIRCULAR | STREAM_ON;
    DMA2->stream[SENDING].peripheral = (uint32_t)(uintptr_t)&USART1->data;
    USART1->control1 = USART_ON;
    nvic_enable(IRQ_DMA2_STREAM7);
}

/* Call it with interrupts masked or in the interrupt, while the stream is idle. */
static void send_run(void)
{
    volatile struct stm32_stream *const out = &DMA2->stream[SENDING];
    uint32_t from = line.tx_tail % TX_SIZE, waiting = line.tx_head - line.tx_tail;

    line.run = waiting < TX_SIZE - from ? waiting : TX_SIZE - from;
    if (!line.run)
        return;
    DMA2->clear[1] = CLEAR_SENDING;
    out->memory = (uint32_t)(uintptr_t)(line.tx + from);
    out->count = line.run;
    __asm__ volatile("dmb" ::: "memory");
    out->control =
        STREAM_CHANNEL_4 | STREAM_NEXT_BYTE | STREAM_TO_PERIPHERAL | STREAM_DONE_INTERRUPT | STREAM_ON;
}

void DMA2_Stream7_IRQHandler(void)
{
    DMA2->clear[1] = CLEAR_SENDING;
    line.tx_tail = line.tx_tail + line.run;
    send_run();
}

size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    size_t taken = 0;

    while (taken < n && line.tx_head - line.tx_tail < TX_SIZE) {
        line.tx[line.tx_head % TX_SIZE] = bytes[taken++];
        line.tx_head = line.tx_head + 1;
    }
    uint32_t key = mpt_port_lock();

    if (!line.run)
        send_run();
    mpt_port_unlock(key);
    return taken;
}

/* If more than RX_SIZE bytes arrive between two polls, they are lost; a command is 12. */
size_t mpt_port_read(uint8_t *bytes, size_t n)
{
    uint32_t head = RX_SIZE - DMA2->stream[RECEIVING].count;
    size_t got = 0;

    while (got < n && line.rx_tail != head % RX_SIZE) {
        bytes[got++] = ((volatile uint8_t *)line.rx)[line.rx_tail];
        line.rx_tail = (line.rx_tail + 1) % RX_SIZE;
    }
    return got;
}
