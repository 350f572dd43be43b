/* device.h - simulates devices that report random programs in each form of PROFILE_DATA, and keeps the truth about
 * them. A device may lie: its packets are valid, but their content is impossible. */
#ifndef FAULTS_DEVICE_H
#define FAULTS_DEVICE_H

#include "support/random.h"

#include <stdbool.h>
#include <stdint.h>

enum device_form { DEVICE_CALLS, DEVICE_STREAM, DEVICE_TREE, DEVICE_FORMS };

enum device_lie {
    DEVICE_HONEST,
    DEVICE_TIME_BACK,  /* the clock goes back at some packet */
    DEVICE_DEPTH_LIES, /* some depths (in the tree, parents) are wrong */
};

enum {
    DEVICE_PACKETS = 3000,
    DEVICE_PAYLOAD = 310,
    DEVICE_FUNCTIONS = 12,       /* at most */
    TRUTH_FUNCTIONS = 64,        /* of all devices in one try */
    DEVICE_DISTANCE = 0x100000u, /* between the addresses of two programs */
};

struct device {
    enum device_form form;
    enum device_lie lie;
    uint32_t base;  /* added to its functions' addresses, so that programs have different functions */
    uint32_t clock; /* its time when it begins to send */
    uint8_t run;    /* the run's number modulo 16; versions 2 and 3 only */
};

/* The payloads of a device's PROFILE_DATA. */
struct device_said {
    struct {
        uint16_t n;
        uint8_t payload[DEVICE_PAYLOAD];
    } packet[DEVICE_PACKETS];
    size_t n;
};

/* The truth about one or several programs: the number of calls, and which function called which. For a lying device,
 * what follows from its data. */
struct truth {
    uint64_t calls;
    uint64_t address[TRUTH_FUNCTIONS];
    size_t n;
    bool was_called[TRUTH_FUNCTIONS][TRUTH_FUNCTIONS]; /* [caller][callee] */
};

/* Runs a program on the device; overwrites `said` and adds to `truth`. */
void device_run(const struct device *device, struct test_random *random, struct device_said *said,
                struct truth *truth);

/* Returns true if `caller` called `callee`. */
bool truth_has(const struct truth *truth, uint64_t caller, uint64_t callee);

#endif
