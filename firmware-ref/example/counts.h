/* counts.h - the known calls of the example: what one control_cycle() calls, and how often.
 *
 * Symbols are the ELF's own names; the four of vibration.cpp that C++ mangles have their readable names in
 * EXAMPLE_DEMANGLED. `main` calls control_cycle but never returns, so no record of it is ever sent. */
#ifndef EXAMPLE_COUNTS_H
#define EXAMPLE_COUNTS_H

#define MOVING_AVERAGE_PUSH "_ZN13MovingAverageILi8EE4pushEi"
#define BIQUAD_PROCESS      "_ZN6Biquad7processEi"
#define SPECTRUM_SPLIT      "_ZN8Spectrum5splitEii"
#define SPECTRUM_BUTTERFLY  "_ZN8Spectrum9butterflyEii"

/* X(caller, callee, calls per round) */
#define EXAMPLE_EDGES(X)                                                                                     \
    X("main", "control_cycle", 1)                                                                            \
    X("control_cycle", "adc_scan", 1)                                                                        \
    X("control_cycle", "clarke_park", 1)                                                                     \
    X("control_cycle", "current_loop", 1)                                                                    \
    X("control_cycle", "svpwm_update", 1)                                                                    \
    X("control_cycle", "speed_loop", 1)                                                                      \
    X("control_cycle", "vibration_check", 1)                                                                 \
    X("control_cycle", "fault_monitor", 1)                                                                   \
    X("control_cycle", "telemetry_send", 1)                                                                  \
    X("control_cycle", "watchdog_kick", 1)                                                                   \
    X("adc_scan", "adc_convert", 4)                                                                          \
    X("adc_scan", "sample_queue_pop", 4)                                                                     \
    X("adc_scan", "adc_to_millivolts", 4)                                                                    \
    X("adc_convert", "ADC_IRQHandler", 4) /* an interrupt, which is a callee of what it interrupts */        \
    X("ADC_IRQHandler", "sample_queue_push", 4)                                                              \
    X("clarke_park", "sin_q15", 2)                                                                           \
    X("current_loop", "pid_step", 2)                                                                         \
    X("speed_loop", "speed_estimate", 1)                                                                     \
    X("speed_loop", "pid_step", 1)                                                                           \
    X("pid_step", "clamp_q15", 6)                                                                            \
    X("svpwm_update", "clamp_q15", 3)                                                                        \
    X("svpwm_update", "pwm_set_duty", 3)                                                                     \
    X("speed_estimate", MOVING_AVERAGE_PUSH, 1)                                                              \
    X("vibration_check", BIQUAD_PROCESS, 8)                                                                  \
    X("vibration_check", MOVING_AVERAGE_PUSH, 1)                                                             \
    X("vibration_check", SPECTRUM_SPLIT, 1)                                                                  \
    X(SPECTRUM_SPLIT, SPECTRUM_SPLIT, 6)                                                                     \
    X(SPECTRUM_SPLIT, SPECTRUM_BUTTERFLY, 12)                                                                \
    X("fault_monitor", "thermal_step", 1)                                                                    \
    X("fault_monitor", "clamp_q15", 1)                                                                       \
    X("telemetry_send", "format_decimal", 2)                                                                 \
    X("format_decimal", "format_decimal", 6)                                                                 \
    X("telemetry_send", "crc8_update", 12)                                                                   \
    X("telemetry_send", "uart_queue_byte", 12)

/* X(symbol, readable name) */
#define EXAMPLE_DEMANGLED(X)                                                                                 \
    X(MOVING_AVERAGE_PUSH, "MovingAverage<8>::push(int)")                                                    \
    X(BIQUAD_PROCESS, "Biquad::process(int)")                                                                \
    X(SPECTRUM_SPLIT, "Spectrum::split(int, int)")                                                           \
    X(SPECTRUM_BUTTERFLY, "Spectrum::butterfly(int, int)")

/* The sum of the third column: records per round. */
#define EXAMPLE_CALLS_PER_ROUND 111

/* Functions that have records: all but main. */
#define EXAMPLE_FUNCTIONS 28

#endif
