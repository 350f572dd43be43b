/* service.h - functions of the secure image for the non-secure one. */
#ifndef SERVICE_H
#define SERVICE_H

#include <stdint.h>

#define NON_SECURE_IMAGE 0x28000000u

/* Checkpoints: before the call, in it, after it, and at once after that. */
enum {
    SERVICE_TOPIC = 5,
    SERVICE_CALL = 1,
    SERVICE_SECURE,
    SERVICE_SECURE_END,
    SERVICE_BACK,
    SERVICE_NOTHING
};

/* Loops this many times, and returns the number. */
uint32_t service(uint32_t turns);

/* Prints the database; does not return. */
uint32_t service_end(void);

#endif
