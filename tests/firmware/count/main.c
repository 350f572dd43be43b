/* main.c - the example's workload with a port that accepts everything at once, so that only the agent's useful
 * instructions are counted, without waiting. COUNT_VERSION is the version that START asks for. */
#include "board.h"
#include "mpt.h"
#include "mpt_port.h"
#include "protocol/packet.h"
#include "uart.h"
#include "workload.h"

enum { ROUNDS = 20 };

void UART0_RX_IRQHandler(void);
void UART0_TX_IRQHandler(void);

static uint32_t count_bytes;

static uint8_t command[MP_COMMAND_SIZE];
static uint32_t command_left;

void uart_open(void) {}
bool mpt_port_has_baud(uint32_t baud)
{
    return false;
}
bool mpt_port_is_sent(void)
{
    return true;
}
void mpt_port_set_baud(uint32_t baud) {}

bool uart_ran_dry(void)
{
    return true;
}

void UART0_RX_IRQHandler(void) {}

void UART0_TX_IRQHandler(void) {}

size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    count_bytes += (uint32_t)n;
    return n;
}

size_t mpt_port_read(uint8_t *bytes, size_t n)
{
    if (!command_left)
        return 0;
    *bytes = command[MP_COMMAND_SIZE - command_left--];
    return 1;
}

static void send(uint8_t code)
{
    struct mp_command wanted = {.code = code, .length = code == MP_START, .payload = {COUNT_VERSION}};

    mp_command_encode(&wanted, command);
    command_left = MP_COMMAND_SIZE;
    while (mpt_poll())
        ;
}

void schedule_open(int argc, char **argv)
{
    static const struct mpt_target target = {.fw_version = "count"};

    board_open(argc, argv);
    mpt_init(&target);
    send(MP_START);
    count_bytes = 0;
}

static uint32_t semihost(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;

    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

/* Counting begins and ends here. */
void count_begin(void);
void count_end(void);

__attribute__((noinline)) void count_begin(void)
{
    __asm__ volatile("");
}

__attribute__((noinline)) void count_end(void)
{
    char text[] = "bytes 0000000000\n";

    for (char *digit = text + sizeof text - 3; count_bytes; count_bytes /= 10)
        *digit-- = (char)('0' + count_bytes % 10);
    semihost(0x04, text);                  /* write */
    semihost(0x18, (const void *)0x20026); /* exit, as it should be */
}

void schedule_wait(void)
{
    static uint32_t rounds;

    if (!rounds)
        count_begin();
    else
        mpt_poll();
    if (rounds++ == ROUNDS)
        count_end();
}

void work_us(uint32_t us) {}
