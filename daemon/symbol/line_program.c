/* line_program.c - the line number program of a table: its instructions, which make the rows (DWARF 5
 * section 6.2). */
#include "symbol/lines_private.h"

/* Opcodes: DWARF 5, tables 7.25 and 7.26. */
enum {
    LNS_COPY = 1,
    LNS_ADVANCE_PC,
    LNS_ADVANCE_LINE,
    LNS_SET_FILE,
    LNS_SET_COLUMN,
    LNS_NEGATE_STMT,
    LNS_SET_BASIC_BLOCK,
    LNS_CONST_ADD_PC,
    LNS_FIXED_ADVANCE_PC,
    LNE_END_SEQUENCE = 1,
    LNE_SET_ADDRESS
};

/* The state machine's registers (DWARF 5 section 6.2.2). */
struct state {
    uint64_t address, file;
    uint32_t line;
    size_t first_row; /* of the sequence being read */
    bool is_broken;   /* addresses fell: the sequence cannot be searched */
};

static void state_start(struct state *state, const struct lines *lines)
{
    *state = (struct state){.file = 1, .line = 1, .first_row = lines->row_count};
}

static void add_row(struct line_program *program, struct state *state)
{
    struct lines *lines = program->lines;
    uint64_t index = state->file - program->table.file_base;
    uint32_t file =
        index < program->table.file_count ? program->table.first_file + (uint32_t)index : UINT32_MAX;
    if (lines->row_count > state->first_row) {
        struct lines_row *last = &lines->rows[lines->row_count - 1];
        state->is_broken |= state->address < last->address;
        if (last->file == file && last->line == state->line)
            return;
        if (last->address == state->address) { /* of several rows for one instruction the last one counts */
            last->file = file;
            last->line = state->line;
            return;
        }
    }
    if (line_grow(&lines->rows, sizeof *lines->rows, lines->row_count, &lines->row_room))
        lines->rows[lines->row_count++] = (struct lines_row){state->address, file, state->line};
}

static void end_sequence(struct line_program *program, struct state *state)
{
    struct lines *lines = program->lines;
    size_t rows = lines->row_count - state->first_row;
    uint64_t start = rows > 0 ? lines->rows[state->first_row].address : 0;
    bool is_wanted =
        rows > 0 && !state->is_broken && state->address > start && image_is_code(program->image, start) &&
        image_is_code(program->image, state->address - 1) &&
        line_grow(&lines->sequences, sizeof *lines->sequences, lines->sequence_count, &lines->sequence_room);
    if (is_wanted)
        lines->sequences[lines->sequence_count++] =
            (struct lines_sequence){start, state->address, (uint32_t)state->first_row, (uint32_t)rows};
    else
        lines->row_count = state->first_row;
    state_start(state, lines);
}

static void extended(struct line_program *program, struct reader *reader, struct state *state)
{
    struct reader operand = reader_cut(reader, reader_uleb(reader));
    switch (reader_uint(&operand, 1)) {
    case LNE_END_SEQUENCE: end_sequence(program, state); break;
    case LNE_SET_ADDRESS:
        state->address = reader_uint(&operand, reader_left(&operand) > 4 ? 8 : 4);
        if (program->is_arm)
            state->address &= ~UINT64_C(1);
        state->address += program->shift;
        break;
    }
}

void line_program_run(struct line_program *program, struct reader *reader)
{
    struct state state;
    state_start(&state, program->lines);
    while (reader->at < reader->end) {
        unsigned opcode = (unsigned)reader_uint(reader, 1);
        if (opcode >= program->opcode_base) {
            unsigned step = opcode - program->opcode_base;
            state.address += (uint64_t)(step / program->line_range) * program->min_instruction;
            state.line += (uint32_t)(program->line_base + (int)(step % program->line_range));
            add_row(program, &state);
            continue;
        }
        switch (opcode) {
        case 0: extended(program, reader, &state); break;
        case LNS_COPY: add_row(program, &state); break;
        case LNS_ADVANCE_PC: state.address += reader_uleb(reader) * program->min_instruction; break;
        case LNS_ADVANCE_LINE: state.line += (uint32_t)reader_sleb(reader); break;
        case LNS_SET_FILE: state.file = reader_uleb(reader); break;
        case LNS_CONST_ADD_PC:
            state.address +=
                (uint64_t)((255 - program->opcode_base) / program->line_range) * program->min_instruction;
            break;
        case LNS_FIXED_ADVANCE_PC: state.address += reader_uint(reader, 2); break;
        default: /* its number of operands is all there is to know */
            for (unsigned i = 0; i < program->operand_counts[opcode - 1]; i++)
                reader_uleb(reader);
        }
    }
    program->lines->row_count = state.first_row; /* a sequence without an end */
}
