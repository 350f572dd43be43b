/* fixture_arm.S - hand-written assembler as vendors ship it: a function without a size, one as it should be, and
 * one without a type, which only counts because the one before it has an end. */
    .syntax unified
    .thumb
    .text

    .global fixture_sizeless
    .type fixture_sizeless, %function
    .thumb_func
fixture_sizeless:
    movs r0, #1
inner_label:
    subs r0, r0, #1
    bne inner_label
    bx lr

    .global fixture_sized
    .type fixture_sized, %function
    .thumb_func
fixture_sized:
    bx lr
    .size fixture_sized, . - fixture_sized

    .global fixture_label
fixture_label:
    nop
    bx lr
