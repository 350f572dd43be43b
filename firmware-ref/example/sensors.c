/* sensors.c - current and temperature channels: a conversion ends in an interrupt, which queues the
 * sample. */
#include "workload.h"

#include "board.h"

enum { QUEUE_SIZE = 8 };

static volatile int32_t queue[QUEUE_SIZE];
static volatile uint32_t queue_head, queue_tail;
static volatile uint32_t channel_selected;

static void sample_queue_push(int32_t sample)
{
    work_us(1);
    queue[queue_head % QUEUE_SIZE] = sample;
    queue_head = queue_head + 1;
}

static int32_t sample_queue_pop(void)
{
    int32_t sample = queue[queue_tail % QUEUE_SIZE];

    queue_tail = queue_tail + 1;
    work_us(1);
    return sample;
}

void ADC_IRQHandler(void)
{
    static uint32_t noise = 1;

    noise = noise * 1664525u + 1013904223u;
    work_us(3);
    sample_queue_push((int32_t)(2048 + channel_selected * 300 + (noise >> 24)));
}

static void adc_convert(uint32_t channel)
{
    channel_selected = channel;
    work_us(9);
    board_request_adc_interrupt();
}

static int32_t adc_to_millivolts(int32_t sample)
{
    work_us(2);
    return sample * 3300 / 4096;
}

void adc_scan(int32_t millivolts[ADC_CHANNELS])
{
    work_us(4);
    for (uint32_t channel = 0; channel < ADC_CHANNELS; channel++) {
        adc_convert(channel);
        millivolts[channel] = adc_to_millivolts(sample_queue_pop());
    }
}
