/* mpt_config.h - the agent's settings, mostly sizes, with the cost of each. Override any of them with -D. */
#ifndef MPT_CONFIG_H
#define MPT_CONFIG_H

/* Times and addresses are computed as int, so with 16 bits (AVR, MSP430) they would be wrong, and no call
 * would be sent.
 */
#if defined __SIZEOF_INT__ && __SIZEOF_INT__ < 4
#error "The agent needs a processor on which int has 32 bits; on AVR and MSP430 it has 16."
#endif

/* Calls whose entry and exit may wait for mpt_poll(): a power of two. 16 bytes of RAM each. */
#ifndef MPT_RING_RECORDS
#define MPT_RING_RECORDS 64
#endif

/* Depth of nested instrumented calls that is measured, on each task's stack. 8 bytes of RAM each. Deeper
 * calls count as dropped, and are not reported. */
#ifndef MPT_STACK_DEPTH
#define MPT_STACK_DEPTH 32
#endif

/* Stacks that mpt_context_switch() switches between: 1 without an RTOS, else its tasks. Each has the calls
 * above and 54 bytes of RAM; more than one takes 2.6 KB of ROM. */
#ifndef MPT_TASKS
#define MPT_TASKS 1
#endif

/* 1: tasks and interrupts may have names, in version 2. 4 bytes of RAM for each task, about 460 bytes of
 * ROM. */
#ifndef MPT_NAMES
#define MPT_NAMES (MPT_VERSION_2 && MPT_TASKS > 1)
#endif

/* 1: interrupts are distinguished from what they interrupt. 4 instructions in each hook, about 100 bytes of
 * ROM. */
#ifndef MPT_CONTEXTS
#define MPT_CONTEXTS 1
#endif

/* Records in a full packet of version 1, 1..255: the default, and the most that a host may configure. 14 bytes
 * of RAM each, since a packet is built before it is sent. 20 records are 291 bytes, 25 ms at 115,200 baud. */
#ifndef MPT_PACKET_RECORDS
#define MPT_PACKET_RECORDS 20
#endif

/* 1: version 2 of PROFILE_DATA, the compact stream, when the host asks for it. 5 to 6 KB of ROM, 0.6 KB of
 * RAM and the packet. */
#ifndef MPT_VERSION_2
#define MPT_VERSION_2 1
#endif

/* Bytes of payload in a full packet of version 2, 150 to 16000; the same number of bytes of RAM. With larger
 * packets a call takes fewer bytes on the wire (docs/target-cost.md). */
#ifndef MPT_PACKET_BYTES
#define MPT_PACKET_BYTES 500
#endif

/* Bytes of payload in a full packet of the smallest agent (small/), 40 to 16000; the same number of bytes of
 * RAM. */
#ifndef MPT_SMALL_PACKET_BYTES
#define MPT_SMALL_PACKET_BYTES 80
#endif

/* 1: version 3 of PROFILE_DATA, the call tree, counted in the hooks when the host asks for it. About 7 KB of
 * ROM, and the RAM of its nodes. */
#ifndef MPT_VERSION_3
#define MPT_VERSION_3 1
#endif

/* Nodes of the tree: a node is a function as called along one chain of callers. 20 bytes of RAM each, 24 when
 * nodes and contexts are more than 255, 1 or 2 for each slot of a hash table, whose size is a power of two, and
 * what eviction takes. Unless set, they get a sixteenth of MPT_RAM_BYTES, but are at least 64, also where the
 * RAM is unknown, and at most 2,048. MPT_RAM_BYTES is a number that mpt_board.h or the build may define. */
#ifndef MPT_TREE_NODES
#define MPT_TREE_NODES MPT_TREE_NODES_OF(MPT_RAM_BYTES)
#endif

/* Interrupts with instrumented handlers for which the tree has room. 96 bytes of RAM each, as for each
 * task. */
#ifndef MPT_TREE_INTERRUPTS
#define MPT_TREE_INTERRUPTS 6
#endif

/* 1: the tree's flat form as well, when the host asks for it: a node is a function as called by another one.
 * About 600 bytes of ROM. Callers are kept for MPT_STACK_DEPTH calls. */
#ifndef MPT_TREE_FLAT
#define MPT_TREE_FLAT 1
#endif

/* 1: the events around a slow call are kept in the ring beside the tree, and sent, when the host asks for it
 * (README.md). About 4 KB of ROM, 100 bytes of RAM and 9 for each task and interrupt. Where the host does not
 * ask, hooks cost the same as without. */
#ifndef MPT_WINDOWS
#define MPT_WINDOWS (MPT_VERSION_3 && MPT_VERSION_2 && MPT_SET_CONFIG && MPT_PACKET_BYTES >= 300)
#endif

/* 1: the longest call of each node is sent as well, but not in the flat form. 12 bytes of RAM for each node,
 * 24 for each task and interrupt, about 500 bytes of ROM; 20 instructions more for the two hooks of a call on
 * a Cortex-M4 -O2, 14 on a Cortex-M0+ -Os. */
#ifndef MPT_TREE_LONGEST
#define MPT_TREE_LONGEST 0
#endif

/* 1: when the tree is full, a light node is evicted for a new one if the host asks for it. Functions stay
 * exact and chains of callers become approximate (README.md). 16 bytes of RAM for each node and 16, or 24
 * with MPT_TREE_LONGEST, for each of as many functions, from 129 nodes on of half as many; about 2,900 bytes
 * of ROM on a Cortex-M4 -O2. While all nodes find room, hooks cost the same as without. With 0, calls without
 * room are summed up as "(other)". */
