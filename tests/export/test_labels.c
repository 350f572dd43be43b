/* test_labels.c - functions of one name get different labels in exports with names only. */
#include "export/labels.h"

#include "export/export.h"

#include <criterion/criterion.h>
#include <string.h>

static struct snapshot_function function(const char *name, const char *file, uint64_t address)
{
    return (struct snapshot_function){
        .name = name, .raw_name = name, .file = file, .address = address, .has_address = true};
}

Test(labels, equal_names_get_file_path_or_address)
{
    struct snapshot_function functions[] = {
        function("main", "src/main.c", 0x100),  function("init", "src/adc.c", 0x200),
        function("init", "src/dac.c", 0x300),   function("tick", "a/loop.c", 0x400),
        function("tick", "b/loop.c", 0x500),    function("copy", NULL, 0x600),
        function("copy", NULL, 0x700),          function("copy", "lib/copy.c", 0x800),
        {.name = "init", .kind = KIND_RUNNING},
    };
    static const char *const want[] = {
        "main",
        "init [adc.c]",
        "init [dac.c]",
        "tick [a/loop.c]",
        "tick [b/loop.c]",
        "copy [0x00000600]",
        "copy [0x00000700]",
        "copy [copy.c]",
        "init",
    };
    const struct snapshot snapshot = {.functions = functions,
                                      .function_count = sizeof functions / sizeof *functions};
    struct labels labels;
    labels_init(&labels, &snapshot);
    for (uint32_t i = 0; i < snapshot.function_count; i++)
        cr_assert_str_eq(labels_of(&labels, i), want[i]);
    labels_fini(&labels);
}

Test(labels, folded_stacks_begin_with_the_context_where_there_are_several)
{
    struct snapshot_function functions[] = {function("run", "a.c", 0x100), function("run", "b.c", 0x200)};
    struct snapshot_node nodes[] = {
        {.parent = -1, .function = -1},
        {.parent = 0, .function = 0, .context = 0, .self_ticks = 5},
        {.parent = 1, .function = 1, .context = 0, .self_ticks = 6},
        {.parent = 0, .function = 1, .context = 1, .self_ticks = 7},
    };
    struct snapshot_context contexts[2] = {{.name = "sensor"}, {.name = "a;b"}};
    struct snapshot snapshot = {.functions = functions,
                                .function_count = 2,
                                .nodes = nodes,
                                .node_count = 4,
                                .contexts = contexts,
                                .context_count = 2};
    struct sink_buffer out;
    sink_buffer_init(&out);
    exporter_find("collapsed")->write(&snapshot, &out.sink);
    cr_assert_str_eq(out.bytes, "sensor;run [a.c] 5\nsensor;run [a.c];run [b.c] 6\na:b;run [b.c] 7\n");
    sink_buffer_clear(&out);
    snapshot.context_count = 1;
    snapshot.node_count = 3;
    exporter_find("collapsed")->write(&snapshot, &out.sink);
    cr_assert_str_eq(out.bytes, "run [a.c] 5\nrun [a.c];run [b.c] 6\n");
    sink_buffer_fini(&out);
}
