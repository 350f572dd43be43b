/* other_rate.h - tells from the bit patterns of what was read that it was sent at a lower rate, and at which
 * share of ours. */
#ifndef SESSION_OTHER_RATE_H
#define SESSION_OTHER_RATE_H

#include <stddef.h>

/* Looks at n bytes, `count` of each value among them, none of which made sense. Returns a static sentence
 * that says at which share of our rate they were sent and what to do; NULL: they show none. Bytes sent at a
 * higher rate than ours show nothing, since bits of theirs are lost; nor do those most of which are one
 * value, as in memory that is all zero. */
const char *other_rate_find(size_t n, const size_t count[256]);

#endif
