/* telemetry.c - supervision, and reports in fixed frames of twelve bytes. */
#include "workload.h"

enum { FRAME_SIZE = 12, QUEUE_SIZE = 64 };

/* These stand in for registers. */
static volatile uint8_t uart_queue[QUEUE_SIZE];
static volatile uint32_t watchdog;

static uint32_t thermal_step(int32_t load)
{
    static uint32_t temperature = 2500;

    work_us(18);
    temperature = (temperature * 255u + 2500u + (uint32_t)(load < 0 ? -load : load) / 8u) / 256u;
    return temperature;
}

void fault_monitor(const struct motor *motor)
{
    static volatile uint32_t faults;

    work_us(5);
    if (thermal_step(clamp_q15(motor->voltage_q)) > 9000)
        faults = faults + 1;
}

/* Writes `digits` digits; the deepest call writes the first. */
static uint8_t *format_decimal(uint8_t *at, uint32_t value, int digits)
{
    work_us(3);
    if (digits > 1)
        at = format_decimal(at, value / 10, digits - 1);
    *at = (uint8_t)('0' + value % 10);
    return at + 1;
}

static uint8_t crc8_update(uint8_t crc, uint8_t byte)
{
    work_us(3);
    crc ^= byte;
    for (int bit = 0; bit < 8; bit++)
        crc = (uint8_t)(crc & 0x80 ? crc << 1 ^ 0x07 : crc << 1);
    return crc;
}

static void uart_queue_byte(uint8_t byte)
{
    static uint8_t head;

    work_us(1);
    uart_queue[head++ % QUEUE_SIZE] = byte;
}

void telemetry_send(const struct motor *motor, int32_t vibration)
{
    uint8_t frame[FRAME_SIZE] = {'M', ' '};
    uint8_t *at = frame + 2;
    uint8_t crc = 0;

    work_us(12);
    at = format_decimal(at, (uint32_t)motor->speed % 10000u, 4);
    *at++ = ' ';
    at = format_decimal(at, (uint32_t)vibration % 10000u, 4);
    *at = '\n';
    for (int i = 0; i < FRAME_SIZE; i++) {
        crc = crc8_update(crc, frame[i]);
        uart_queue_byte(frame[i] ^ crc);
    }
}

void watchdog_kick(void)
{
    watchdog = 0x6969;
    work_us(2);
}
