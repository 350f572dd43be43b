/* tool_times.c - tools for tasks, messages, and single calls. */
#include "mcp/tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Answers with a page of the snapshot: the tick rate, and what `add` adds from the offset in the arguments on. */
static bool answer_of_snapshot(struct daemon *daemon, const struct jsonio *arguments,
                               void (*add)(struct page *page, struct slice snapshot, uint64_t offset),
                               struct tool_answer *answer, struct error *err)
{
    struct slice snapshot;
    struct page page;
    char *text = daemon_json(daemon, "/api/v1/snapshot", NULL, &snapshot, err);
    if (!text)
        return false;
    page_begin(&page);
    page_add(&page, "ticks_per_second", slice_path(snapshot, "target.ticks_per_second"));
    add(&page, snapshot, tool_offset(arguments));
    bool good = tool_answer_page(answer, &page, err);
    free(text);
    return good;
}

/* ---- tasks ---- */

/* Adds the self time of the call tree's rows of that context to `ticks`. False when there is none. */
static bool context_ticks(struct slice tree, struct slice id, uint64_t *ticks)
{
    struct slice_walk contexts = slice_walk(slice_member(tree, "context"));
    struct slice_walk own = slice_walk(slice_member(tree, "self_ticks"));
    struct slice name, context, value;
    bool has_some = false;
    uint64_t of_row;
    *ticks = 0;
    while (slice_next(&contexts, &name, &context) && slice_next(&own, &name, &value))
        if (context.n == id.n && !memcmp(context.at, id.at, id.n) && slice_u64(value, &of_row)) {
            *ticks += of_row;
            has_some = true;
        }
    return has_some;
}

struct task_rows {
    struct slice contexts, tree;
};

static struct slice element_at(struct slice array, uint64_t index)
{
    struct slice_walk walk = slice_walk(array);
    struct slice name, value = {NULL, 0};
    for (uint64_t i = 0; i <= index && slice_next(&walk, &name, &value); i++)
        ;
    return value;
}

static void write_task(void *user, uint64_t index, struct sink *sink)
{
    const struct task_rows *rows = user;
    struct slice row = element_at(rows->contexts, index), id = slice_member(row, "id");
    struct json json = {.sink = sink};
    uint64_t ticks;
    static const char *const members[] = {"id", "name", "kind", "stack_bytes", "stack_unknown"};
    json_object_open(&json, NULL);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        struct slice value = slice_member(row, members[i]);
        if (value.n > 0)
            json_raw(&json, members[i], value.at, value.n);
    }
    bool is_known = context_ticks(rows->tree, id, &ticks);
    json_known_u64(&json, "ticks", is_known, ticks);
    json_object_close(&json);
}

static void add_tasks(struct page *page, struct slice snapshot, uint64_t offset)
{
    struct task_rows rows = {slice_member(snapshot, "contexts"), slice_member(snapshot, "call_tree")};
    page_add_rows(page, "tasks", slice_count(rows.contexts), offset, write_task, &rows);
}

bool call_tasks(struct daemon *daemon, const struct jsonio *arguments, struct tool_answer *answer,
                struct error *err)
{
    return answer_of_snapshot(daemon, arguments, add_tasks, answer, err);
}

/* ---- messages ---- */

static void add_messages(struct page *page, struct slice snapshot, uint64_t offset)
{
    page_add(page, "dropped", slice_member(snapshot, "messages_dropped"));
    page_add_array(page, "messages", slice_member(snapshot, "messages"), offset, true);
}

bool call_messages(struct daemon *daemon, const struct jsonio *arguments, struct tool_answer *answer,
                   struct error *err)
{
    return answer_of_snapshot(daemon, arguments, add_messages, answer, err);
}

/* ---- single calls ---- */

enum { COLUMNS = 7, CALLS_MOST = 2000 };

static const char *const columns[COLUMNS] = {"start", "duration", "context", "depth",
                                             "calls", "busy",     "function"};

struct call_rows {
    struct slice *cells; /* COLUMNS for each row */
    struct slice *names; /* of functions by their id, names_n of them */
    uint64_t n, names_n;
};

static bool collect_cells(struct call_rows *rows, struct slice table)
{
    rows->n = slice_count(slice_member(table, columns[0]));
    rows->cells = calloc(rows->n * COLUMNS + 1, sizeof *rows->cells);
    if (!rows->cells)
        return false;
    for (size_t column = 0; column < COLUMNS; column++) {
        struct slice_walk walk = slice_walk(slice_member(table, columns[column]));
        struct slice name;
        for (uint64_t i = 0; i < rows->n && slice_next(&walk, &name, &rows->cells[i * COLUMNS + column]); i++)
            ;
    }
    return true;
}

