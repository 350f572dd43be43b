/* export_exclude.c - the compiler option that excludes functions from instrumentation, with the expected gain
 * in comments. */
#include "export/export.h"

#include "snapshot/exclude.h"

static void write_others(const struct exclude_list *list, struct sink *sink)
{
    if (list->also > 0) {
        sink_printf(sink,
                    "# gcc leaves out each function whose name contains one of these: %u more that were not "
                    "called",
                    list->also);
        if (*list->also_names)
            sink_printf(sink, ", such as %s", list->also_names);
        sink_text(sink, ".\n");
    }
    if (list->unnamable > 0)
        sink_printf(sink,
                    "# %u more cannot be named here without others, or at all (members of class templates, "
                    "operators): give them __attribute__((no_instrument_function)).\n",
                    list->unnamable);
    sink_text(sink,
              "# clang has no such option: give the functions __attribute__((no_instrument_function)).\n");
}

static void write_exclude(const struct snapshot *snapshot, struct sink *sink)
{
    struct exclude_list list;
    char words[SLOWDOWN_SIZE], gain[EXCLUDE_WORDS_SIZE];
    if (!exclude_list_make(snapshot, &list)) {
        sink->failed = true;
        return;
    }
    snapshot_slowdown_words(&list.slowdown, words);
    exclude_list_words(&list, gain);
    sink_printf(sink, "# What to leave out of instrumentation, by miniprofd %s.\n# %s\n", MINIPROFD_VERSION,
                words);
    if (list.functions > 0) {
        sink_printf(sink, "# %s.\n", gain);
        write_others(&list, sink);
        sink_printf(sink, "%s\n", list.flag);
    } else if (!list.slowdown.unknown) {
        sink_text(
            sink,
            list.is_too_little
                ? "# Without the hooks of its short functions the program would run less than 1 % faster.\n"
                : "# No function of which a name is known is both called often and shorter than its "
                  "hooks.\n");
    }
}

const struct exporter exporter_exclude = {
    .id = "exclude",
    .title = "Exclude list",
    .summary =
        "which short functions to compile without -finstrument-functions, as gcc's option, and what that "
        "would bring",
    .media_type = "text/plain; charset=utf-8",
    .extension = "txt",
    .needs = PROVIDES_TREE,
    .write = write_exclude,
};
