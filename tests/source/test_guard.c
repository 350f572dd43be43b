/* test_guard.c - changes by another program to the settings of an open port, one setting at a time, and ports whose
 * settings cannot be read. */
#include "source/guard.h"

#include "support/scarce.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A pty that is guarded, and the settings that it had then. <pty.h> has another struct termios than the
 * kernel's that guard.h takes. */
struct post {
    int master, slave;
    char path[64];
    struct source_settings settings;
    struct guard guard;
    struct termios2 before;
};

static void post_init(struct post *post)
{
    *post = (struct post){.settings = {.spec = "port"}};
    post->master = posix_openpt(O_RDWR | O_NOCTTY);
    cr_assert(post->master >= 0 && grantpt(post->master) == 0 && unlockpt(post->master) == 0);
    cr_assert_eq(ptsname_r(post->master, post->path, sizeof post->path), 0);
    post->slave = open(post->path, O_RDWR | O_NOCTTY);
    cr_assert_eq(ioctl(post->slave, TCGETS2, &post->before), 0);
    post->before.c_iflag = post->before.c_oflag = post->before.c_lflag = 0;
    cr_assert_eq(ioctl(post->slave, TCSETS2, &post->before), 0);
    cr_assert_eq(ioctl(post->slave, TCGETS2, &post->before), 0);
    guard_begin(&post->guard, post->slave, post->path, &post->settings);
}

static void post_fini(struct post *post)
{
    guard_end(&post->guard);
    close(post->slave);
    close(post->master);
}

static void set(const struct post *post, const struct termios2 *settings)
{
    cr_assert_eq(ioctl(post->master, TCSETS2, settings), 0);
}

static bool has_settings(const struct post *post, const struct termios2 *settings)
{
    struct termios2 now;
    cr_assert_eq(ioctl(post->slave, TCGETS2, &now), 0);
    return now.c_iflag == settings->c_iflag && now.c_oflag == settings->c_oflag &&
           now.c_lflag == settings->c_lflag && now.c_cflag == settings->c_cflag &&
           now.c_ospeed == settings->c_ospeed && now.c_cc[VMIN] == settings->c_cc[VMIN] &&
           now.c_cc[VTIME] == settings->c_cc[VTIME];
}

Test(guard, each_setting_that_changes_bytes_or_when_they_come_is_put_back_and_named)
{
    struct post post;
    post_init(&post);
    struct termios2 foreign[8];
    const char *const names[] = {"text",
                                 "other line settings",
                                 "text",
                                 "other line settings",
                                 "other line settings",
                                 "9600 baud, from 38400",
                                 "other line",
                                 "other line"};
    post_fini(&post);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        struct error remark = {""};
        post_init(&post);
        foreign[i] = post.before;
        switch (i) {
        case 0: foreign[i].c_iflag |= ICRNL; break;
        case 1: foreign[i].c_oflag |= OPOST; break;
        case 2: foreign[i].c_lflag |= ICANON; break;
        case 3: foreign[i].c_lflag |= ECHO; break;
        case 4: foreign[i].c_cflag |= CSTOPB; break;
        case 5:
            foreign[i].c_cflag = (foreign[i].c_cflag & ~(tcflag_t)CBAUD) | BOTHER;
            foreign[i].c_ispeed = foreign[i].c_ospeed = 9600;
            break;
        case 6: foreign[i].c_cc[VMIN]++; break;
        case 7: foreign[i].c_cc[VTIME]++; break;
        }
        set(&post, &foreign[i]);
        cr_assert(guard_look(&post.guard, false, &remark), "change %zu", i);
        cr_expect(strstr(remark.text, names[i]) && strstr(remark.text, "were put back"), "change %zu: %s", i,
                  remark.text);
        cr_expect(has_settings(&post, &post.before), "change %zu", i);
        int wait_ms = guard_timeout_ms(&post.guard);
        cr_expect(wait_ms >= 0 && wait_ms <= 500, "it looks again");
        char said[sizeof remark.text];
        strcpy(said, remark.text);
        cr_expect_not(guard_look(&post.guard, false, &remark), "that is reported once");
        cr_expect_str_eq(remark.text, said);
        post_fini(&post);
    }
}

Test(guard, harmless_changes_are_not_reverted)
{
    struct post post;
    struct error remark = {""};
    post_init(&post);
    struct termios2 harmless = post.before;
    harmless.c_cflag ^= HUPCL;
    set(&post, &harmless);
    cr_expect_not(guard_look(&post.guard, false, &remark));
    cr_expect_str_eq(remark.text, "");
    cr_expect(has_settings(&post, &harmless));
    cr_expect_eq(guard_timeout_ms(&post.guard), -1, "nothing is wrong");
    post_fini(&post);
}

Test(guard, settings_that_cannot_be_restored_are_reported_as_such)
{
    struct post post;
    struct error remark = {""};
    post_init(&post);
    struct termios2 foreign = post.before;
    foreign.c_iflag |= ICRNL;
    set(&post, &foreign);
    scarce_fail("ioctl", 2, EIO); /* they are read, and then written */
    cr_assert(guard_look(&post.guard, false, &remark));
    cr_expect(strstr(remark.text, "cannot be put back"), "%s", remark.text);
    cr_expect(has_settings(&post, &foreign));
    cr_assert(guard_look(&post.guard, false, &remark), "it is tried again");
    cr_expect(strstr(remark.text, "were put back"), "%s", remark.text);
    cr_expect(has_settings(&post, &post.before));
    set(&post, &foreign);
    cr_assert(guard_look(&post.guard, false, &remark));
    cr_expect(strstr(remark.text, "again: its settings were put back once"), "%s", remark.text);
    cr_expect(has_settings(&post, &foreign), "two programs that fight make the line useless");
    post_fini(&post);
}

Test(guard, a_port_with_unreadable_settings_is_not_guarded)
{
    struct post post;
    struct error remark = {""};
    post_init(&post);
    struct termios2 foreign = post.before;
    foreign.c_iflag |= ICRNL;

    scarce_fail("ioctl", 1, EIO);
    cr_expect_not(guard_look(&post.guard, false, &remark), "once");
    scarce_fail("ioctl", 1, EIO);
    guard_adopt_baud(&post.guard);
    cr_expect_eq(post.guard.wanted.c_ospeed, post.before.c_ospeed);

    scarce_fail("ioctl", 1, EIO);
    guard_begin(&post.guard, post.slave, post.path, &post.settings);
    set(&post, &foreign);
    guard_adopt_baud(&post.guard);
    cr_expect_not(guard_look(&post.guard, false, &remark));
    cr_expect_str_eq(remark.text, "");
    cr_expect_eq(guard_timeout_ms(&post.guard), -1);
    cr_expect(has_settings(&post, &foreign));
    post_fini(&post);
}
