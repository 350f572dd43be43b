/* crc.h - CRC-32C (Castagnoli), the checksum of SyS-T messages. */
#ifndef DIALECT_SYST_CRC_H
#define DIALECT_SYST_CRC_H

#include <stddef.h>
#include <stdint.h>

/* Returns the CRC of n bytes: reflected polynomial 0x82F63B78, start value and result inverted. For
 * "123456789" it is 0xE3069283. */
uint32_t syst_crc(const uint8_t *bytes, size_t n);

#endif
