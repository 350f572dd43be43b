/* mpt_build_id.h - a number of the build, which the host also computes from the ELF file. */
#ifndef MPT_BUILD_ID_H
#define MPT_BUILD_ID_H

#include <stdint.h>

/* Returns the CRC-32 as zlib computes it (polynomial 0x04C11DB7 reflected, start and final xor 0xFFFFFFFF;
 * "123456789" gives 0xCBF43926). */
uint32_t mpt_build_id(const uint8_t *text, uint32_t n);

#endif
