/* example_tree.h - what the example's call tree must be, in version 3. */
#ifndef FIRMWARE_EXAMPLE_TREE_H
#define FIRMWARE_EXAMPLE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct edges;

void example_tree_open(void);

/* NULL, or what is wrong with the packet. */
const char *example_tree_packet(const uint8_t *payload, size_t n);

/* How often the function was called, as far as that was sent. */
uint32_t example_tree_calls_of(uint64_t function);

/* All calls; 0 until the run has ended and every sum of it was sent. */
uint32_t example_tree_calls(void);

/* Adds its callers and callees to `edges`; those that `main` calls have the caller 0. The number of calls in
 * interrupts that no call made. */
uint32_t example_tree_edges(struct edges *edges, uint64_t main_address);

#endif
