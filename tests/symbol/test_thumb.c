/* test_thumb.c - call instructions as the assembler writes them, and other instructions. */
#include "symbol/thumb.h"

#include <criterion/criterion.h>

Test(thumb, bl_forward_goes_where_the_assembler_said)
{
    uint32_t destination;
    /* 0x4f8: bl 0x4d0, from a real program; return address 0x4fc. */
    cr_assert(thumb_call(0xf7ff, 0xffea, 0x4fc, &destination));
    cr_assert_eq(destination, 0x4d0);
    /* bl .+4: to the return address itself. */
    cr_assert(thumb_call(0xf000, 0xf800, 0x1000, &destination));
    cr_assert_eq(destination, 0x1000);
}

Test(thumb, bl_reaches_sixteen_mebibytes_both_ways)
{
    uint32_t destination;
    cr_assert(thumb_call(0xf3ff, 0xd7ff, 0x08000000, &destination));
    cr_assert_eq(destination, 0x08000000 + 0xfffffe);
    cr_assert(thumb_call(0xf400, 0xd000, 0x08000000, &destination));
    cr_assert_eq(destination, 0x08000000 - 0x1000000);
}

Test(thumb, blx_to_a_label_counts_from_the_word_below)
{
    uint32_t destination;
    cr_assert(thumb_call(0xf000, 0xe804, 0x1002, &destination));
    cr_assert_eq(destination, 0x1008, "ARM code is word aligned");
}

Test(thumb, blx_through_a_register_has_no_known_target)
{
    uint32_t destination = 1;
    cr_assert(thumb_call(0xbf00, 0x4798, 0x1000, &destination), "nop; blx r3");
    cr_assert_eq(destination, 0);
}

Test(thumb, other_instructions_are_no_calls)
{
    uint32_t destination;
    cr_assert_not(thumb_call(0xbf00, 0x4770, 0x1000, &destination), "bx lr");
    cr_assert_not(thumb_call(0xf000, 0xb800, 0x1000, &destination), "b.w");
    cr_assert_not(thumb_call(0xf8d0, 0x0000, 0x1000, &destination), "ldr.w r0, [r0]");
    cr_assert_not(thumb_call(0, 0, 0x1000, &destination));
}
