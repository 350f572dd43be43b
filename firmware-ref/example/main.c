/* main.c - the example's main loop, and the round it runs. */
#include "workload.h"

void control_cycle(void)
{
    static struct motor motor;
    int32_t millivolts[ADC_CHANNELS];
    int32_t vibration;

    adc_scan(millivolts);
    clarke_park(&motor, millivolts);
    current_loop(&motor);
    svpwm_update(&motor);
    speed_loop(&motor);
    vibration = vibration_check(millivolts);
    fault_monitor(&motor);
    telemetry_send(&motor, vibration);
    watchdog_kick();
}

int main(int argc, char **argv)
{
    schedule_open(argc, argv);
    for (;;) {
        schedule_wait();
        control_cycle();
    }
}
