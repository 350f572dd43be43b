/* csv.c - one line per function (RFC 4180), for spreadsheets. */
#include "base/text.h"
#include "export/export.h"

static void cell_u64(struct sink *sink, bool known, uint64_t value)
{
    sink_char(sink, ',');
    if (known)
        sink_u64(sink, value);
}

static void write_row(const struct snapshot_function *row, struct sink *sink)
{
    bool calls = row->known & FUNCTION_CALLS;
    bool times = (row->known & FUNCTION_TIMES) && row->calls > 0;
    text_write_csv(sink, row->name);
    sink_char(sink, ',');
    if (row->has_address)
        sink_printf(sink, "0x%08llx", (unsigned long long)row->address);
    sink_char(sink, ',');
    text_write_csv(sink, row->file ? row->file : "");
    cell_u64(sink, row->line > 0, row->line);
    cell_u64(sink, calls, row->calls);
    cell_u64(sink, times, row->total_ticks);
    cell_u64(sink, times, row->self_ticks);
    cell_u64(sink, times, row->min_ticks);
    sink_char(sink, ',');
    if (times)
        sink_printf(sink, "%.3f", (double)row->sum_ticks / (double)row->calls);
    cell_u64(sink, times, row->p50_ticks);
    cell_u64(sink, times, row->p90_ticks);
    cell_u64(sink, times, row->p99_ticks);
    cell_u64(sink, times, row->max_ticks);
    cell_u64(sink, row->known & FUNCTION_SAMPLES, row->samples);
    sink_text(sink, "\r\n");
}

static void write_csv(const struct snapshot *snapshot, struct sink *sink)
{
    sink_text(
        sink,
        "function,address,file,line,calls,total_ticks,self_ticks,min_ticks,mean_ticks,p50_ticks,p90_ticks,"
        "p99_ticks,max_ticks,samples\r\n");
    for (uint32_t id = 0; id < snapshot->function_count; id++)
        if (snapshot->functions[id].known)
            write_row(&snapshot->functions[id], sink);
}

const struct exporter exporter_csv = {
    .id = "csv",
    .title = "Functions (CSV)",
    .summary = "one line per function, for spreadsheets",
    .media_type = "text/csv; charset=utf-8",
    .extension = "csv",
    .write = write_csv,
};
