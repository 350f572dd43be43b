/* nested.h - stands in for non-secure code in the TF-M example. */
#ifndef TFM_EXAMPLE_NESTED_H
#define TFM_EXAMPLE_NESTED_H

/* Passes checkpoints 3 and 4 of topic 0. */
void non_secure_call(void);

#endif
