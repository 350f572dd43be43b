/* thumb.c - recognizes call instructions of ARM's Thumb code before a return address. */
#include "symbol/thumb.h"

static uint32_t instruction_bits(uint32_t value, unsigned low, unsigned count)
{
    return value >> low & ((UINT32_C(1) << count) - 1);
}

bool thumb_call(uint16_t first, uint16_t second, uint32_t return_address, uint32_t *destination)
{
    bool is_bl = (first & 0xf800) == 0xf000 && (second & 0xd000) == 0xd000;
    bool is_blx = (first & 0xf800) == 0xf000 && (second & 0xd001) == 0xc000;
    if (is_bl || is_blx) {
        /* Offset S:I1:I2:imm10:imm11:0 with I = not (J xor S), relative to the return address, which is the
         * program counter while the call executes. */
        uint32_t sign = instruction_bits(first, 10, 1);
        uint32_t i1 = 1 ^ instruction_bits(second, 13, 1) ^ sign;
        uint32_t i2 = 1 ^ instruction_bits(second, 11, 1) ^ sign;
        uint32_t offset = sign << 24 | i1 << 23 | i2 << 22 | instruction_bits(first, 0, 10) << 12 |
                          instruction_bits(second, 0, 11) << 1;
        if (sign)
            offset |= UINT32_C(0xfe000000);
        *destination = (is_blx ? return_address & ~UINT32_C(3) : return_address) + offset;
        return true;
    }
    *destination = 0;
    return (second & 0xff87) == 0x4780;
}
