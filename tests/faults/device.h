/* device.h - devices that report random programs, in each form of PROFILE_DATA, and what is true of these.
 * One may lie: its packets are good, and what they say cannot be. */
#ifndef FAULTS_DEVICE_H
#define FAULTS_DEVICE_H

#include "support/random.h"

#include <stdbool.h>
#include <stdint.h>

enum device_form { DEVICE_CALLS, DEVICE_STREAM, DEVICE_TREE, DEVICE_FORMS };

enum device_lie {
    DEVICE_HONEST,
    DEVICE_TIME_BACK,  /* from some packet on its clock is behind what it was */
    DEVICE_DEPTH_LIES, /* depths, of the tree parents, are any others, now and then */
};

enum {
    DEVICE_PACKETS = 3000,
    DEVICE_PAYLOAD = 310,
    DEVICE_FUNCTIONS = 12,       /* at most */
    TRUTH_FUNCTIONS = 64,        /* of all devices of a try */
    DEVICE_DISTANCE = 0x100000u, /* between the addresses of two programs */
};

struct device {
    enum device_form form;
    enum device_lie lie;
    uint32_t base;  /* added to its functions' addresses: other programs have other functions */
    uint32_t clock; /* when it begins to send */
    uint8_t run;    /* modulo 16; of version 2 and 3 */
};

/* What a device said: the payloads of its PROFILE_DATA. */
struct device_said {
    struct {
        uint16_t n;
        uint8_t payload[DEVICE_PAYLOAD];
    } packet[DEVICE_PACKETS];
    size_t n;
};

/* What holds of one or several programs: how many calls there were, and which function called which. Of a
 * lying device, what follows from what it sent. */
struct truth {
    uint64_t calls;
    uint64_t address[TRUTH_FUNCTIONS];
    size_t n;
    bool was_called[TRUTH_FUNCTIONS][TRUTH_FUNCTIONS]; /* [caller][callee] */
};

/* Runs a program on the device; `said` is overwritten, to `truth` it is added. */
void device_run(const struct device *device, struct test_random *random, struct device_said *said,
                struct truth *truth);

/* True when there was such a call. */
bool truth_has(const struct truth *truth, uint64_t caller, uint64_t callee);

#endif
