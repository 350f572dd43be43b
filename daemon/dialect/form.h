/* form.h - notices that what comes is of another form than was chosen: text after bytes, digits after text.
 *
 * A form is chosen by the first bytes, which may be a line that a boot loader printed.
 * So each slice of 64 bytes is asked which form it looks like, and where three in a row look like another
 * one, and nothing was read of them, the form is chosen again. What came since just before these is kept, to
 * be read as that form. Slices are counted from the first byte on, however bytes are cut into pieces.
 *
 * What is kept may still turn out to be good, so what was skipped of it counts when it is given up: the
 * number of bytes skipped never falls. */
#ifndef DIALECT_FORM_H
#define DIALECT_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { FORM_SLICE = 64, FORM_SLICES = 3, FORM_KEPT = (FORM_SLICES + 2) * FORM_SLICE };

/* Zero is the start state. */
struct form {
    uint8_t bytes[FORM_KEPT]; /* the newest */
    size_t n;
    uint64_t skipped[FORM_SLICES + 2]; /* bytes skipped before each of these slices */
    size_t slice;                      /* bytes of the slice that is under way */
    uint8_t contrary;                  /* slices in a row of another form */
    uint64_t records;                  /* when the first of these began */
};

/* Keeps bytes up to the end of the slice, and returns how many those were. `skipped`: bytes before them. */
static inline size_t form_take(struct form *form, const uint8_t *bytes, size_t n, uint64_t skipped)
{
    size_t some = FORM_SLICE - form->slice;
    if (some > n)
        some = n;
    if (form->n + some > FORM_KEPT) {
        form->n -= FORM_SLICE;
        memmove(form->bytes, form->bytes + FORM_SLICE, form->n);
        memmove(form->skipped, form->skipped + 1, sizeof form->skipped - sizeof *form->skipped);
    }
    if (form->slice == 0)
        form->skipped[form->n / FORM_SLICE] = skipped;
    memcpy(form->bytes + form->n, bytes, some);
    form->n += some;
    form->slice += some;
    return some;
}

/* How many of the `skipped` bytes stay so, whatever form is chosen. */
static inline uint64_t form_skipped(const struct form *form, uint64_t skipped)
{
    return form->n > 0 ? form->skipped[0] : skipped;
}

/* What is kept is read as another form: none of it is skipped yet. Returns how many bytes are, where
 * `skipped` were counted by now and `unread` ones wait in the form that is given up. */
static inline uint64_t form_reread(struct form *form, uint64_t skipped, uint64_t unread)
{
    uint64_t before = skipped + unread < form->n ? 0 : skipped + unread - form->n;
    if (before < form->skipped[0])
        before = form->skipped[0];
    for (int i = 0; i < FORM_SLICES + 2; i++)
        form->skipped[i] = before;
    form->contrary = 0;
    return before;
}

/* True when the slice is over; at the end of all bytes, when there is enough of it to judge. */
static inline bool form_is_due(const struct form *form, bool ends)
{
    return form->slice >= (ends ? FORM_SLICE / 2 : FORM_SLICE);
}

/* The slice that is under way; *n: its bytes. */
static inline const uint8_t *form_slice(const struct form *form, size_t *n)
{
    *n = form->slice;
    return form->bytes + form->n - form->slice;
}

/* The slice is over; `is_other`: it looks like another form than the one in use, of which `records` many
 * were read up to its end. True: it is time to choose again; form->bytes are what to read. */
static inline bool form_judge(struct form *form, bool is_other, uint64_t records)
{
    form->slice = 0;
    form->contrary = !is_other || (form->contrary && records != form->records) ? 0 : form->contrary + 1;
    if (form->contrary == 1)
        form->records = records;
    return form->contrary >= FORM_SLICES;
}

#endif
