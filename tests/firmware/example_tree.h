/* example_tree.h - checks the example's call tree in version 3. */
#ifndef FIRMWARE_EXAMPLE_TREE_H
#define FIRMWARE_EXAMPLE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct edges;

void example_tree_open(void);

/* Reads a packet. Returns NULL, or its error. */
const char *example_tree_packet(const uint8_t *payload, size_t n);

/* The number of calls of the function sent so far. */
uint32_t example_tree_calls_of(uint64_t function);

/* The number of all calls; 0 until the run has ended and all its sums were sent. */
uint32_t example_tree_calls(void);

/* Adds its callers and callees to `edges`; calls by `main` have the caller 0. Returns the number of outermost calls
 * in interrupts. */
uint32_t example_tree_edges(struct edges *edges, uint64_t main_address);

#endif
