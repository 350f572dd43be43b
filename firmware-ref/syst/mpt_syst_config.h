/* mpt_syst_config.h - sizes and parts of the SyS-T emitter; each may be set with -D. */
#ifndef MPT_SYST_CONFIG_H
#define MPT_SYST_CONFIG_H

/* The ring that messages wait in, bytes of RAM; a power of two. A message takes 2 bytes more than it has, and
 * 8 more with MPT_SYST_STP; a message longer than the ring is never sent. */
#ifndef MPT_SYST_RING_BYTES
#define MPT_SYST_RING_BYTES 1024
#endif

/* What a message may carry: time stamps and CLOCK, CRC-32C, its location in the program, GUIDs. */
#ifndef MPT_SYST_TIME
#define MPT_SYST_TIME 1
#endif
#ifndef MPT_SYST_CHECKSUM
#define MPT_SYST_CHECKSUM 1
#endif
#ifndef MPT_SYST_LOCATION
#define MPT_SYST_LOCATION 1
#endif
#ifndef MPT_SYST_GUID
#define MPT_SYST_GUID 1
#endif

/* The framings that mpt_syst_take() supports. If there is only one, it is always used. */
#ifndef MPT_SYST_RAW
#define MPT_SYST_RAW 1
#endif
#ifndef MPT_SYST_HEX
#define MPT_SYST_HEX 1
#endif
#ifndef MPT_SYST_STP
#define MPT_SYST_STP 1
#endif

/* Of an STP stream: the number of messages after which its mark is repeated; its master and channel. */
#ifndef MPT_SYST_STP_SYNC
#define MPT_SYST_STP_SYNC 20
#endif
#ifndef MPT_SYST_STP_MASTER
#define MPT_SYST_STP_MASTER 128u
#endif
#ifndef MPT_SYST_STP_CHANNEL
#define MPT_SYST_STP_CHANNEL 1u
#endif

/* The nibble of a value that comes first in an STP stream: the most significant one, as in the standard and
 * the decoders of trace hardware (OpenCSD, Zephyr's STP decoder), or the least significant one, as in MIPI's
 * simulator and Zephyr's STP log. miniprofd reads both. */
#define MPT_SYST_STP_LEAST_FIRST 0
#define MPT_SYST_STP_MOST_FIRST  1
#ifndef MPT_SYST_STP_ORDER
#define MPT_SYST_STP_ORDER MPT_SYST_STP_MOST_FIRST
#endif

/* The module, 0 to 127, that reports how many messages were lost. */
#ifndef MPT_SYST_LOSS_MODULE
#define MPT_SYST_LOSS_MODULE 0u
#endif

#if MPT_SYST_RING_BYTES < 64 || MPT_SYST_RING_BYTES > 32768 ||                                               \
    (MPT_SYST_RING_BYTES & (MPT_SYST_RING_BYTES - 1)) != 0
#error "MPT_SYST_RING_BYTES must be a power of two, 64 to 32768"
#endif
#if MPT_SYST_RAW + MPT_SYST_HEX + MPT_SYST_STP == 0
#error "one of MPT_SYST_RAW, MPT_SYST_HEX and MPT_SYST_STP must be 1"
#endif

#if MPT_SYST_STP_ORDER != MPT_SYST_STP_LEAST_FIRST && MPT_SYST_STP_ORDER != MPT_SYST_STP_MOST_FIRST
#error "MPT_SYST_STP_ORDER must be MPT_SYST_STP_LEAST_FIRST or MPT_SYST_STP_MOST_FIRST"
#endif

/* Messages have a time if it is built in, and if their transport has one. */
#define MPT_SYST_CLOCK (MPT_SYST_TIME || MPT_SYST_STP)

#endif
