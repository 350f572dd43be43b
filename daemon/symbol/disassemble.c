/* disassemble.c - disassembles machine code; the only file that uses capstone.
 *
 * Only one thread at a time may use a capstone handle; each thread has its own. */
#include "symbol/disassemble.h"

#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct disassembler {
    csh handle;
    cs_insn *insn;
    struct symtab_cpu cpu;
    cs_arch arch;
    cs_mode mode; /* for all code but Thumb */
    bool is_thumb;
};

static bool machine_of(const struct symtab_cpu *cpu, cs_arch *arch, cs_mode *mode)
{
    *mode = CS_MODE_LITTLE_ENDIAN;
    switch (cpu->machine) {
    case MACHINE_ARM: *arch = CS_ARCH_ARM; return true;
    case MACHINE_AARCH64: *arch = CS_ARCH_ARM64; return true;
    case MACHINE_386:
        *arch = CS_ARCH_X86;
        *mode = CS_MODE_32;
        return true;
    case MACHINE_X86_64:
        *arch = CS_ARCH_X86;
        *mode = CS_MODE_64;
        return true;
#if CS_API_MAJOR >= 5
    case MACHINE_RISCV:
        *arch = CS_ARCH_RISCV;
        *mode = (cs_mode)(cpu->word_size == 8 ? CS_MODE_RISCV64 | CS_MODE_RISCVC
                                              : CS_MODE_RISCV32 | CS_MODE_RISCVC);
        return true;
#endif
    default: return false;
    }
}

bool disassembler_knows(const struct symtab_cpu *cpu)
{
    cs_arch arch;
    cs_mode mode;
    return machine_of(cpu, &arch, &mode);
}

struct disassembler *disassembler_new(const struct symtab_cpu *cpu, bool code_is_big_endian, bool only_thumb)
{
    struct disassembler *disassembler = calloc(1, sizeof *disassembler);
    if (!disassembler)
        return NULL;
    disassembler->cpu = *cpu;
    if (!machine_of(cpu, &disassembler->arch, &disassembler->mode))
        goto fail;
    if (code_is_big_endian)
        disassembler->mode = (cs_mode)(disassembler->mode | CS_MODE_BIG_ENDIAN);
    if (cpu->is_arm)
        disassembler->mode = (cs_mode)(disassembler->mode | (only_thumb ? CS_MODE_MCLASS : CS_MODE_V8));
    if (cs_open(disassembler->arch, disassembler->mode, &disassembler->handle) != CS_ERR_OK)
        goto fail;
    cs_option(disassembler->handle, CS_OPT_DETAIL, CS_OPT_ON);
    if (cpu->is_arm) /* r9, not sb, as in the processor's manual */
        cs_option(disassembler->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_NOREGNAME);
    disassembler->insn = cs_malloc(disassembler->handle);
    if (disassembler->insn)
        return disassembler;
    cs_close(&disassembler->handle);

fail:
    free(disassembler);
    return NULL;
}

void disassembler_free(struct disassembler *disassembler)
{
    if (!disassembler)
        return;
    cs_free(disassembler->insn, 1);
    cs_close(&disassembler->handle);
    free(disassembler);
}

size_t disassemble_unit(uint64_t address, size_t n, size_t unit)
{
    while (unit > 1 && (n < unit || address % unit != 0))
        unit /= 2;
    return unit;
}

static void write_data(const struct disassembler *disassembler, const uint8_t *bytes, size_t n,
                       struct disassembly *out)
{
    const char *directive = n == 4 ? ".word" : n == 2 ? ".short" : ".byte";
    uint32_t value = 0;
    for (size_t i = 0; i < n; i++)
        value = value << 8 | bytes[disassembler->cpu.big_endian ? i : n - 1 - i];
    *out = (struct disassembly){.size = (uint8_t)n, .is_data = true};
    snprintf(out->text, sizeof out->text, "%s 0x%0*x", directive, (int)(2 * n), value);
    if (n == 4 && disassembler->cpu.word_size == 4) {
        out->has_destination = true; /* perhaps: the caller checks whether a function is there */
        out->destination = disassembler->cpu.is_arm ? value & ~UINT32_C(1) : value;
    }
}

