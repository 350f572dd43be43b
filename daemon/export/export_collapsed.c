/* export_collapsed.c - folded stacks: one line per chain of callers, "a;b;c 42", weights are self ticks.
 *
 * The input of Brendan Gregg's flamegraph.pl and of most flame graph viewers. Where the target has several
 * contexts, the first frame is the context. */
#include "base/text.h"
#include "export/export.h"
#include "export/labels.h"

static void write_chain(const struct labels *labels, uint32_t node, struct sink *sink)
{
    const struct snapshot *snapshot = labels->snapshot;
    const struct snapshot_node *row = &snapshot->nodes[node];
    if (row->parent > 0) {
        write_chain(labels, (uint32_t)row->parent, sink);
        sink_char(sink, ';');
    } else if (snapshot->context_count > 1 && row->context < snapshot->context_count) {
        text_write_folded(sink, snapshot->contexts[row->context].name);
        sink_char(sink, ';');
    }
    text_write_folded(sink, labels_of(labels, (uint32_t)row->function));
}

static void write_collapsed(const struct snapshot *snapshot, struct sink *sink)
{
    struct labels labels;
    labels_init(&labels, snapshot);
    for (uint32_t node = 1; node < snapshot->node_count; node++) {
        if (snapshot->nodes[node].self_ticks == 0)
            continue;
        write_chain(&labels, node, sink);
        sink_char(sink, ' ');
        sink_u64(sink, snapshot->nodes[node].self_ticks);
        sink_char(sink, '\n');
    }
    labels_fini(&labels);
}

const struct exporter exporter_collapsed = {
    .id = "collapsed",
    .title = "Folded stacks",
    .summary = "one line per stack with its self ticks, for flamegraph.pl, speedscope and others",
    .media_type = "text/plain; charset=utf-8",
    .extension = "folded",
    .needs = PROVIDES_TREE,
    .write = write_collapsed,
};
