/* template.c - writes pages from templates with placeholders. */
#include "export/template.h"

void template_write(const struct template_part *parts, template_fill_fn fill, void *user, struct sink *sink)
{
    for (; parts->place; parts++) {
        sink_write(sink, parts->text, parts->n);
        fill(user, parts->place, sink);
    }
    sink_write(sink, parts->text, parts->n);
}