/* Finds the target of a direct call or branch: its last immediate operand, to which capstone adds the address. */
static void find_destination(const struct disassembler *disassembler, struct disassembly *out)
{
    const cs_insn *insn = disassembler->insn;
    bool is_jump = cs_insn_group(disassembler->handle, insn, CS_GRP_JUMP) ||
                   cs_insn_group(disassembler->handle, insn, CS_GRP_CALL) ||
                   cs_insn_group(disassembler->handle, insn, CS_GRP_BRANCH_RELATIVE);
    const cs_detail *detail = insn->detail;
    switch (disassembler->arch) {
    case CS_ARCH_ARM:
        /* some versions of capstone put Thumb BL in neither group, and CBZ in a third */
        is_jump |= insn->id == ARM_INS_BL || insn->id == ARM_INS_BLX || insn->id == ARM_INS_B ||
                   insn->id == ARM_INS_CBZ || insn->id == ARM_INS_CBNZ;
        if (is_jump && detail->arm.op_count > 0 &&
            detail->arm.operands[detail->arm.op_count - 1].type == ARM_OP_IMM) {
            out->has_destination = true;
            out->destination = (uint32_t)detail->arm.operands[detail->arm.op_count - 1].imm & ~UINT32_C(1);
        }
        break;
    case CS_ARCH_ARM64:
        if (is_jump && detail->arm64.op_count > 0 &&
            detail->arm64.operands[detail->arm64.op_count - 1].type == ARM64_OP_IMM) {
            out->has_destination = true;
            out->destination = (uint64_t)detail->arm64.operands[detail->arm64.op_count - 1].imm;
        }
        break;
    case CS_ARCH_X86:
        if (is_jump && detail->x86.op_count > 0 &&
            detail->x86.operands[detail->x86.op_count - 1].type == X86_OP_IMM) {
            out->has_destination = true;
            out->destination = (uint64_t)detail->x86.operands[detail->x86.op_count - 1].imm;
            if (disassembler->cpu.word_size == 4)
                out->destination = (uint32_t)out->destination;
        }
        break;
    default: break;
    }
}

/* Finds the address of an LDR from the literal pool: relative to the program counter, two instructions ahead. */
static void find_literal(const struct disassembler *disassembler, struct disassembly *out)
{
    const cs_insn *insn = disassembler->insn;
    if (disassembler->arch != CS_ARCH_ARM || insn->id != ARM_INS_LDR || insn->detail->arm.op_count != 2)
        return;
    const cs_arm_op *from = &insn->detail->arm.operands[1];
    if (from->type != ARM_OP_MEM || from->mem.base != ARM_REG_PC || from->mem.index != ARM_REG_INVALID)
        return;
    uint64_t ahead = disassembler->is_thumb ? 4 : 8;
    out->has_literal = true;
    out->literal = (uint32_t)(((insn->address + ahead) & ~UINT64_C(3)) + (uint64_t)(int64_t)from->mem.disp);
}

static void select_kind(struct disassembler *disassembler, enum code_kind kind)
{
    bool is_thumb = kind == CODE_THUMB;
    if (!disassembler->cpu.is_arm || is_thumb == disassembler->is_thumb)
        return;
    disassembler->is_thumb = is_thumb;
    cs_option(
        disassembler->handle, CS_OPT_MODE,
        (size_t)(is_thumb ? (unsigned)disassembler->mode | CS_MODE_THUMB : (unsigned)disassembler->mode));
}

void disassembler_next(struct disassembler *disassembler, enum code_kind kind, const uint8_t *bytes, size_t n,
                       uint64_t address, struct disassembly *out)
{
    if (n > DISASSEMBLE_BYTES)
        n = DISASSEMBLE_BYTES;
    if (kind == CODE_DATA) {
        write_data(disassembler, bytes, disassemble_unit(address, n, 4), out);
        return;
    }
    select_kind(disassembler, kind);
    const uint8_t *at = bytes;
    size_t left = n;
    uint64_t next = address;
    cs_insn *insn = disassembler->insn;
    if (!cs_disasm_iter(disassembler->handle, &at, &left, &next, insn) || insn->size == 0 || insn->size > n) {
        size_t unit = disassembler->arch == CS_ARCH_X86 ? 1 : kind == CODE_THUMB ? 2 : 4;
        write_data(disassembler, bytes, disassemble_unit(address, n, unit), out);
        out->has_destination = false;
        return;
    }
    *out = (struct disassembly){.size = (uint8_t)insn->size};
    snprintf(out->text, sizeof out->text, "%s%s%s", insn->mnemonic, *insn->op_str ? " " : "", insn->op_str);
    find_destination(disassembler, out);
    find_literal(disassembler, out);
}
