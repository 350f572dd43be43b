/* cmsis.c - the counter of a Cortex-M by its CMSIS names, and a line that the program provides. */
#include "mpt_cmsis.h"

#include "mpt.h"
#include "mpt_port.h"

enum { LOOKS = 100 }; /* some instructions each: any useful counter moves in this time */

static mpt_cmsis_put put_bytes;
static mpt_cmsis_get get_bytes;

#if defined MPT_CMSIS_HAS_DWT
static void start_counter(void)
{
#if __CORTEX_M == 7
    DWT->LAR = 0xC5ACCE55u; /* only the Cortex-M7 has this lock, which some manufacturers close */
#endif
#if defined DCB /* the name in newer headers */
    DCB->DEMCR |= DCB_DEMCR_TRCENA_Msk;
#else
    CoreDebug->DEMCR |= CoreDebug_DEMCR_TRCENA_Msk;
#endif
    DWT->CYCCNT = 0;
    DWT->CTRL |= DWT_CTRL_CYCCNTENA_Msk;
}
#elif defined MPT_CMSIS_HAS_SYSTICK
void SysTick_Handler(void);

/* Runs once per period of the counter. */
void SysTick_Handler(void)
{
    mpt_keep_time();
}

static void start_counter(void)
{
    SysTick->LOAD = SysTick_LOAD_RELOAD_Msk;
    SysTick->VAL = 0;
    SysTick->CTRL = SysTick_CTRL_CLKSOURCE_Msk | SysTick_CTRL_TICKINT_Msk | SysTick_CTRL_ENABLE_Msk;
}
#else
static void start_counter(void) {}
#endif

bool mpt_cmsis_open(mpt_cmsis_put put, mpt_cmsis_get get)
{
    put_bytes = put;
    get_bytes = get;
    start_counter();

    uint32_t begin = mpt_port_ticks();

    for (int i = 0; i < LOOKS; i++) {
        if (mpt_port_ticks() != begin)
            return true;
    }
    return false;
}

size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    return put_bytes(bytes, n);
}

size_t mpt_port_read(uint8_t *bytes, size_t n)
{
    return get_bytes(bytes, n);
}
