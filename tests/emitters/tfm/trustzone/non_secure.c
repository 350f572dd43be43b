/* non_secure.c - the non-secure image: it passes checkpoints, and calls a service of the secure side between them. */
#define MPT_TFM_IN_NON_SECURE
#define MPT_TFM_VENEERS
#include "service.h"
#include "tfm/mpt_tfm.h"

enum { ROUNDS = 50, CALIBRATION = 100, TURNS = 20 };

extern uint32_t stack_top[];
void Reset_Handler(void);

__attribute__((section(".vectors"), used)) static void *const vectors[16] = {stack_top, Reset_Handler};

void Reset_Handler(void)
{
    mpt_tfm_ns_calibrate(CALIBRATION);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        MPT_CHECKPOINT(SERVICE_TOPIC, SERVICE_CALL);
        service(TURNS + i);
        MPT_CHECKPOINT(SERVICE_TOPIC, SERVICE_BACK);
        MPT_CHECKPOINT(SERVICE_TOPIC, SERVICE_NOTHING);
    }
    service_end();
}
