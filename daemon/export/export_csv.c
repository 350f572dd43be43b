/* export_csv.c - one line per function (RFC 4180), for spreadsheets. */
#include "base/text.h"
#include "export/export.h"
#include "snapshot/figures.h"

enum { COLUMNS_MOST = 64 };

struct columns {
    const struct figure *figures[COLUMNS_MOST];
    size_t n;
};

static const struct figure *figure_at(size_t column)
{
    const struct figure *figure = figures_function;
    while (figure->key && figure->csv != column)
        figure++;
    return figure->key ? figure : NULL;
}

static struct columns columns_in_order(void)
{
    struct columns columns = {0};
    const struct figure *figure;
    while (columns.n < COLUMNS_MOST && (figure = figure_at(columns.n + 1)))
        columns.figures[columns.n++] = figure;
    return columns;
}

static void write_figure(const struct figure *figure, const struct snapshot_function *row, struct sink *sink)
{
    sink_char(sink, ',');
    if (!figure_function_known(figure, row))
        return;
    if (figure->type == FIGURE_U64)
        sink_u64(sink, figure_u64(figure, row));
    else
        sink_printf(sink, "%.*f", figure->decimals, figure_double(figure, row));
}

static void write_row(const struct snapshot_function *row, const struct columns *columns, struct sink *sink)
{
    text_write_csv(sink, row->name);
    sink_char(sink, ',');
    if (row->has_address)
        sink_printf(sink, "0x%08llx", (unsigned long long)row->address);
    sink_char(sink, ',');
    text_write_csv(sink, row->file ? row->file : "");
    sink_char(sink, ',');
    if (row->line > 0)
        sink_u64(sink, row->line);
    for (size_t i = 0; i < columns->n; i++)
        write_figure(columns->figures[i], row, sink);
    sink_text(sink, "\r\n");
}

static void write_csv(const struct snapshot *snapshot, struct sink *sink)
{
    struct columns columns = columns_in_order();
    sink_text(sink, "function,address,file,line");
    for (size_t i = 0; i < columns.n; i++)
        sink_printf(sink, ",%s", columns.figures[i]->key);
    sink_text(sink, "\r\n");
    for (uint32_t id = 0; id < snapshot->function_count; id++)
        if (snapshot->functions[id].known & ~(uint32_t)FUNCTION_FRAME)
            write_row(&snapshot->functions[id], &columns, sink);
}

const struct exporter exporter_csv = {
    .id = "csv",
    .title = "Functions (CSV)",
    .summary = "one line per function, for spreadsheets",
    .media_type = "text/csv; charset=utf-8",
    .extension = "csv",
    .write = write_csv,
};
