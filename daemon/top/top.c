/* top.c - `miniprofd top`: polls a daemon and shows its busiest functions.
 *
 * One loop serves both a terminal and plain tables, which have no keys. */
#include "top/top.h"

#include "base/clock.h"
#include "base/error_end.h"
#include "process/signals.h"
#include "top/asker.h"
#include "top/own_daemon.h"
#include "top/screen.h"
#include "top/terminal.h"
#include "top/top_options.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DONE = 0, FAILED = 1, USAGE = 2 };

/* Without data from the port, the first plain table is printed after this time, so that scripts go on. */
enum { FIRST_TABLE_MS = 10000 };

struct top {
    struct top_options options;
    struct screen screen;
    struct terminal terminal;
    struct own_daemon daemon;
    struct asker asker;
    struct reading *before, *now;
    struct error trouble; /* with the last request; "": none */
    const char *log_line; /* the newest line of the daemon's log */
    char message[sizeof(struct error)];
    uint64_t began_ms, next_ms;                    /* next_ms: of the next request */
    unsigned long shown;                           /* updates */
    bool is_asking, is_paused, is_over, is_broken; /* broken: the output has gone */
    int status;
};

/* Static, since the asker's thread may run until the program ends. */
static struct top top;

static void end_with(struct top *self, int status, const char *sentence)
{
    terminal_end(&self->terminal);
    self->is_over = true;
    self->status = sentence ? error_end(status, sentence) : status;
}

static void choose_message(struct top *self)
{
    const char *said = self->is_paused       ? "Paused: p goes on."
                       : *self->trouble.text ? self->trouble.text
                       : self->log_line      ? self->log_line
                                             : "";
    snprintf(self->message, sizeof self->message, "%.*s", (int)strcspn(said, "\n"), said);
    self->screen.message = self->message;
}

static void draw_screen(struct top *self)
{
    struct sink_buffer text;
    if (!self->now)
        return;
    choose_message(self);
    sink_buffer_init(&text);
    if (self->screen.is_terminal)
        terminal_size(&self->screen.width, &self->screen.height);
    else if (self->shown > 0)
        sink_char(&text.sink, '\n');
    bool good = screen_write(&self->screen, self->before, self->now, &text.sink) && !text.sink.failed;
    if (!good)
        end_with(self, FAILED, "Out of memory.");
    else if (!terminal_write(text.bytes, text.n))
        end_with(self, FAILED, self->screen.is_terminal ? NULL : "Cannot write to standard output.");
    sink_buffer_fini(&text);
}

/* ---- updates ---- */

static void ask_daemon(struct top *self)
{
    if (self->is_asking || self->is_over)
        return;
    self->is_asking = true;
    asker_ask(&self->asker);
}

static bool is_recording(const struct reading *reading)
{
    return reading->port && !strncmp(reading->port, "file:", 5);
}

/* True when the first plain table of --port must wait: for data, or for the end of a recording. */
static bool is_too_early(const struct top *self)
{
    if (self->screen.is_terminal || !self->options.measures || self->shown > 0)
        return false;
    if (reading_has_ended(self->now))
        return false;
    uint64_t age_ms = clock_monotonic_ms() - self->began_ms;
    bool has_some = self->now->functions_n > 0 && (double)age_ms >= self->options.interval_s * 1000;
    return is_recording(self->now) || (!has_some && age_ms < FIRST_TABLE_MS);
}

/* Counts an update, and decides whether to continue. */
static void count_update(struct top *self)
{
    bool is_plain = !self->screen.is_terminal;
    self->shown++;
    unsigned long most = self->options.updates ? self->options.updates : is_plain ? 1 : 0;
    if ((most == 0 || self->shown < most) && !(is_plain && reading_has_ended(self->now)))
        return;
    if (is_plain && self->options.measures && self->now->functions_n == 0)
        end_with(self, FAILED, "No function was seen; miniprofd doctor looks for the cause.");
    else
        end_with(self, DONE, NULL);
}

/* Uses a new reading. An unchanged snapshot is not a new interval, since its differences would be 0. */
static void use_reading(struct top *self, struct reading *reading)
{
    if (self->now && reading->sequence == self->now->sequence && !reading_has_ended(reading) &&
        self->screen.is_terminal) {
        reading_free(reading);
        return;
    }
    reading_free(self->before);
    self->before = self->shown > 0 ? self->now : NULL;
    if (self->shown == 0)
        reading_free(self->now);
    self->now = reading;
}

