/* codewords.c - disassembles a function's machine code in the annex.
 *
 * Everything in an answer is checked: a piece that does not match the requested code, or an invalid text, ends
 * it. */
#include "symbol/codewords.h"

#include "annex/annex.h"
#include "symbol/parcel.h"

#include <stdlib.h>
#include <string.h>

enum { CPU_BIG_ENDIAN = 1, CODE_BIG_ENDIAN = 2, IS_ARM = 4, ONLY_THUMB = 8 };
enum { IS_DATA = 1, HAS_DESTINATION = 2, HAS_LITERAL = 4 };

void codewords_begin(struct sink *request, const struct codewords_head *head)
{
    parcel_put(request, head->cpu.machine, 2);
    parcel_put(request, head->cpu.word_size, 1);
    parcel_put(request,
               (head->cpu.big_endian ? CPU_BIG_ENDIAN : 0) |
                   (head->code_is_big_endian ? CODE_BIG_ENDIAN : 0) | (head->cpu.is_arm ? IS_ARM : 0) |
                   (head->only_thumb ? ONLY_THUMB : 0),
               1);
    parcel_put(request, head->address, 8);
    parcel_put(request, head->max, 4);
}

struct codewords_head codewords_head(struct reader *request)
{
    struct codewords_head head = {0};
    head.cpu.machine = (uint16_t)reader_uint(request, 2);
    head.cpu.word_size = (uint8_t)reader_uint(request, 1);
    uint64_t flags = reader_uint(request, 1);
    head.cpu.big_endian = flags & CPU_BIG_ENDIAN;
    head.code_is_big_endian = flags & CODE_BIG_ENDIAN;
    head.cpu.is_arm = flags & IS_ARM;
    head.only_thumb = flags & ONLY_THUMB;
    head.address = reader_uint(request, 8);
    head.max = (uint32_t)reader_uint(request, 4);
    return head;
}

void codewords_add(struct sink *request, enum code_kind kind, const uint8_t *bytes, size_t n)
{
    parcel_put(request, kind, 1);
    parcel_put_bytes(request, bytes, n);
}

bool codewords_run(struct reader *request, enum code_kind *kind, struct reader *bytes)
{
    *kind = (enum code_kind)reader_uint(request, 1);
    *bytes = parcel_cut(request);
    return !request->failed;
}

/* ---- in the annex ---- */

static void put_piece(struct sink *answer, const struct disassembly *piece)
{
    parcel_put(answer, piece->size, 1);
    parcel_put(answer,
               (piece->is_data ? IS_DATA : 0) | (piece->has_destination ? HAS_DESTINATION : 0) |
                   (piece->has_literal ? HAS_LITERAL : 0),
               1);
    parcel_put(answer, piece->destination, 8);
    parcel_put(answer, piece->literal, 8);
    parcel_put_bytes(answer, piece->text, strlen(piece->text));
}

/* Answers whether the machine is known (1 byte), and the pieces. */
static void put_in_words(uint8_t *bytes, size_t n, struct sink *answer)
{
    struct reader request = parcel_open(bytes, n), run;
    struct codewords_head head = codewords_head(&request);
    bool knows = disassembler_knows(&head.cpu);
    enum code_kind kind;
    parcel_put(answer, knows, 1);
    if (!knows)
        return;
    struct disassembler *disassembler = disassembler_new(&head.cpu, head.code_is_big_endian, head.only_thumb);
    answer->failed |= !disassembler;
    while (disassembler && head.max > 0 && codewords_run(&request, &kind, &run)) {
        for (; reader_left(&run) > 0 && head.max > 0; head.max--) {
            struct disassembly piece;
            disassembler_next(disassembler, kind, run.at, reader_left(&run), head.address, &piece);
            put_piece(answer, &piece);
            reader_skip(&run, piece.size);
            head.address += piece.size;
        }
    }
    disassembler_free(disassembler);
}

/* ---- in the daemon ---- */

void codewords_init(struct codewords *words, uint8_t *request, size_t n)
{
    static const struct annex_job job = {"disassembling", put_in_words, .seconds = 10};
    enum { HEAD = 64, ROW = 256 }; /* limits, in bytes of an answer */
    size_t answer_n = 0;
    *words = (struct codewords){0};
    words->answer = annex_ask(&job, request, n, n * ROW + HEAD, &answer_n, &words->lost);
    if (!words->answer)
        return;
    words->reader = parcel_open(words->answer, answer_n);
    words->knows = reader_uint(&words->reader, 1) == 1;
}

void codewords_fini(struct codewords *words)
{
    free(words->answer);
}

static bool is_text(const struct reader *text)
{
    if (reader_left(text) >= DISASSEMBLE_TEXT)
        return false;
    for (const uint8_t *c = text->at; c < text->end; c++)
        if (*c < 0x20 || *c > 0x7e)
            return false;
    return true;
}

bool codewords_next(struct codewords *words, size_t room, struct disassembly *out)
{
    struct reader *reader = &words->reader;
    if (!words->knows)
        return false;
    *out = (struct disassembly){.size = (uint8_t)reader_uint(reader, 1)};
    uint64_t flags = reader_uint(reader, 1);
    out->is_data = flags & IS_DATA;
    out->has_destination = flags & HAS_DESTINATION;
    out->has_literal = flags & HAS_LITERAL;
    out->destination = reader_uint(reader, 8);
    out->literal = reader_uint(reader, 8);
    struct reader text = parcel_cut(reader);
    if (reader->failed || out->size == 0 || out->size > room || out->size > DISASSEMBLE_BYTES ||
        !is_text(&text)) {
        words->knows = false;
        return error_set(&words->lost, "disassembling came to what is no code");
    }
    if (reader_left(&text) > 0)
        memcpy(out->text, text.at, reader_left(&text));
    return true;
}
