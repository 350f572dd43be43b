/* other_rate.h - detects from bit patterns that bytes were sent at a lower rate, and at which share
 * of the receiver's rate. */
#ifndef SESSION_OTHER_RATE_H
#define SESSION_OTHER_RATE_H

#include <stddef.h>

/* Examines n bytes, `count` of each value among them, none of which made sense. Returns a static sentence
 * with that share and a remedy, or NULL. Bytes sent at a higher rate are not detected, since some
 * of their bits are lost; nor are those most of which are one value, as in zeroed memory. */
const char *other_rate_find(size_t n, const size_t count[256]);

#endif