static bool collect_names(struct call_rows *rows, struct slice functions)
{
    struct slice_walk walk = slice_walk(functions);
    struct slice name, row;
    uint64_t id;
    rows->names_n = slice_count(functions);
    rows->names = calloc(rows->names_n + 1, sizeof *rows->names);
    if (!rows->names)
        return false;
    while (slice_next(&walk, &name, &row))
        if (slice_u64(slice_member(row, "id"), &id) && id < rows->names_n)
            rows->names[id] = slice_member(row, "name");
    return true;
}

static void write_call(void *user, uint64_t index, struct sink *sink)
{
    const struct call_rows *rows = user;
    const struct slice *cells = &rows->cells[index * COLUMNS];
    struct json json = {.sink = sink};
    uint64_t id;
    bool is_named = slice_u64(cells[COLUMNS - 1], &id) && id < rows->names_n && rows->names[id].n > 0;
    json_object_open(&json, NULL);
    for (size_t column = 0; column + 1 < COLUMNS; column++)
        if (cells[column].n > 0)
            json_raw(&json, columns[column], cells[column].at, cells[column].n);
    if (is_named)
        json_raw(&json, "function", rows->names[id].at, rows->names[id].n);
    else
        json_null(&json, "function");
    json_object_close(&json);
}

static bool answer_calls(struct slice timeline, struct slice snapshot, const struct jsonio *arguments,
                         struct tool_answer *answer, struct error *err)
{
    static const char *const members[] = {"from", "to", "oldest", "newest"};
    struct call_rows rows = {0};
    struct page page;
    page_begin(&page);
    page_add(&page, "ticks_per_second", slice_path(snapshot, "target.ticks_per_second"));
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        page_add(&page, members[i], slice_member(timeline, members[i]));
    page_add_number(&page, "gaps", slice_count(slice_path(timeline, "gaps.from")));
    page.out.sink.failed |= !collect_cells(&rows, slice_member(timeline, "rows")) ||
                            !collect_names(&rows, slice_member(snapshot, "functions"));
    if (rows.names)
        page_add_rows(&page, "calls", rows.n, tool_offset(arguments), write_call, &rows);
    bool good = tool_answer_page(answer, &page, err);
    free(rows.cells);
    free(rows.names);
    return good;
}

static void add_bound(char *path, size_t size, const struct jsonio *arguments, const char *name)
{
    uint64_t ticks;
    size_t n = strlen(path);
    if (jsonio_u64(jsonio_member(arguments, name), &ticks))
        snprintf(path + n, size - n, "&%s=%llu", name, (unsigned long long)ticks);
}

/* A pause keeps the snapshot for both requests, since ids of functions must match their names. */
bool call_timeline(struct daemon *daemon, const struct jsonio *arguments, struct tool_answer *answer,
                   struct error *err)
{
    char path[160] = "", full[240], body[64];
    struct slice held, timeline, snapshot;
    uint64_t pause;
    add_bound(path, sizeof path, arguments, "from");
    add_bound(path, sizeof path, arguments, "to");
    char *kept = daemon_json(daemon, "/api/v1/pauses", "{}", &held, err), *calls = NULL, *names = NULL;
    bool good = kept && (slice_u64(slice_member(held, "pause"), &pause) ||
                         error_set(err, "The miniprofd there cannot pause; update it."));
    if (good) {
        snprintf(full, sizeof full, "/api/v1/timeline?max=%d&pause=%llu%s", CALLS_MOST,
                 (unsigned long long)pause, path);
        calls = daemon_json(daemon, full, NULL, &timeline, err);
        snprintf(full, sizeof full, "/api/v1/snapshot?pause=%llu", (unsigned long long)pause);
        names = calls ? daemon_json(daemon, full, NULL, &snapshot, err) : NULL;
        good = names && answer_calls(timeline, snapshot, arguments, answer, err);
        snprintf(body, sizeof body, "{\"pause\":%llu}", (unsigned long long)pause);
        free(daemon_json(daemon, "/api/v1/pauses/end", body, &held, NULL));
    }
    free(kept);
    free(calls);
    free(names);
    return good;
}
