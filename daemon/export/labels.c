/* labels.c - makes unique labels for functions. */
#include "export/labels.h"

#include "base/scarcity.h"

#include <stdlib.h>
#include <string.h>

/* The shortest addition that makes the label of a function unique. */
enum told_by { BY_NAME, BY_FILE, BY_PATH, BY_ADDRESS };

struct namesake {
    const struct snapshot_function *function;
    enum told_by by;
};

static const char *path_of(const struct snapshot_function *function)
{
    return function->file ? function->file : "";
}

static const char *file_of(const struct snapshot_function *function)
{
    const char *path = path_of(function), *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int by_name_and_file(const void *left, const void *right)
{
    const struct snapshot_function *a = ((const struct namesake *)left)->function;
    const struct snapshot_function *b = ((const struct namesake *)right)->function;
    int order = strcmp(a->name, b->name);
    if (order == 0)
        order = strcmp(file_of(a), file_of(b));
    return order ? order : strcmp(path_of(a), path_of(b));
}

static void distinguish_pair(struct namesake *a, struct namesake *b)
{
    if (a->function->name != b->function->name && strcmp(a->function->name, b->function->name) != 0)
        return;
    bool is_one_file = strcmp(file_of(a->function), file_of(b->function)) == 0;
    bool is_one_path = is_one_file && strcmp(path_of(a->function), path_of(b->function)) == 0;
    enum told_by by = is_one_path ? BY_ADDRESS : is_one_file ? BY_PATH : BY_FILE;
    if (by > a->by)
        a->by = by;
    if (by > b->by)
        b->by = by;
}

static void write_label(const struct namesake *namesake, struct sink *sink)
{
    const struct snapshot_function *function = namesake->function;
    sink_text(sink, function->name);
    if (namesake->by == BY_ADDRESS || !function->file)
        sink_printf(sink, " [0x%08llx]", (unsigned long long)function->address);
    else
        sink_printf(sink, " [%s]", namesake->by == BY_PATH ? function->file : file_of(function));
    sink_write(sink, "", 1);
}

/* Sets the pointers to labels once all are written, since the texts move while they grow. */
static void point_labels(struct labels *labels, const struct namesake *namesakes, uint32_t n)
{
    const char *text = labels->texts.bytes;
    for (uint32_t i = 0; i < n; i++) {
        if (namesakes[i].by == BY_NAME)
            continue;
        labels->of[namesakes[i].function - labels->snapshot->functions] = text;
        text += strlen(text) + 1;
    }
}

void labels_init(struct labels *labels, const struct snapshot *snapshot)
{
    uint32_t n = 0;
    *labels = (struct labels){.snapshot = snapshot};
    sink_buffer_init(&labels->texts);
    struct namesake *namesakes =
        scarcity_note(calloc((size_t)snapshot->function_count + 1, sizeof *namesakes));
    labels->of = scarcity_note(calloc((size_t)snapshot->function_count + 1, sizeof *labels->of));
    for (uint32_t i = 0; i < snapshot->function_count && labels->of; i++) {
        labels->of[i] = snapshot->functions[i].name;
        if (namesakes && snapshot->functions[i].kind == KIND_FUNCTION && snapshot->functions[i].has_address)
            namesakes[n++].function = &snapshot->functions[i];
    }
    if (n > 0)
        qsort(namesakes, n, sizeof *namesakes, by_name_and_file);
    for (uint32_t i = 1; i < n; i++)
        distinguish_pair(&namesakes[i - 1], &namesakes[i]);
    for (uint32_t i = 0; i < n; i++)
        if (namesakes[i].by != BY_NAME)
            write_label(&namesakes[i], &labels->texts.sink);
    if (labels->texts.sink.failed)
        scarcity_note(NULL); /* some labels are then not unique, which is reported */
    else if (labels->texts.n > 0)
        point_labels(labels, namesakes, n);
    free(namesakes);
}

void labels_fini(struct labels *labels)
{
    free(labels->of);
    sink_buffer_fini(&labels->texts);
}

const char *labels_of(const struct labels *labels, uint32_t function)
{
    return labels->of ? labels->of[function] : labels->snapshot->functions[function].name;
}
