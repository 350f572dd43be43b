/* mpt_stream.h - writes packets of version 2, the compact stream, from events; not for applications. */
#ifndef MPT_STREAM_H
#define MPT_STREAM_H

#include "mpt_calls.h"
#include "protocol/compact_writer.h"

/* The writer of its packets; other kinds of packets may use it between two of these. */
extern struct mp_compact_writer *const mpt_stream_writer;

/* Begins a new run. */
void mpt_stream_start(void);

/* Returns the number of the run that is under way, about to begin, or was last. */
uint8_t mpt_stream_run(void);

/* Writes waiting events into the packet whose payload is at `payload`, as far as they fit. Returns true when
 * the packet is to be sent: it is full, or a run has ended. */
bool mpt_stream_fill(uint8_t *payload);

/* Ends the packet that is being filled. Returns its size: 0 when there is none or, unless `even_if_empty`, it
 * has no event. */
uint16_t mpt_stream_end(uint8_t *payload, bool even_if_empty);

/* When the run has ended and all its events have been sent, writes the packet that reports it. Returns its
 * size. */
uint16_t mpt_stream_close(uint8_t *payload);

/* Discards the packet that was begun. */
void mpt_stream_abandon(void);

#endif
