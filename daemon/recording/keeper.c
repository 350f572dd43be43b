/* keeper.c - records the seconds around each breach of a limit. */
#include "recording/keeper.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { BACKLOG_MOST = 8 << 20 };

static uint64_t bytes_a_file(const struct keeper *keeper)
{
    return keeper->terms.most / keeper->terms.files;
}

bool keeper_init(struct keeper *keeper, const struct keeper_terms *terms, struct error *err)
{
    struct stat info;
    *keeper = (struct keeper){.terms = *terms};
    if (!terms->dir)
        return true;
    if (!realpath(terms->dir, keeper->dir) || stat(keeper->dir, &info) != 0 || !S_ISDIR(info.st_mode))
        return error_set(
            err, "%.300s, where the time around broken limits is to be kept, is no folder: make it first.",
            terms->dir);
    text_clean_utf8(keeper->shown.dir, sizeof keeper->shown.dir, keeper->dir, strlen(keeper->dir));
    uint64_t before = bytes_a_file(keeper) / 2; /* the other half is for bytes after the breach */
    return backlog_init(&keeper->backlog, before < BACKLOG_MOST ? before : BACKLOG_MOST, terms->around_ms) ||
           error_set(err, "Out of memory while preparing to keep the time around broken limits.");
}

void keeper_write_by(struct keeper *keeper, struct writer *writer)
{
    keeper->writer = writer;
}

static struct snapshot_keeping_row *last_row(struct keeper *keeper)
{
    return &keeper->shown.rows[keeper->shown.count - 1];
}

/* A failed recording ends there; its bytes are kept. */
static void fail_breach_recording(struct keeper *keeper, uint64_t now_us, const struct error *why)
{
    if (strcmp(keeper->shown.failure, why->text) != 0)
        log_write(LOG_ERROR, "%s", why->text);
    text_clean_utf8(keeper->shown.failure, sizeof keeper->shown.failure, why->text, strlen(why->text));
    keeper->until_us = now_us + keeper->terms.around_ms * UINT64_C(1000);
}

/* ---- selection ---- */

static void remove_file(const struct keeper *keeper, const struct snapshot_keeping_row *row)
{
    char path[PATH_MAX + sizeof row->name];
    snprintf(path, sizeof path, "%s/%s", keeper->dir, row->name);
    writer_remove(keeper->writer, path);
}

/* The index of a limit's row, or `count`. */
static uint32_t row_of(const struct keeper_misses *misses, uint32_t limit)
{
    uint32_t i = 0;
    while (i < misses->count && misses->rows[i].limit != limit)
        i++;
    return i;
}

static double excess_of(const struct keeper_misses *misses, uint32_t limit)
{
    uint32_t i = row_of(misses, limit);
    return i < misses->count ? misses->rows[i].excess : -1;
}

static void note_breach(struct keeper_misses *misses, const struct snapshot_breach *breach)
{
    uint32_t i = row_of(misses, breach->bound);
    if (i == BOUNDS_MAX)
        return;
    if (i == misses->count)
        misses->rows[misses->count++].excess = -1;
    misses->rows[i].limit = breach->bound;
    if (breach->excess > misses->rows[i].excess)
        misses->rows[i].excess = breach->excess;
}

/* The value of a recording: its largest miss; `has_worst`: it is the first one with a limit's worst miss. */
static double recording_worth(const struct keeper *keeper, uint32_t recording, bool *has_worst)
{
    const struct keeper_misses *own = &keeper->misses[recording];
    double most = -1;
    *has_worst = false;
    for (uint32_t i = 0; i < own->count; i++) {
        double excess = own->rows[i].excess;
        bool is_worst = true;
        for (uint32_t other = 0; other < keeper->shown.count && is_worst; other++) {
            double there = excess_of(&keeper->misses[other], own->rows[i].limit);
            is_worst = other == recording || there < excess || (there == excess && other > recording);
        }
        *has_worst |= is_worst;
        most = excess > most ? excess : most;
    }
    return most;
}

/* Of those older than the newer half, drops the least bad one among those without a limit's worst miss, or
 * else among all. So a limit that is broken all the time does not push out the recordings of another. */