static void take_answer(struct top *self)
{
    struct error why = {""};
    struct reading *reading = asker_take(&self->asker, &why);
    self->is_asking = false;
    self->next_ms = clock_monotonic_ms() + (uint64_t)(self->options.interval_s * 1000);
    self->trouble = why;
    if (reading && self->is_paused) {
        reading_free(reading);
        return;
    }
    if (!reading && (!self->now || !self->screen.is_terminal)) {
        end_with(self, FAILED, why.text);
        return;
    }
    if (reading)
        use_reading(self, reading);
    if (reading && is_too_early(self)) {
        self->next_ms = clock_monotonic_ms() + 100;
        return;
    }
    draw_screen(self);
    if (reading && !self->is_over)
        count_update(self);
}

/* ---- keys ---- */

static bool sort_by_key(struct table_view *view, int key)
{
    static const struct {
        int key;
        enum table_sort sort;
    } sorts[] = {{'P', SORT_OWN}, {'T', SORT_TOTAL}, {'C', SORT_RATE}, {'A', SORT_MEAN},
                 {'F', SORT_P99}, {'X', SORT_MAX},   {'N', SORT_NAME}};
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++)
        if (sorts[i].key == key) {
            view->sort = sorts[i].sort;
            return true;
        }
    return false;
}

/* Scrolls by a key. */
static void scroll_by_key(struct screen *screen, int key)
{
    size_t page = screen->height > 12 ? screen->height - 12 : 1;
    size_t step = key == KEY_UP || key == KEY_DOWN ? 1 : page;
    if (key == KEY_UP || key == KEY_PAGE_UP)
        screen->first = screen->first > step ? screen->first - step : 0;
    else if (key == KEY_HOME)
        screen->first = 0;
    else if (key == KEY_END)
        screen->first = SIZE_MAX / 2; /* clamped to the last page */
    else
        screen->first += step;
}

static void apply_key(struct top *self, int key)
{
    struct screen *screen = &self->screen;
    struct table_view *view = &screen->view;
    if (screen->is_help && key != 'q') {
        screen->is_help = false;
        return;
    }
    if (key >= KEY_UP) {
        scroll_by_key(screen, key);
        return;
    }
    switch (key) {
    case 'q': end_with(self, DONE, NULL); break;
    case 'p':
        self->is_paused = !self->is_paused;
        self->next_ms = clock_monotonic_ms();
        break;
    case ' ': self->next_ms = clock_monotonic_ms(); break;
    case 'h':
    case '?': screen->is_help = true; break;
    case 'R': view->is_reversed = !view->is_reversed; break;
    case 'i': view->has_idle = !view->has_idle; break;
    case 'S': view->is_since_start = !view->is_since_start; break;
    case 'H': screen->has_no_tasks = !screen->has_no_tasks; break;
    case '<': view->sort = view->sort > 0 ? view->sort - 1 : SORTS - 1; break;
    case '>': view->sort = view->sort + 1 < SORTS ? view->sort + 1 : 0; break;
    default: sort_by_key(view, key); break;
    }
}

static void take_keys(struct top *self)
{
    char typed[64];
    ssize_t n = read(STDIN_FILENO, typed, sizeof typed);
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) {
        end_with(self, FAILED, NULL); /* the terminal has gone */
        return;
    }
    for (size_t at = 0; n > 0 && at < (size_t)n && !self->is_over;) {
        int key;
        at += terminal_key(typed + at, (size_t)n - at, &key);
        apply_key(self, key);
    }
    if (!self->is_over)
        draw_screen(self);
}

/* ---- signals ---- */

static int open_signals(sigset_t *set)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP};
    sigemptyset(set);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaddset(set, numbers[i]);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* the parent may have ignored it; then waiting would fail */
    return signals_queue(set);
}

/* Ctrl+Z: restores the shell's screen, stops, and sets up the own screen when continued. */
static void stop_for_shell(struct top *self)
{
    bool was_on = self->terminal.is_on;
    terminal_end(&self->terminal);
    raise(SIGSTOP);
    if (was_on && !terminal_begin(&self->terminal))
        end_with(self, FAILED, NULL);
}

static void take_signal(struct top *self, int signals)
{
    const int number = signals_take(signals);
    if (number == 0)
        return;
    if (number == SIGTSTP)
        stop_for_shell(self);
    else if (number != SIGWINCH)
        end_with(self, DONE, NULL);
    if (!self->is_over && self->screen.is_terminal)
        draw_screen(self);
}

/* ---- the loop ---- */

