/* zip.h - gzip (RFC 1952) and its checksum. */
#ifndef BASE_ZIP_H
#define BASE_ZIP_H

#include "base/sink.h"

#include <stddef.h>
#include <stdint.h>

/* The CRC-32 of n bytes: polynomial 0x04C11DB7 reflected, init and final xor 0xFFFFFFFF, check value
 * CBF43926. */
uint32_t zip_crc32(const void *bytes, size_t n);

/* Compresses n bytes to a gzip member of *packed_n bytes, which the caller frees; NULL when memory is used
 * up. */
char *zip_gzip(const void *bytes, size_t n, size_t *packed_n);

/* Returns a sink that compresses its input to a gzip member and writes that to `into`, in blocks. NULL when
 * memory is used up. The caller ends it with zip_sink_end(). */
struct sink *zip_sink_new(struct sink *into);

/* Writes the member's end and frees the sink. If either sink failed, `into` is marked as failed. */
void zip_sink_end(struct sink *sink);

#endif
