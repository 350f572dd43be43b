/* follower.h - a reader that follows a profile by its deltas. It keeps rows as received text, so that every member
 * missing in a delta is noticed. */
#ifndef TESTS_EXPORT_FOLLOWER_H
#define TESTS_EXPORT_FOLLOWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of a JSON text. */
struct piece {
    const char *at;
    size_t n;
};

bool piece_same(struct piece a, struct piece b);

/* Rows in their order, or the cells of a column. */
struct rows {
    struct piece *row; /* texts of its own */
    size_t n;
};

enum { FOLLOWER_KEYED = 4, FOLLOWER_COLUMNS = 6 };

/* All zero is one that has received nothing. */
struct follower {
    struct rows keyed[FOLLOWER_KEYED], columns[FOLLOWER_COLUMNS], messages, plain;
    uint64_t messages_dropped;
};

void follower_fini(struct follower *follower);

/* Applies the server's text: a whole profile or a delta. */
void follower_apply(struct follower *follower, struct piece top);

/* Fails the test when they differ. */
void follower_expect_same(const struct follower *got, const struct follower *want, uint64_t seed);

#endif
