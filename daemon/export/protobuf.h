/* protobuf.h - writes the wire format of Protocol Buffers, as far as the exports need it. */
#ifndef EXPORT_PROTOBUF_H
#define EXPORT_PROTOBUF_H

#include "base/sink.h"

/* Writes a bare base-128 number, as inside packed fields. */
void protobuf_number(struct sink *sink, uint64_t value);

/* Writes a field of one number (int64, uint64, bool). 0 is the default and is not written. */
void protobuf_field(struct sink *sink, unsigned field, uint64_t value);

/* Writes a field of n bytes: a string, an embedded message, packed numbers. */
void protobuf_bytes(struct sink *sink, unsigned field, const void *bytes, size_t n);

#endif
