/* fuzz_answers.c - fuzz target: damages the annex's answers (annex/annex.h) about an ELF file of any bytes, as a
 * compromised worker might, and calls all functions on the resulting symbols. */
#include "annex/annex.h"
#include "symbol/listing.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED_MOST = 200, SPOILT_ANSWERS = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static uint64_t chance;

static uint64_t below(uint64_t n)
{
    chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (chance >> 33) % n;
}

/* Replaces the annex's function: runs the job here and damages, cuts or drops many of the answers. */
uint8_t *annex_ask(const struct annex_job *job, uint8_t *request, size_t n, size_t most, size_t *answer_n,
                   struct error *err)
{
    static const uint8_t telling[] = {0, 1, 2, 4, 0x7f, 0x80, 0xfe, 0xff};
    struct sink_buffer buffer;
    sink_buffer_init(&buffer);
    buffer.limit = most;
    job->run(request, n, &buffer.sink);
    size_t left = buffer.sink.failed ? 0 : buffer.n;
    /* The block has the exact size, so that a sanitizer finds reads past its end. */
    if (left > 0 && below(8) == 0)
        left = below(left);
    uint8_t *answer = below(16) == 0 ? NULL : malloc(left + !left);
    if (!answer) {
        error_set(err, "%s failed", job->title);
    } else {
        if (left > 0)
            memcpy(answer, buffer.bytes, left);
        for (uint64_t hits = below(3) * below(8); hits > 0 && left > 0; hits--)
            answer[below(2) ? below(left) : below(left < 512 ? left : 512)] = telling[below(sizeof telling)];
        *answer_n = left;
    }
    sink_buffer_fini(&buffer);
    return answer;
}

static void follow(void *context, const struct listing_row *row)
{
    uint64_t *next = context;
    if (row->address != *next || row->code->size == 0 || strlen(row->code->text) >= DISASSEMBLE_TEXT)
        abort();
    *next += row->code->size;
}

static void ask(const struct symtab *symtab, uint32_t i)
{
    const struct symbol *symbol = symtab_at(symtab, i);
    const char *file;
    uint32_t line;
    uint64_t target, next = symbol->address;
    if (symtab_find(symtab, symbol->address) != i || symtab_find_name(symtab, symbol->name) == SYMTAB_NONE)
        abort();
    symtab_line(symtab, symbol->address, &file, &line);
    symtab_call_before(symtab, symbol->address + symbol->size, &target);
    struct listing_end end = listing_each(symtab, i, LISTED_MOST, follow, &next);
    if (next != end.address || (end.has_words && *end.lost.text))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct error err = {""};
    chance = n;
    for (size_t i = 0; i < n; i++)
        chance = chance * 31 + bytes[i];
    for (unsigned run = 0; run < SPOILT_ANSWERS; run++) {
        struct symtab *symtab = symtab_load_memory(bytes, n, "fuzz.elf", &err);
        if (!symtab) {
            if (!*err.text)
                abort();
            continue;
        }
        for (uint32_t i = 0; i < symtab_count(symtab); i++)
            ask(symtab, i);
        symtab_unref(symtab);
    }
    return 0;
}
