/* crc16.h - CRC-16/CCITT, the checksum of response packets.
 *
 *   polynomial 0x1021, not reflected, no final xor
 *   start 0xFFFF  ("CCITT-FALSE")  check value of "123456789": 0x29B1
 *   start 0x0000  ("XMODEM")       check value of "123456789": 0x31C3
 *
 * All functions take the register's value before the bytes and return it after them, so input may be split
 * and either start may be used. All give the same result. */
#ifndef PROTOCOL_CRC16_H
#define PROTOCOL_CRC16_H

#include <stddef.h>
#include <stdint.h>

#define MP_CRC16_CCITT_FALSE 0xFFFFu
#define MP_CRC16_XMODEM      0x0000u

/* For targets: no table, a dozen instructions a byte (crc16.c). */
uint16_t mp_crc16_byte(uint16_t crc, uint8_t byte);
uint16_t mp_crc16(uint16_t crc, const uint8_t *bytes, size_t n);

/* For hosts: the faster of the two below that works on this processor (crc16_fast.c). */
uint16_t mp_crc16_fast(uint16_t crc, const uint8_t *bytes, size_t n);

/* 16 bytes at a time over 8 KiB of constant tables (crc16_fast.c). */
uint16_t mp_crc16_sliced(uint16_t crc, const uint8_t *bytes, size_t n);

/* By multiplication of polynomials (crc16_clmul.c). Call it only if mp_crc16_clmul_works() does not return 0,
 * which depends on the processor. */
int mp_crc16_clmul_works(void);
uint16_t mp_crc16_clmul(uint16_t crc, const uint8_t *bytes, size_t n);

#endif
