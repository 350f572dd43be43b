/* nested.c - stands in for non-secure code in the TF-M example. */
#define MPT_TFM_IN_NON_SECURE
#include "nested.h"

#include "tfm/mpt_tfm.h"

void non_secure_call(void)
{
    MPT_CHECKPOINT(0, 3);
    for (uint32_t turns = 30; turns; turns--)
        __asm__ volatile("nop");
    MPT_CHECKPOINT(0, 4);
}
