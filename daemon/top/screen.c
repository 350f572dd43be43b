/* screen.c - writes the output of `miniprofd top`: state of the link, tasks and functions, in lines. */
#include "top/screen.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELL = 32, TASKS_MOST = 8 };

/* A line being written, and its output. */
struct lines {
    const struct screen *screen;
    struct sink *sink;
    struct sink_buffer line;
    unsigned n; /* lines written so far */
};

/* Returns the width of a character: two columns for East Asian ones. The terminal does not wrap, so an error only
 * cuts the end of a line. */
static unsigned character_width(const char *text, size_t length)
{
    unsigned char lead = (unsigned char)*text, next = length > 1 ? (unsigned char)text[1] : 0;
    if (length == 3)
        return (lead == 0xE1 && next == 0x84) || (lead == 0xE2 && next >= 0xBA) ||
                       (lead >= 0xE3 && lead <= 0xED && !(lead == 0xED && next >= 0x9F)) ||
                       (lead == 0xEF && next >= 0xA4 && next < 0xB0) || (lead == 0xEF && next == 0xBC)
                   ? 2
                   : 1;
    return length == 4 && lead == 0xF0 && next >= 0x9F ? 2 : 1;
}

/* Returns the bytes of the text that fit into this many columns. */
static size_t fitting_bytes(const char *text, unsigned width)
{
    size_t n = 0;
    unsigned columns = 0;
    while (text[n]) {
        bool is_order;
        size_t length = text_character(text + n, &is_order);
        columns += character_width(text + n, length);
        if (columns > width)
            break;
        n += length;
    }
    return n;
}

/* Ends the line; `style` is an escape sequence for a terminal, "" for none. */
static void end_line(struct lines *lines, const char *style)
{
    const struct screen *screen = lines->screen;
    const char *text = lines->line.n > 0 ? lines->line.bytes : "";
    bool fits = !screen->height || lines->n < screen->height;
    if (fits) {
        /* No line end after the last line, since that would scroll. */
        sink_text(lines->sink, lines->n > 0 && screen->is_terminal ? "\r\n" : "");
        sink_text(lines->sink, screen->is_terminal
                                   ? "\033[K"
                                   : ""); /* erase first, since the cursor may stay on the last column */
        sink_text(lines->sink, screen->is_terminal ? style : "");
        sink_write(lines->sink, text, screen->width ? fitting_bytes(text, screen->width) : strlen(text));
        sink_text(lines->sink, screen->is_terminal ? "\033[m" : "\n");
    }
    lines->n++;
    sink_buffer_clear(&lines->line);
}

/* ---- figures ---- */

/* Formats 1,172, or "-" when unknown. */
static const char *count_text(double value, char out[static CELL])
{
    char digits[CELL];
    size_t n = 0;
    if (isnan(value) || value < 0 || value >= 1e15)
        return "-";
    int length = snprintf(digits, sizeof digits, "%.0f", value);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            out[n++] = ',';
        out[n++] = digits[i];
    }
    out[n] = '\0';
    return out;
}

static const char *share_text(double share, char out[static CELL])
{
    if (isnan(share))
        return "-";
    snprintf(out, CELL, "%.1f", 100 * share);
    return out;
}

/* Formats three digits, or four of a whole number: 2.5, 1,149, 31.7 k. */
static const char *ticks_text(double ticks, char out[static CELL])
{
    static const char *const units[] = {"", " k", " M", " G", " T", " P"};
    size_t unit = 0;
    if (ticks >= 99.95 && ticks < 9999.5)
        return count_text(ticks, out);
    for (; ticks >= 999.5 && unit < 5; unit++)
        ticks /= 1000;
    snprintf(out, CELL, "%.3g%s", ticks, units[unit]);
    return out;
}

/* Formats three digits: 19.4 us. In ticks, without a unit, if their length is unknown. */
static const char *time_text(double ticks, double ticks_per_second, char out[static CELL])
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    if (isnan(ticks))
        return "-";
    if (!(ticks_per_second > 0))
        return ticks_text(ticks, out);
    double value = ticks * 1e9 / ticks_per_second;
    size_t unit = 0;
    for (; value >= 999.5 && unit < 3; unit++)
        value /= 1000;
    snprintf(out, CELL, "%.*f %s", value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2, value, units[unit]);
    return out;
}

static void write_figure(struct sink *sink, const char *before, double value, const char *after)
{
    char text[CELL];
    sink_text(sink, before);
    sink_text(sink, count_text(value, text));
    sink_text(sink, after);
}

/* ---- the head ---- */

static void write_plain_or(struct sink *sink, const char *text, const char *otherwise)
{
    text_write_plain(sink, text && *text ? text : otherwise);
}