static int wait_time(const struct top *self)
{
    uint64_t now_ms = clock_monotonic_ms();
    if (self->is_asking || self->is_paused)
        return -1;
    return self->next_ms > now_ms ? (int)(self->next_ms - now_ms) : 0;
}

/* Reads the daemon's log, which is shown with the next update. Ends when the daemon ends. */
static void follow_daemon(struct top *self, const struct pollfd *out, struct pollfd *log)
{
    if (log->revents) {
        self->log_line = own_daemon_hear(&self->daemon);
        if (!self->log_line)
            log->fd = -1;
    }
    if (out->revents & (POLLHUP | POLLERR) && !self->is_over)
        end_with(self, FAILED, "The process that reads the port has ended.");
    else if (out->revents) {
        char line[256];
        if (read(self->daemon.out, line, sizeof line) <= 0)
            end_with(self, FAILED, "The process that reads the port has ended.");
    }
}

static void show_until_end(struct top *self, int signals)
{
    struct pollfd fds[] = {{.fd = asker_fd(&self->asker), .events = POLLIN},
                           {.fd = signals, .events = POLLIN},
                           {.fd = self->screen.is_terminal ? STDIN_FILENO : -1, .events = POLLIN},
                           {.fd = self->options.measures ? self->daemon.out : -1, .events = POLLIN},
                           {.fd = self->options.measures ? self->daemon.log : -1, .events = POLLIN}};
    self->began_ms = self->next_ms = clock_monotonic_ms();
    while (!self->is_over) {
        int n = poll(fds, sizeof fds / sizeof *fds, wait_time(self));
        if (n < 0 && errno != EINTR)
            end_with(self, FAILED, "Cannot wait for events.");
        if (n == 0)
            ask_daemon(self);
        if (n <= 0)
            continue;
        if (fds[1].revents)
            take_signal(self, signals);
        if (fds[2].revents && !self->is_over)
            take_keys(self);
        if (fds[0].revents && !self->is_over)
            take_answer(self);
        follow_daemon(self, &fds[3], &fds[4]);
    }
    terminal_end(&self->terminal);
}

/* Starts the daemon. False after setting the exit status when that fails. */
static bool start_daemon(struct top *self, int signals)
{
    struct error err = {""};
    const struct top_options *options = &self->options;
    switch (own_daemon_start(&self->daemon, options->passed_on, options->passed_on_n, signals,
                             self->screen.is_terminal, &err)) {
    case OWN_DAEMON_RUNS: return true;
    case OWN_DAEMON_ENDED: self->status = FAILED; return false; /* it printed the reason */
    case OWN_DAEMON_INTERRUPTED: self->status = DONE; return false;
    default: self->status = error_end(FAILED, err.text); return false;
    }
}

static void run_with_signals(struct top *self, int signals)
{
    struct error err;
    const char *at = self->options.measures ? self->daemon.url
                     : self->options.at     ? self->options.at
                                            : "http://127.0.0.1:7777";
    if (!client_init(&self->asker.client, "--at", at, self->options.token_file, &err) ||
        !asker_start(&self->asker, &err)) {
        self->status = error_end(FAILED, err.text);
        return;
    }
    if (self->screen.is_terminal && !terminal_begin(&self->terminal)) {
        terminal_end(&self->terminal);
        self->status = error_end(FAILED, "Cannot use the terminal; -b prints a plain table.");
        return;
    }
    show_until_end(self, signals);
}

static int run_top(struct top *self)
{
    sigset_t set;
    int signals = open_signals(&set);
    if (signals < 0)
        return error_end(FAILED, "Cannot listen for signals; check the limit on open files (ulimit -n).");
    bool runs = !self->options.measures || start_daemon(self, signals);
    if (runs)
        run_with_signals(self, signals);
    if (self->options.measures) {
        bool ended_itself = !runs && self->status == FAILED;
        int status = own_daemon_stop(&self->daemon);
        if (ended_itself && status == USAGE)
            self->status = USAGE;
        if (self->status != DONE)
            fputs(self->daemon.said, stderr);
    }
    close(signals);
    reading_free(self->before);
    reading_free(self->now);
    return self->status;
}

int top_run(int argc, char *const *argv)
{
    struct error err = {""};
    if (!top_options_parse(&top.options, argc, argv, &err) ||
        (top.options.at && !client_address_is_good("--at", top.options.at, &err)))
        return arguments_refuse(&top_arguments, &err);
    if (top.options.help)
        return arguments_help(&top_arguments);
    top.screen.view.sort = top.options.sort;
    top.screen.is_terminal = !top.options.is_batch && terminal_is_there();
    return run_top(&top);
}