static void make_room(struct keeper *keeper)
{
    struct snapshot_keeping *shown = &keeper->shown;
    if (shown->count <= keeper->terms.files)
        return;
    uint32_t least = 0, older = shown->count - keeper->terms.files / 2;
    bool least_has_worst;
    double least_worth = recording_worth(keeper, 0, &least_has_worst);
    for (uint32_t i = 1; i < older; i++) {
        bool has_worst;
        double value = recording_worth(keeper, i, &has_worst);
        if (has_worst != least_has_worst ? has_worst : value >= least_worth)
            continue;
        least = i;
        least_worth = value;
        least_has_worst = has_worst;
    }
    remove_file(keeper, &shown->rows[least]);
    shown->count--;
    shown->dropped++;
    memmove(&shown->rows[least], &shown->rows[least + 1], (shown->count - least) * sizeof shown->rows[0]);
    memmove(&keeper->misses[least], &keeper->misses[least + 1],
            (shown->count - least) * sizeof keeper->misses[0]);
}

static const struct error *gap_of(struct keeper *keeper, struct error *why)
{
    error_set(why, "The recording %.300s lacks %llu bytes, since the disk did not keep up.",
              tape_path(keeper->tape), (unsigned long long)tape_lost(keeper->tape));
    return why;
}

static void drop_tape(struct keeper *keeper)
{
    if (!keeper->is_ended)
        tape_end(keeper->tape);
    tape_free(keeper->tape);
    keeper->tape = NULL;
    keeper->is_opening = keeper->is_ended = false;
}

/* Shows the recording in progress as soon as its files are made. Returns true if there is something new to
 * show. */
static bool follow_opening(struct keeper *keeper, uint64_t now_us)
{
    struct error why;
    enum tape_state state = keeper->is_opening ? tape_state(keeper->tape, &why) : TAPE_OPENING;
    if (state == TAPE_OPENING)
        return false;
    const char *path = tape_path(keeper->tape);
    if (!*path) { /* it failed before it had a name */
        fail_breach_recording(keeper, now_us, &why);
        drop_tape(keeper);
        return true;
    }
    keeper->is_opening = false;
    keeper->shown.failure[0] = '\0';
    keeper->shown.made++;
    struct snapshot_keeping_row *row = &keeper->shown.rows[keeper->shown.count++];
    *row = keeper->next;
    snprintf(row->name, sizeof row->name, "%s", strrchr(path, '/') + 1);
    log_write(LOG_INFO, "Keeping the time around a broken limit in %s", path);
    return true;
}

static void end_breach_recording(struct keeper *keeper, uint64_t now_us)
{
    struct error why;
    follow_opening(keeper, now_us);
    if (keeper->is_opening) {
        error_set(&why,
                  "The disk did not make a file in %.300s for the time around a broken limit in time; keep "
                  "them on a faster disk.",
                  keeper->dir);
        fail_breach_recording(keeper, now_us, &why);
        drop_tape(keeper);
    }
    if (!keeper->tape)
        return;
    if (!keeper->is_ended)
        tape_end(keeper->tape);
    keeper->is_ended = true;
    last_row(keeper)->bytes = tape_bytes(keeper->tape);
    last_row(keeper)->is_open = false;
    if (tape_state(keeper->tape, &why) == TAPE_FAILED)
        fail_breach_recording(keeper, now_us, &why);
    else if (tape_lost(keeper->tape) > 0)
        fail_breach_recording(keeper, now_us, gap_of(keeper, &why));
    drop_tape(keeper);
    make_room(keeper);
}

/* ---- recording ---- */

static bool keep_on_tape(struct keeper *keeper, uint64_t now_us, const uint8_t *bytes, size_t n)
{
    struct error why;
    if (tape_keep(keeper->tape, now_us, NULL, bytes, n, &why))
        return true;
    fail_breach_recording(keeper, now_us, &why);
    end_breach_recording(keeper, now_us);
    return false;
}

static bool keep_read(void *user, uint64_t at_us, uint64_t missing, const uint8_t *bytes, size_t n)
{
    struct keeper *keeper = user;
    tape_skip(keeper->tape, missing);
    return keep_on_tape(keeper, at_us, bytes, n);
}

