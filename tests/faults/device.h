/* device.h - devices that report random programs, in each form of PROFILE_DATA, and the truth about these. A device may
 * lie: its packets are good, but their content is impossible. */
#ifndef FAULTS_DEVICE_H
#define FAULTS_DEVICE_H

#include "support/random.h"

#include <stdbool.h>
#include <stdint.h>

enum device_form { DEVICE_CALLS, DEVICE_STREAM, DEVICE_TREE, DEVICE_FORMS };

enum device_lie {
    DEVICE_HONEST,
    DEVICE_TIME_BACK,  /* from some packet on its clock goes back */
    DEVICE_DEPTH_LIES, /* some depths (in the tree, parents) are wrong */
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

/* True when there was such a call. */
bool truth_has(const struct truth *truth, uint64_t caller, uint64_t callee);

#endif