static void write_source_line(struct lines *lines, const struct reading *now)
{
    struct sink *line = &lines->line.sink;
    sink_text(line, "miniprofd top  ");
    write_plain_or(line, now->port, "?");
    if (now->baud > 0)
        write_figure(line, ", ", now->baud, " baud");
    sink_text(line, ": ");
    write_plain_or(line, now->state, "unknown");
    if (now->detail && *now->detail) {
        sink_text(line, ". ");
        text_write_plain(line, now->detail);
    }
    end_line(lines, "\033[1m");
    sink_text(line, "Target  ");
    write_plain_or(line, now->firmware, "firmware unknown");
    sink_text(line, ", ");
    write_plain_or(line, now->dialect, "dialect unknown");
    if (now->mode) {
        sink_text(line, ", mode ");
        text_write_plain(line, now->mode);
    }
    if (now->has_profiling && !now->is_profiling)
        sink_text(line, ", not profiling");
    end_line(lines, "");
}

static void write_load_line(struct lines *lines, const struct table *table, const struct table_view *view,
                            bool is_in_ticks)
{
    char text[CELL];
    struct sink *line = &lines->line.sink;
    sink_printf(line, "Load    %s%s", share_text(table->busy, text), isnan(table->busy) ? "" : " %");
    if (isnan(table->busy))
        sink_text(line, " (idle time unknown)");
    sink_text(line, view->has_idle ? ", shares of all time" : ", shares of busy time");
    sink_text(line, table->is_since_start ? ", since the profile began" : ", last interval");
    if (!isnan(table->seconds))
        sink_printf(line, ": %s", time_text(table->seconds, 1, text));
    sink_printf(line, ", sorted by %s%s%s", table_sort_name(view->sort),
                view->is_reversed ? ", reversed" : "", is_in_ticks ? ", times in ticks" : "");
    end_line(lines, "");
}

static void write_link_line(struct lines *lines, const struct reading_link *link)
{
    struct sink *line = &lines->line.sink;
    write_figure(line, "Link    ", link->bytes_per_second, " bytes/s");
    if (!isnan(link->use_percent))
        sink_printf(line, " (%.0f %% of the line)", link->use_percent);
    write_figure(line, ", ", link->calls_per_second, " calls/s");
    write_figure(line, ", buffer ", link->buffer_percent, isnan(link->buffer_percent) ? "" : " %");
    end_line(lines, "");
    bool is_bad =
        link->damaged > 0 || link->lost > 0 || link->losses_of_unknown_size > 0 || link->overflows > 0;
    write_figure(line, "Losses  damaged packets ", link->damaged, "");
    write_figure(line, ", lost records ", link->lost, "");
    if (link->losses_of_unknown_size > 0)
        write_figure(line, " and ", link->losses_of_unknown_size, " losses of unknown size");
    write_figure(line, ", overflows ", link->overflows, "");
    write_figure(line, ", reconnects ", link->reconnects, "");
    write_figure(line, ", restarts ", link->restarts, "");
    end_line(lines, is_bad ? "\033[1m" : "");
}

static void write_remarks(struct lines *lines, const struct reading *now)
{
    struct sink *line = &lines->line.sink;
    if (now->incomplete) {
        sink_text(line, "Incomplete: ");
        text_write_plain(line, now->incomplete);
        end_line(lines, "\033[1m");
    }
    if (lines->screen->message && *lines->screen->message) {
        text_write_plain(line, lines->screen->message);
        end_line(lines, "\033[1m");
    }
}

/* ---- tables ---- */

static void write_tasks(struct lines *lines, const struct table *table)
{
    const struct screen *screen = lines->screen;
    size_t most = screen->height ? screen->height / 4 : table->tasks_n;
    most = most > TASKS_MOST && screen->height ? TASKS_MOST : most;
    if (screen->has_no_tasks || table->tasks_n == 0 || most == 0)
        return;
    struct sink *line = &lines->line.sink;
    end_line(lines, "");
    sink_printf(line, "%7s %9s  %-7s TASK", "LOAD%", "STACK", "KIND");
    end_line(lines, "\033[7m");
    for (size_t i = 0; i < table->tasks_n && i < most; i++) {
        const struct table_task *task = &table->tasks[i];
        char load[CELL], stack[CELL], kind[CELL], number[CELL];
        snprintf(kind, sizeof kind, "%.7s", task->kind ? task->kind : "-");
        snprintf(number, sizeof number, "context %zu", task->id);
        sink_printf(line, "%7s %9s  ", share_text(task->load, load), count_text(task->stack, stack));
        text_plain(kind);
        sink_printf(line, "%-7s ", kind);
        write_plain_or(line, task->name, number);
        end_line(lines, "");
    }
    if (most < table->tasks_n) {
        sink_printf(line, "%7s %9s  %-7s %zu more", "", "", "", table->tasks_n - most);
        end_line(lines, "");
    }
}

