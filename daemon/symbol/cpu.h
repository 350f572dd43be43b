/* cpu.h - the processor that a program is for. */
#ifndef SYMBOL_CPU_H
#define SYMBOL_CPU_H

#include <stdbool.h>
#include <stdint.h>

/* Some machines; values of e_machine in the ELF header. */
enum symtab_machine {
    MACHINE_386 = 3,
    MACHINE_ARM = 40,
    MACHINE_X86_64 = 62,
    MACHINE_AARCH64 = 183,
    MACHINE_RISCV = 243
};

/* The kind of processor of a program. */
struct symtab_cpu {
    uint16_t machine;  /* enum symtab_machine, or another number */
    uint8_t word_size; /* 4 or 8 bytes */
    bool big_endian;
    bool is_arm; /* 32-bit ARM: bit 0 of a code address selects Thumb and is not part of the address */
};

#endif
