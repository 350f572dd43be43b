/* template.h - pages that bundle.py made C text of, with places in them that an exporter fills in. */
#ifndef EXPORT_TEMPLATE_H
#define EXPORT_TEMPLATE_H

#include "base/sink.h"

/* A part of a page: n bytes of text, and the name of the place that follows it; NULL after the last. */
struct template_part {
    const char *text;
    size_t n;
    const char *place;
};

extern const struct template_part template_report[];     /* places: FIGURES, SNAPSHOT */
extern const struct template_part template_flamegraph[]; /* see export_svg.c */

/* Is asked to write what belongs in a place. */
typedef void (*template_fill_fn)(void *user, const char *place, struct sink *sink);

/* Writes a page: its text, and in each place what `fill` writes. */
void template_write(const struct template_part *parts, template_fill_fn fill, void *user, struct sink *sink);

#endif
