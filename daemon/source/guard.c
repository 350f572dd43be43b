/* guard.c - watches an open port that another program may use, too. */
#include "source/guard.h"

#include "base/clock.h"
#include "source/control_lines.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

/* Settings are restored once per PUT_BACK_MS; changes by a program that has ended are reported for TELL_MS. */
enum { LOOK_MS = 500, PUT_BACK_MS = 600 * 1000, TELL_MS = 60 * 1000 };

/* Control flags of the rate are left out, since rates are compared as numbers; HUPCL does no harm. */
enum { NO_MATTER = CBAUD | CBAUD << IBSHIFT | HUPCL };

static bool settings_differ(const struct termios2 *a, const struct termios2 *b)
{
    return a->c_iflag != b->c_iflag || a->c_oflag != b->c_oflag || a->c_lflag != b->c_lflag ||
           ((a->c_cflag ^ b->c_cflag) & ~(tcflag_t)NO_MATTER) || a->c_ospeed != b->c_ospeed ||
           a->c_cc[VMIN] != b->c_cc[VMIN] || a->c_cc[VTIME] != b->c_cc[VTIME];
}

void guard_begin(struct guard *guard, int fd, const char *path, const struct source_settings *settings)
{
    *guard = (struct guard){.fd = fd, .path = path, .settings = settings};
    if (ioctl(fd, TCGETS2, &guard->wanted) < 0)
        guard->fd = -1; /* a port whose settings cannot be read cannot be guarded */
    else
        rivals_watch(true);
}

void guard_end(struct guard *guard)
{
    if (guard->fd >= 0)
        rivals_watch(false);
    guard->fd = -1;
}

void guard_adopt_baud(struct guard *guard)
{
    struct termios2 now;
    const tcflag_t rate = CBAUD | CBAUD << IBSHIFT;
    if (guard->fd < 0 || ioctl(guard->fd, TCGETS2, &now) < 0)
        return;
    guard->wanted.c_cflag = (guard->wanted.c_cflag & ~rate) | (now.c_cflag & rate);
    guard->wanted.c_ispeed = now.c_ispeed;
    guard->wanted.c_ospeed = now.c_ospeed;
}

/* Describes the change, for a sentence: the rate, if it differs. */
static void describe_line_change(const struct termios2 *now, const struct termios2 *wanted, char *out,
                                 size_t size)
{
    const tcflag_t text = ICRNL | INLCR | IGNCR | ISTRIP | IXON | IXOFF;
    if (now->c_ospeed != wanted->c_ospeed)
        snprintf(out, size, "%u baud, from %u", now->c_ospeed, wanted->c_ospeed);
    else if ((now->c_lflag & ICANON) || (now->c_iflag & text))
        snprintf(out, size, "text, which changes bytes on their way");
    else
        snprintf(out, size, "other line settings");
}

static void write_name(const struct rival *rival, char *out, size_t size)
{
    if (rival->process)
        snprintf(out, size, "Another program, %s (process %d),", rival->name, (int)rival->process);
    else
        snprintf(out, size, "Another program");
}

static void report_setter(const struct guard *guard, const struct termios2 *now, struct error *remark)
{
    char who[64], what[64];
    write_name(guard->is_foreign || guard->was_put_back ? &guard->setter : &guard->rival, who, sizeof who);
    describe_line_change(now, &guard->wanted, what, sizeof what);
    if (guard->is_foreign && !guard->put_back_ms)
        error_set(remark,
                  "%s has set %s to %s, and the settings cannot be put back. End that program, then start "
                  "miniprofd again.",
                  who, guard->path, what);
    else if (guard->is_foreign)
        error_set(remark,
                  "%s has set %s to %s, again: its settings were put back once, and are not before ten "
                  "minutes have passed. End that program, then start miniprofd again.",
                  who, guard->path, what);
    else if (guard->was_put_back)
        error_set(remark, "%s had set %s to %s; the settings were put back. End that program.", who,
                  guard->path, what);
    else if (guard->rivals > 0)
        error_set(remark,
                  "%s has %s open, too: bytes may be missing here, since it may read them. End that program.",
                  who, guard->path);
    else if (rivals_are_lost())
        error_set(
            remark,
            "The process that looks for other programs at %s (mp-rivals) has ended, so they are no longer "
            "reported. Start miniprofd again.",
            guard->path);
    else
        *remark = (struct error){""};
}

/* Restores the settings, unless that was done a short time ago, or the port refuses. */
static void put_back(struct guard *guard, uint64_t now_ms)
{
    guard->is_foreign = true;
    if (guard->put_back_ms && now_ms - guard->put_back_ms < PUT_BACK_MS)
        return;
    if (ioctl(guard->fd, TCSETS2, &guard->wanted) < 0)
        return;
    guard->put_back_ms = now_ms;
    guard->was_put_back = true;
    guard->is_foreign = false;
}

static void take_news(struct guard *guard, uint64_t now_ms)
{
    struct rivals_news news;
    while (rivals_take(&news)) {
        /* A rival known before did not open it just now: another program did, and has closed it again. */
        bool is_known = news.rival.process == guard->rival.process;
        guard->is_alone = news.count == 1 && !(news.was_opened && is_known);
        if (news.rival.process || news.is_settled)
            guard->rival = news.rival;
        if (news.is_settled)
            guard->rivals = news.count;
        if (news.was_opened) /* opening switched the modem lines on */
            lines_keep_off(guard->fd, guard->settings);
        guard->told_ms = now_ms;
    }
    if (rivals_are_lost()) { /* the number of rivals is no longer known */
        guard->rivals = 0;
        guard->is_alone = false;
    }
}

bool guard_look(struct guard *guard, bool has_bytes, struct error *remark)
{
    struct termios2 now;
    struct error said;
    uint64_t now_ms = clock_monotonic_ms();
    if (guard->fd < 0 || (has_bytes && now_ms - guard->looked_ms < LOOK_MS))
        return false;
    guard->looked_ms = now_ms;
    take_news(guard, now_ms);
    if (ioctl(guard->fd, TCGETS2, &now) < 0)
        return false;
    bool differ = settings_differ(&now, &guard->wanted);
    if (differ && !guard->is_foreign)
        guard->setter = guard->is_alone ? guard->rival : (struct rival){.process = 0};
    if (!differ && guard->rivals == 0 && now_ms - guard->told_ms >= TELL_MS) {
        guard->was_put_back = false;
        guard->rival.process = guard->setter.process = 0;
    }
    if (differ)
        guard->told_ms = now_ms;
    guard->is_foreign = false;
    if (differ)
        put_back(guard, now_ms);
    /* A report on restored settings keeps its text, even if the rivals change. */
    if (!differ && guard->was_put_back)
        return false;
    report_setter(guard, &now, &said);
    bool is_new = strcmp(said.text, remark->text) != 0;
    *remark = said;
    return is_new;
}

int guard_timeout_ms(const struct guard *guard)
{
    bool is_wrong = guard->fd >= 0 && (guard->rivals > 0 || guard->is_foreign || guard->was_put_back);
    if (!is_wrong)
        return -1;
    uint64_t passed_ms = clock_monotonic_ms() - guard->looked_ms;
    return passed_ms < LOOK_MS ? (int)(LOOK_MS - passed_ms) : 0;
}