#ifndef MPT_TREE_EVICTION
#define MPT_TREE_EVICTION MPT_VERSION_3
#endif

/* The shortest time between two reports of the sums that changed; a slow line takes longer. */
#ifndef MPT_TREE_ROUND_US
#define MPT_TREE_ROUND_US 100000
#endif

/* 1: the agent describes itself and its settings when the host asks (DESCRIBE). About 450 bytes of ROM; needs
 * packets of 150 bytes. */
#ifndef MPT_DESCRIBE
#define MPT_DESCRIBE MPT_VERSION_2
#endif

/* 1: the agent measures at start what its hooks cost, and reports it in its description. About 280 bytes of
 * ROM, and 64 pairs of hooks in mpt_init(). */
#ifndef MPT_HOOK_TICKS
#define MPT_HOOK_TICKS MPT_DESCRIBE
#endif

/* A packet that is not full is sent this long after the previous one. No RAM. */
#ifndef MPT_FLUSH_US
#define MPT_FLUSH_US 10000
#endif
#define MPT_FLUSH_TICKS ((uint32_t)((uint64_t)MPT_FLUSH_US * MPT_TICK_HZ / 1000000u))

/* 1: METADATA carries the CRC-32 of .text. About 140 bytes of ROM. With 0 it is sent as not set. */
#ifndef MPT_BUILD_ID
#define MPT_BUILD_ID 1
#endif

/* 1: SET_CONFIG and its settings. About 150 bytes of ROM. With 0 it is answered with NACK. */
#ifndef MPT_SET_CONFIG
#define MPT_SET_CONFIG 1
#endif

/* 1: STATUS includes calls that still wait in the ring. About 230 bytes of ROM. With 0 they count when they
 * are sent. */
#ifndef MPT_EXACT_STATUS
#define MPT_EXACT_STATUS 1
#endif

/* Other profilers whose records are sent beside the agent's own (mpt_extension.h). 8 bytes of RAM each; one
 * or more take 390 bytes of ROM, 16 of RAM and the packet. */
#ifndef MPT_EXTENSIONS
#define MPT_EXTENSIONS 0
#endif

/* Bytes of payload in a packet of other profilers, 32 to 16000; the same number of bytes of RAM. At least one
 * more than their longest record. */
#ifndef MPT_EXTENSION_BYTES
#define MPT_EXTENSION_BYTES 256
#endif

/* DESCRIPTION has 16 bits for the number of events. */
#if MPT_RING_RECORDS < 2 || MPT_RING_RECORDS > 32768 || (MPT_RING_RECORDS & (MPT_RING_RECORDS - 1)) != 0
#error "MPT_RING_RECORDS must be a power of two of 2 to 32768"
#endif
#if MPT_STACK_DEPTH < 1 || MPT_STACK_DEPTH > 65535
#error "MPT_STACK_DEPTH must be 1..65535"
#endif
#if MPT_PACKET_BYTES < 150 || MPT_PACKET_BYTES > 16000
#error "MPT_PACKET_BYTES must be 150..16000"
#endif
#if MPT_SMALL_PACKET_BYTES < 40 || MPT_SMALL_PACKET_BYTES > 16000
#error "MPT_SMALL_PACKET_BYTES must be 40..16000"
#endif
#if MPT_EXTENSIONS < 0 || MPT_EXTENSIONS > 255
#error "MPT_EXTENSIONS must be 0..255"
#endif
#if MPT_EXTENSION_BYTES < 32 || MPT_EXTENSION_BYTES > 16000
#error "MPT_EXTENSION_BYTES must be 32..16000"
#endif
#if MPT_DESCRIBE && !MPT_VERSION_2
#error "MPT_DESCRIBE needs MPT_VERSION_2"
#endif
#if MPT_HOOK_TICKS && !MPT_DESCRIBE
#error "MPT_HOOK_TICKS needs MPT_DESCRIBE"
#endif
#if MPT_VERSION_3 && !MPT_CONTEXTS
#error "MPT_VERSION_3 needs MPT_CONTEXTS"
#endif
#if MPT_WINDOWS && !(MPT_VERSION_3 && MPT_VERSION_2 && MPT_SET_CONFIG)
#error "MPT_WINDOWS needs MPT_VERSION_3, MPT_VERSION_2 and MPT_SET_CONFIG"
#endif
#if MPT_WINDOWS && MPT_DESCRIBE && MPT_PACKET_BYTES < 300
#error "MPT_WINDOWS needs MPT_PACKET_BYTES of 300 and more, for the description"
#endif
#if MPT_TREE_LONGEST && !MPT_VERSION_3
#error "MPT_TREE_LONGEST needs MPT_VERSION_3"
#endif
#if MPT_TREE_EVICTION && !MPT_VERSION_3
#error "MPT_TREE_EVICTION needs MPT_VERSION_3"
#endif
#if MPT_TREE_INTERRUPTS < 1 || MPT_TREE_INTERRUPTS > 255
#error "MPT_TREE_INTERRUPTS must be 1..255"
#endif
#if MPT_TASKS < 1 || MPT_TASKS > 255
#error "MPT_TASKS must be 1..255"
#endif
#if MPT_NAMES && !MPT_VERSION_2
#error "MPT_NAMES needs MPT_VERSION_2"
#endif
#if MPT_PACKET_RECORDS < 1 || MPT_PACKET_RECORDS > 255
#error "MPT_PACKET_RECORDS must be 1..255"
#endif

#endif
