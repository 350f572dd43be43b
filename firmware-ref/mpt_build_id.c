/* mpt_build_id.c - computes the CRC-32 of .text, four bits at a time: a table of 64 bytes, about 12
 * instructions a byte. */
#include "mpt_build_id.h"

uint32_t mpt_build_id(const uint8_t *text, uint32_t n)
{
    static const uint32_t nibble[16] = {
        0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
        0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
    };
    uint32_t crc = 0xFFFFFFFFu;

    for (uint32_t i = 0; i < n; i++) {
        crc ^= text[i];
        crc = crc >> 4 ^ nibble[crc & 15u];
        crc = crc >> 4 ^ nibble[crc & 15u];
    }
    return ~crc;
}