/* The columns of figures: width, and minimum width of the terminal. */
static const struct column {
    const char *title;
    int width;
    unsigned from;
    enum table_sort sort;
} columns[] = {{"OWN%", 6, 0, SORT_OWN},      {"TOTAL%", 7, 0, SORT_TOTAL}, {"CALLS/s", 11, 50, SORT_RATE},
               {"MEAN", 11, 62, SORT_MEAN},   {"P99", 11, 92, SORT_P99},    {"MAX", 11, 76, SORT_MAX},
               {"CALLS", 15, 110, SORT_CALLS}};
enum { COLUMNS = sizeof columns / sizeof *columns };

static bool column_is_shown(const struct column *column, const struct screen *screen)
{
    return !screen->width || screen->width >= column->from;
}

static const char *cell_text(const struct table_row *row, enum table_sort sort, double hz,
                             char out[static CELL])
{
    switch (sort) {
    case SORT_OWN: return share_text(row->own, out);
    case SORT_TOTAL: return share_text(row->total, out);
    case SORT_RATE: return count_text(row->rate, out);
    case SORT_MEAN: return time_text(row->mean, hz, out);
    case SORT_P99: return time_text(row->p99, hz, out);
    case SORT_MAX: return time_text(row->max, hz, out);
    default: return count_text(row->calls, out);
    }
}

static void write_function(struct lines *lines, const struct table_row *row, double hz)
{
    struct sink *line = &lines->line.sink;
    for (size_t i = 0; i < COLUMNS; i++) {
        char cell[CELL];
        if (column_is_shown(&columns[i], lines->screen))
            sink_printf(line, "%*s", columns[i].width, cell_text(row, columns[i].sort, hz, cell));
    }
    sink_text(line, "  ");
    text_write_plain(line, row->name);
    end_line(lines, "");
}

static void write_functions(struct lines *lines, struct screen *screen, const struct table *table,
                            const struct reading *now)
{
    struct sink *line = &lines->line.sink;
    end_line(lines, "");
    for (size_t i = 0; i < COLUMNS; i++)
        if (column_is_shown(&columns[i], screen))
            sink_printf(line, "%*s", columns[i].width, columns[i].title);
    sink_text(line, "  FUNCTION");
    end_line(lines, "\033[7m");
    size_t room = !screen->height ? table->n : screen->height > lines->n ? screen->height - lines->n : 0;
    if (screen->first + room > table->n)
        screen->first = table->n > room ? table->n - room : 0;
    for (size_t i = screen->first; i < table->n && i - screen->first < room; i++)
        write_function(lines, &table->rows[i], now->ticks_per_second);
    if (table->n == 0) {
        sink_text(line, now->reports_functions
                            ? "No function has run yet."
                            : "This dialect reports no functions; the page has what it does.");
        end_line(lines, "");
    }
}

static void write_keys(struct lines *lines)
{
    static const char *const keys[] = {
        "",
        "  q             quit",
        "  p             pause, and go on",
        "  space         ask now",
        "  P T           sort by own time, by total time",
        "  C A F X N     sort by calls per second, mean, p99 (F), longest call (X), name",
        "  < >           sort by the column to the left, to the right",
        "  R             reverse the order",
        "  i             idle time is in the shares, or left out",
        "  S             shares since the profile began, or of the last interval",
        "  H             tasks are shown, or not",
        "  up, down, PgUp, PgDn, Home, End   scroll",
        "  h ?           this help; any key leaves it",
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        sink_text(&lines->line.sink, keys[i]);
        end_line(lines, "");
    }
}

bool screen_write(struct screen *screen, const struct reading *before, const struct reading *now,
                  struct sink *sink)
{
    struct table table;
    struct lines lines = {.screen = screen, .sink = sink};
    if (!table_make(&table, before, now, &screen->view))
        return false;
    sink_buffer_init(&lines.line);
    sink_text(sink, screen->is_terminal ? "\033[H" : "");
    write_source_line(&lines, now);
    write_load_line(&lines, &table, &screen->view, !(now->ticks_per_second > 0) && table.n > 0);
    write_link_line(&lines, &now->link);
    write_remarks(&lines, now);
    if (screen->is_help) {
        write_keys(&lines);
    } else {
        write_tasks(&lines, &table);
        write_functions(&lines, screen, &table, now);
    }
    if (screen->is_terminal && (!screen->height || lines.n < screen->height))
        sink_text(sink, "\r\n\033[J");
    bool good = !lines.line.sink.failed;
    sink_buffer_fini(&lines.line);
    table_fini(&table);
    return good;
}
