/* test_codewords.c - reading the answers of a compromised worker. */
#include "symbol/codewords.h"
#include "symbol/parcel.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

enum { MACHINE_TEXT_MOST = DISASSEMBLE_TEXT + 64, ROOM = 16 };

static void put_row(struct sink *sink, unsigned size, const char *text, size_t n)
{
    parcel_put(sink, size, 1);
    parcel_put(sink, 0, 1);
    parcel_put(sink, 0, 8);
    parcel_put(sink, 0, 8);
    parcel_put_bytes(sink, text, n);
}

/* Reads the first `n` bytes of `answer` from a block of that size; returns the number of rows. */
static unsigned rows_of(const struct sink_buffer *answer, size_t n, bool *lost)
{
    struct codewords words = {.knows = true, .answer = malloc(n + !n)};
    unsigned rows = 0;
    cr_assert_not_null(words.answer);
    memcpy(words.answer, answer->bytes, n);
    words.reader = parcel_open(words.answer, n);
    for (struct disassembly row; codewords_next(&words, ROOM, &row); rows++)
        cr_assert(row.size > 0 && row.size <= ROOM && strlen(row.text) < DISASSEMBLE_TEXT);
    *lost = *words.lost.text && !words.knows;
    codewords_fini(&words);
    return rows;
}

static unsigned one_row(unsigned size, const char *text, size_t n)
{
    struct sink_buffer answer;
    bool lost;
    sink_buffer_init(&answer);
    put_row(&answer.sink, size, text, n);
    unsigned rows = rows_of(&answer, answer.n, &lost);
    cr_expect(lost);
    sink_buffer_fini(&answer);
    return rows;
}

Test(codewords, a_piece_lies_in_the_requested_code)
{
    cr_expect_eq(one_row(ROOM, "nop", 3), 1);
    cr_expect_eq(one_row(0, "nop", 3), 0);
    cr_expect_eq(one_row(ROOM + 1, "nop", 3), 0);
    cr_expect_eq(one_row(255, "nop", 3), 0);
}

Test(codewords, a_text_is_one)
{
    char text[MACHINE_TEXT_MOST];
    memset(text, 'a', sizeof text);
    cr_expect_eq(one_row(2, text, DISASSEMBLE_TEXT - 1), 1);
    cr_expect_eq(one_row(2, text, DISASSEMBLE_TEXT), 0);
    cr_expect_eq(one_row(2, text, sizeof text), 0);
    cr_expect_eq(one_row(2, "", 0), 1);
    cr_expect_eq(one_row(2, "a\0b", 3), 0);
    cr_expect_eq(one_row(2, "a\x1b[2J", 5), 0);
    cr_expect_eq(one_row(2, "\xff", 1), 0);
}

Test(codewords, an_answer_may_end_anywhere)
{
    struct sink_buffer answer;
    sink_buffer_init(&answer);
    for (unsigned i = 0; i < 3; i++)
        put_row(&answer.sink, 2, "bx lr", 5);
    for (size_t n = 0; n <= answer.n; n++) {
        bool lost;
        cr_expect_eq(rows_of(&answer, n, &lost), n / (answer.n / 3), "%zu", n);
        cr_expect(lost);
    }
    sink_buffer_fini(&answer);
}