static void begin_breach_recording(struct keeper *keeper, uint64_t now_us,
                                   const struct snapshot_breach *breach, const uint8_t *head, size_t n)
{
    const struct recorder_terms terms = {.flush_ms = keeper->terms.flush_ms, .prefix = "breach"};
    uint64_t around_us = keeper->terms.around_ms * UINT64_C(1000);
    uint64_t since_us = now_us > around_us ? now_us - around_us : 0;
    struct error why;
    keeper->tape = tape_open(keeper->writer, keeper->dir, breach->wall_ns, &terms, &why);
    if (!keeper->tape) {
        fail_breach_recording(keeper, now_us, &why);
        return;
    }
    keeper->is_opening = true;
    keeper->next =
        (struct snapshot_keeping_row){.wall_ns = breach->wall_ns, .limit = breach->bound, .is_open = true};
    keeper->until_us = now_us + around_us;
    keeper->misses[keeper->shown.count].count = 0;
    follow_opening(keeper, now_us);
    if (!keeper->tape)
        return;
    if (n == 0 || keep_on_tape(keeper, since_us, head, n))
        backlog_tell(&keeper->backlog, since_us, keep_read, keeper);
}

bool keeper_take(struct keeper *keeper, uint64_t now_us, const uint8_t *bytes, size_t n)
{
    if (!keeper->terms.dir)
        return false;
    bool was_on = keeper->tape != NULL, is_news = follow_opening(keeper, now_us);
    bool is_full =
        keeper->tape && (now_us >= keeper->until_us || tape_bytes(keeper->tape) + n > bytes_a_file(keeper));
    if (is_full)
        keeper->until_us = now_us; /* a smaller piece would follow a gap */
    if (is_full && !keeper->is_opening)
        end_breach_recording(keeper, now_us);
    else if (keeper->tape && !is_full)
        keep_on_tape(keeper, now_us, bytes, n);
    backlog_add(&keeper->backlog, now_us, bytes, n);
    return is_news || (was_on && !keeper->tape);
}

void keeper_skip(struct keeper *keeper, uint64_t n)
{
    if (!keeper->terms.dir)
        return;
    backlog_skip(&keeper->backlog, n);
    if (keeper->tape && !keeper->is_ended)
        tape_skip(keeper->tape, n);
}

bool keeper_hear(struct keeper *keeper, uint64_t now_us, const struct snapshot_breach *breach,
                 const uint8_t *head, size_t n)
{
    if (!keeper->terms.dir || keeper->is_over)
        return false;
    bool is_new = !keeper->tape;
    if (is_new && *keeper->shown.failure && now_us < keeper->until_us)
        return false;
    if (is_new)
        begin_breach_recording(keeper, now_us, breach, head, n);
    if (!keeper->tape)
        return true;
    note_breach(&keeper->misses[keeper->is_opening ? keeper->shown.count : keeper->shown.count - 1], breach);
    return is_new;
}

uint64_t keeper_deadline_ms(const struct keeper *keeper)
{
    if (!keeper->tape || keeper->is_opening) /* the writer wakes us when it is open */
        return UINT64_MAX;
    uint64_t over_ms = keeper->until_us / 1000 + 1, flush_ms = tape_deadline_ms(keeper->tape);
    return over_ms < flush_ms ? over_ms : flush_ms;
}

bool keeper_rest(struct keeper *keeper, uint64_t now_ms)
{
    struct error why;
    bool is_news = writer_take_failure(keeper->writer, &why);
    if (is_news)
        fail_breach_recording(keeper, now_ms * 1000, &why);
    is_news |= follow_opening(keeper, now_ms * 1000);
    if (!keeper->tape || (keeper->is_opening && !keeper->is_over))
        return is_news;
    if (keeper->is_over || now_ms * 1000 >= keeper->until_us) {
        end_breach_recording(keeper, now_ms * 1000);
    } else if (!tape_flush(keeper->tape, now_ms, &why)) {
        fail_breach_recording(keeper, now_ms * 1000, &why);
        end_breach_recording(keeper, now_ms * 1000);
    }
    return is_news || !keeper->tape;
}

void keeper_finish(struct keeper *keeper)
{
    bool waits = keeper->is_opening && tape_state(keeper->tape, NULL) == TAPE_OPENING;
    keeper->is_over = true;
    if (!keeper->tape || keeper->is_ended)
        return;
    if (!waits) {
        end_breach_recording(keeper, clock_monotonic_ns() / 1000);
        return;
    }
    tape_end(keeper->tape);
    keeper->is_ended = true;
}

void keeper_fini(struct keeper *keeper)
{
    keeper_finish(keeper);
    if (keeper->tape)
        end_breach_recording(keeper, clock_monotonic_ns() / 1000);
    backlog_fini(&keeper->backlog);
}
