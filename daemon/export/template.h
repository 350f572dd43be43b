/* template.h - pages that bundle.py turned into C source, with placeholders that an exporter fills. */
#ifndef EXPORT_TEMPLATE_H
#define EXPORT_TEMPLATE_H

#include "base/sink.h"

/* A part of a page: n bytes of text, and the name of the placeholder after it; NULL after the last part. */
struct template_part {
    const char *text;
    size_t n;
    const char *place;
};

extern const struct template_part template_report[];     /* FIGURES, EXACTLY, SNAPSHOT */
extern const struct template_part template_flamegraph[]; /* see export_svg.c */

/* Writes the content of a placeholder. */
typedef void (*template_fill_fn)(void *user, const char *place, struct sink *sink);

/* Writes a page. `fill` writes the content of each placeholder. */
void template_write(const struct template_part *parts, template_fill_fn fill, void *user, struct sink *sink);

#endif
