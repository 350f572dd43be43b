/* mpt_config.h - the agent's sizes. Override any of them with -D; the cost of each is written beside it. */
#ifndef MPT_CONFIG_H
#define MPT_CONFIG_H

/* Finished calls that wait for the wire; a power of two. 16 bytes of RAM each. */
#ifndef MPT_RING_RECORDS
#define MPT_RING_RECORDS 64
#endif

/* Nested instrumented calls that are measured. 4 bytes of RAM each. Deeper calls are counted as dropped, not
 * reported. */
#ifndef MPT_STACK_DEPTH
#define MPT_STACK_DEPTH 32
#endif

/* Records in a full PROFILE_DATA packet until the host configures another number, 1..255. Costs no RAM:
 * packets are built record by record as the port takes them. 20 records are 291 bytes, 25 ms at 115,200 baud.
 */
#ifndef MPT_PACKET_RECORDS
#define MPT_PACKET_RECORDS 20
#endif

/* A packet that does not fill goes out this long after the one before it. No RAM. */
#ifndef MPT_FLUSH_US
#define MPT_FLUSH_US 10000
#endif

/* 1: METADATA carries the CRC-32 of .text. About 140 bytes of ROM; 0 sends "not set". */
#ifndef MPT_BUILD_ID
#define MPT_BUILD_ID 1
#endif

/* 1: SET_CONFIG and what it sets. About 150 bytes of ROM; 0 answers NACK. */
#ifndef MPT_SET_CONFIG
#define MPT_SET_CONFIG 1
#endif

#if MPT_RING_RECORDS < 2 || (MPT_RING_RECORDS & (MPT_RING_RECORDS - 1)) != 0
#error "MPT_RING_RECORDS must be a power of two"
#endif
#if MPT_STACK_DEPTH < 1 || MPT_STACK_DEPTH > 65535
#error "MPT_STACK_DEPTH must be 1..65535"
#endif
#if MPT_PACKET_RECORDS < 1 || MPT_PACKET_RECORDS > 255
#error "MPT_PACKET_RECORDS must be 1..255"
#endif

#endif
