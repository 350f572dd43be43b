/* secure.c - the secure image on ARM's AN505: it has the database, starts the other image, and serves it. At
 * the end it prints the database as lines, and the calibration of both sides. */
#include "service.h"
#include "tfm/mpt_tfm.h"

#include <arm_cmse.h>

#define REG(address) (*(volatile uint32_t *)(address))

enum { ROUNDS = 100 };

extern uint32_t stack_top[];
void Reset_Handler(void);

__attribute__((section(".vectors"), used)) static void *const vectors[16] = {stack_top, Reset_Handler};

static void print(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        while (REG(0x50200004) & 1) /* the UART is full */
            ;
        REG(0x50200000) = bytes[i];
    }
}

static void print_item(uint32_t tag, uint32_t count)
{
    const struct mpt_tfm_item item = {tag, count};
    uint8_t line[MPT_TFM_LINE];

    print(line, mpt_tfm_write_item(line, &item));
}

__attribute__((cmse_nonsecure_entry)) uint32_t service(uint32_t turns)
{
    MPT_CHECKPOINT(SERVICE_TOPIC, SERVICE_SECURE);
    for (volatile uint32_t i = 0; i < turns; i++)
        ;
    MPT_CHECKPOINT(SERVICE_TOPIC, SERVICE_SECURE_END);
    return turns;
}

__attribute__((cmse_nonsecure_entry)) uint32_t service_end(void)
{
    uint8_t bytes[MPT_TFM_LINE];
    static const char mark[] = "calibration\n";

    for (size_t n; (n = mpt_tfm_take_text(bytes, sizeof bytes)) > 0;)
        print(bytes, n);
    print((const uint8_t *)mark, sizeof mark - 1);
    print_item(MPT_TFM_SECURE, mpt_tfm_calibration(MPT_TFM_SECURE));
    print_item(MPT_TFM_NON_SECURE, mpt_tfm_calibration(MPT_TFM_NON_SECURE));
    for (;;)
        ;
}

/* SSRAM2 is for the other image. */
static void open_memory(void)
{
    uint32_t blocks = REG(0x58008010) + 1;

    REG(0x58008000) |= 1u << 8; /* the index goes on by itself */
    REG(0x58008018) = 0;
    for (uint32_t i = 0; i < blocks; i++)
        REG(0x5800801C) = UINT32_MAX;
    REG(0x50080014) = 1; /* veneers may be in the secure code */
    REG(0xE000EDD0) = 2; /* no SAU regions: the memory map says what is secure */
}

void Reset_Handler(void)
{
    typedef void __attribute__((cmse_nonsecure_call)) begin_fn(void);
    const uint32_t *table = (const uint32_t *)NON_SECURE_IMAGE;

    REG(0x50200010) = 16; /* UART: rate, on */
    REG(0x50200008) = 1;
    REG(0x50000008) = REG(0x50000004) = UINT32_MAX; /* timer: runs down from the top */
    REG(0x50000000) = 1;
    open_memory();
    mpt_tfm_calibrate(MPT_TFM_SECURE, ROUNDS);
    REG(0xE002ED08) = NON_SECURE_IMAGE; /* its vector table */
    __asm volatile("msr msp_ns, %0" ::"r"(table[0]));
    ((begin_fn *)(table[1] & ~1u))();
    for (;;)
        ;
}
