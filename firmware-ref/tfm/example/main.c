/* main.c - the TF-M profiler's checkpoints on ARM's MPS2 board. FORM selects how they are sent: FORM_DUMP,
 * the database once all rounds are over; FORM_STREAM, immediately; FORM_TEXT, topic by topic as lines, and
 * averages; FORM_BESIDE, inside packets of the agent.
 *
 * Every round passes the same checkpoints: of topic 0 a pair in secure code and a pair in code that stands in
 * for non-secure code (the board has one world), of topic 1 three in a row. */
#include "tfm/mpt_tfm.h"

#include "nested.h"
#include "nvic.h"
#include "uart.h"

#define FORM_DUMP   1
#define FORM_STREAM 2
#define FORM_TEXT   3
#define FORM_BESIDE 4

#ifndef FORM
#define FORM FORM_BESIDE
#endif
#ifndef ROUNDS
#define ROUNDS 40
#endif
#ifndef HURRY
#define HURRY 0 /* 1: rounds do not wait for room, so entries are dropped */
#endif

#if FORM == FORM_BESIDE
#include "mpt.h"
#include "mpt_extension.h"
#include "protocol/packet.h"
#endif

enum { ITEMS_OF_ROUND = 7, CALIBRATION_ROUNDS = 32 };

int main(void);
void control_step(void); /* control.c: measured by the agent */

static void work(uint32_t turns)
{
    for (; turns; turns--)
        __asm__ volatile("nop");
}

static void run_round(uint32_t number)
{
    MPT_CHECKPOINT(0, 1);
    work(100 + number % 8);
    MPT_CHECKPOINT(0, 2);
    non_secure_call();
    MPT_CHECKPOINT(1, 0x200);
    work(50);
    MPT_CHECKPOINT(1, 0x201);
    work(50);
    MPT_CHECKPOINT(1, 0x202);
}

#if FORM == FORM_BESIDE
static uint32_t wanted; /* rounds */

/* SET_CONFIG with the application's first key: the number of rounds to run, from now on. */
static bool configure(uint8_t key, uint32_t value)
{
    if (key != MPT_CONFIG_APPLICATION)
        return false;
    wanted = value;
    return true;
}

static void open_line(void)
{
    static const struct mpt_target target = {
        .clock_hz = MPT_TICK_HZ, .fw_version = "tfm-demo 1.0", .configure = configure};

    mpt_init(&target);
    mpt_extension(MP_EXTENSION_TFM, mpt_tfm_take);
    while (!wanted)
        mpt_poll();
}

static uint32_t rounds_wanted(void)
{
    return wanted;
}

static void send(void)
{
    mpt_poll();
}
#else
static void open_line(void) {}

static uint32_t rounds_wanted(void)
{
    return ROUNDS;
}

static void send_all(const uint8_t *bytes, size_t n)
{
    while (n) {
        size_t taken = mpt_port_write(bytes, n);

        bytes += taken;
        n -= taken;
    }
}

static void send(void)
{
    static uint8_t bytes[64];

    if (FORM == FORM_STREAM)
        send_all(bytes, mpt_tfm_take(bytes, sizeof bytes));
}
#endif

#if FORM == FORM_TEXT
static void print_average(enum mpt_tfm_world world, uint32_t from, uint32_t to, const char *name)
{
    uint8_t line[80];
    struct mpt_tfm_times times = mpt_tfm_between(MPT_TFM_TAG(world, 0, from), MPT_TFM_TAG(world, 0, to));

    send_all(line, mpt_tfm_write_average(line, sizeof line, world, name, times.mean));
}

static void print(void)
{
    uint8_t line[MPT_TFM_LINE];

    for (uint8_t topic = 0; topic < 2; topic++) {
        struct mpt_tfm_fetch fetch = mpt_tfm_by_topic(topic);
        struct mpt_tfm_item item;

        while (mpt_tfm_fetch(&fetch, &item))
            send_all(line, mpt_tfm_write_item(line, &item));
    }
    print_average(MPT_TFM_SECURE, 1, 2, "work");
    print_average(MPT_TFM_NON_SECURE, 3, 4, "call");
}
#elif FORM == FORM_DUMP
static void print(void)
{
    uint8_t bytes[64];

    for (size_t n; (n = mpt_tfm_take(bytes, sizeof bytes));)
        send_all(bytes, n);
}
#else
static void print(void) {}
#endif

int main(void)
{
    mpt_board_open();
    uart_open();
    mpt_tfm_calibrate(MPT_TFM_SECURE, CALIBRATION_ROUNDS);
    mpt_tfm_calibrate(MPT_TFM_NON_SECURE, CALIBRATION_ROUNDS);
    open_line();
    for (uint32_t round = 0; round < rounds_wanted(); send()) {
        if (!HURRY && mpt_tfm_room() < ITEMS_OF_ROUND)
            continue;
        run_round(round++);
        control_step();
    }
    mpt_tfm_end();
    print();
    for (;;)
        send();
}
