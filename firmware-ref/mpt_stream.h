/* mpt_stream.h - from events to packets of version 2, the compact stream; not for applications. */
#ifndef MPT_STREAM_H
#define MPT_STREAM_H

#include "mpt_calls.h"
#include "protocol/compact_writer.h"

/* What writes its packets; whoever writes another kind of packet may use it between two of these. */
extern struct mp_compact_writer *const mpt_stream_writer;

/* A new run begins. */
void mpt_stream_start(void);

/* The number of the run that is under way, or about to begin, or was last. */
uint8_t mpt_stream_run(void);

/* Writes events into the packet whose payload is at `payload`, as far as there are any and they fit. True
 * when the packet is to be sent: it is full, or a run has ended. */
bool mpt_stream_fill(uint8_t *payload);

/* Ends the packet that is being filled: its size, 0 when there is none or, unless `even_if_empty`, no event
 * in it. */
uint16_t mpt_stream_end(uint8_t *payload, bool even_if_empty);

/* The run has ended, and all its events have been sent: writes the packet that reports it. Its size. */
uint16_t mpt_stream_close(uint8_t *payload);

/* What was begun is not sent. */
void mpt_stream_abandon(void);

#endif
