/* form.h - notices that the input has another form than was chosen: text instead of bytes, or digits instead
 * of text.
 *
 * A form is chosen by the first bytes, but these may be a line from a boot loader. So each slice of 64 bytes
 * is checked. When three slices in a row look like another form, and nothing was read from them, the form is
 * chosen again. The bytes since just before these slices are kept, to be read in the new form. Slices are
 * counted from the first byte on, no matter how bytes arrive.
 *
 * Kept bytes may still turn out to be good. So they are only counted as skipped when they are no longer kept;
 * the count never decreases. */
#ifndef DIALECT_FORM_H
#define DIALECT_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { FORM_SLICE = 64, FORM_SLICES = 3, FORM_KEPT = (FORM_SLICES + 2) * FORM_SLICE };

/* All zero is the initial state. */
struct form {
    uint8_t bytes[FORM_KEPT]; /* the newest bytes */
    size_t n;
    uint64_t skipped[FORM_SLICES + 2]; /* bytes skipped before each of these slices */
    size_t slice;                      /* bytes in the current slice */
    uint8_t contrary;                  /* successive slices that look like another form */
    uint64_t records;                  /* records when the first of these began */
};

/* Keeps bytes up to the end of the slice, and returns how many. `skipped` is the number of bytes skipped
 * before. */
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

/* Returns how many of the `skipped` bytes are final, whatever form is chosen. */
static inline uint64_t form_skipped(const struct form *form, uint64_t skipped)
{
    return form->n > 0 ? form->skipped[0] : skipped;
}

/* The kept bytes will be read as another form, so none of them is skipped yet. Returns the number of bytes
 * that remain skipped. `skipped` were counted so far, and `unread` bytes are buffered by the old form. */
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

/* True when the slice is complete or, at the end of input, long enough to judge. */
static inline bool form_is_due(const struct form *form, bool ends)
{
    return form->slice >= (ends ? FORM_SLICE / 2 : FORM_SLICE);
}

/* Returns the current slice; *n is its size. */
static inline const uint8_t *form_slice(const struct form *form, size_t *n)
{
    *n = form->slice;
    return form->bytes + form->n - form->slice;
}

/* Judges a complete slice. `is_other`: it looks like another form; `records` were read up to its end. Returns
 * true when the form should be chosen again; then form->bytes are to be read. */
static inline bool form_judge(struct form *form, bool is_other, uint64_t records)
{
    form->slice = 0;
    form->contrary = !is_other || (form->contrary && records != form->records) ? 0 : form->contrary + 1;
    if (form->contrary == 1)
        form->records = records;
    return form->contrary >= FORM_SLICES;
}

#endif
