/* test_port.c - terminals, on ptys: reading, writing, other programs at the port, and unplugging. */
#include "source/port.h"
#include "source/tty.h"

#include "pump.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pty.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <termios.h>

struct device {
    int master;
    char path[64];
};

static struct device device_plug_in(void)
{
    struct device device;
    int slave;
    cr_assert_eq(openpty(&device.master, &slave, device.path, NULL, NULL), 0);
    close(slave);
    return device;
}

Test(port, bytes_of_any_value_pass_both_ways_unchanged)
{
    struct device device = device_plug_in();
    struct source *source = pump_new(device.path, 0);
    struct error err;
    cr_assert(source_open(source, &err));
    uint8_t all[256], got[256];
    size_t n;
    for (int i = 0; i < 256; i++)
        all[i] = (uint8_t)i;
    cr_assert_eq(write(device.master, all, 256), 256);
    cr_assert_eq(pump_read(source, got, 256, &n, &err), SOURCE_DATA);
    cr_assert_arr_eq(got, all, 256);

    cr_assert(source_write(source, all, 200, &err));
    pump_send(source);
    for (size_t have = 0; have < 200;) {
        ssize_t more = read(device.master, got + have, 256 - have);
        cr_assert_gt(more, 0);
        have += (size_t)more;
    }
    cr_assert_arr_eq(got, all, 200);
    source_free(source);
    close(device.master);
}

Test(port, a_quiet_terminal_is_not_a_gone_one)
{
    struct device device = device_plug_in();
    struct source *source = pump_new(device.path, 0);
    struct error err;
    uint8_t bytes[16];
    size_t n = 1;
    cr_assert(source_open(source, &err));
    cr_assert_eq(source_read(source, bytes, sizeof bytes, &n, &err), SOURCE_QUIET);
    cr_assert_eq(n, 0);
    source_free(source);
    close(device.master);
}

/* Changes the port's settings as another program, and reads bytes until that is reported. */
static void set_by_another(struct device *device, struct source *source, speed_t speed, const char *says)
{
    struct termios settings;
    struct error err;
    char before[sizeof err.text];
    uint8_t byte;
    size_t n;
    snprintf(before, sizeof before, "%s", source_remark(source));
    int other = open(device->path, O_RDWR | O_NOCTTY | O_NONBLOCK);
    cr_assert_eq(tcgetattr(other, &settings), 0);
    cfsetispeed(&settings, speed);
    cfsetospeed(&settings, speed);
    cr_assert_eq(tcsetattr(other, TCSANOW, &settings), 0);
    close(other);
    while (strcmp(source_remark(source), before) == 0) {
        cr_assert_eq(write(device->master, "x", 1), 1);
        cr_assert_eq(pump_read(source, &byte, 1, &n, &err), SOURCE_DATA);
    }
    cr_assert(strstr(source_remark(source), says), "%s", source_remark(source));
}

Test(port, settings_that_another_program_changes_are_put_back_once_while_bytes_come)
{
    struct device device = device_plug_in();
    struct source *source = pump_new(device.path, 0);
    struct error err = {""};
    cr_assert(source_open(source, &err), "%s", err.text);
    cr_assert_str_eq(source_remark(source), "");
    set_by_another(&device, source, B9600, "to 9600 baud, from 115200; the settings were put back");
    cr_assert_eq(source_baud(source), 115200);
    cr_assert(source_set_baud(source, 230400, &err), "%s", err.text);
    set_by_another(&device, source, B1200, "to 1200 baud, from 230400, again");
    cr_assert(source_set_baud(source, 115200, &err), "%s", err.text);
    source_close(source);
    cr_assert_str_eq(source_remark(source), "");
    source_free(source);
    close(device.master);
}

Test(port, a_changed_speed_is_reset_when_the_port_reopens)
{
    struct device device = device_plug_in();
    struct error err = {""};
    struct source *source = source_new(&(struct source_settings){.spec = device.path, .baud = 115200}, &err);
    cr_assert_not(source_set_baud(source, 921600, &err), "it is not open");
    cr_assert(source_open(source, &err), "%s", err.text);
    uint8_t bytes[8];
    size_t n;
    cr_assert_eq(write(device.master, "before", 6), 6);
    cr_assert(source_set_baud(source, 1234567, &err), "%s", err.text);
    cr_assert_eq(source_baud(source), 1234567);
    cr_assert_eq(pump_read(source, bytes, 6, &n, &err), SOURCE_DATA, "what had come stays");
    cr_assert_arr_eq(bytes, "before", 6);
    source_close(source);
    cr_assert(source_open(source, &err));
    cr_assert_eq(source_baud(source), 115200);
    source_free(source);
    close(device.master);
}

Test(port, any_speed_is_set_and_read_back)
{
    static const uint32_t speeds[] = {9600, 115200, 250000, 921600, 1234567, 12000000};
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
        struct device device = device_plug_in();
        struct error err = {""};
        struct source *source =
            source_new(&(struct source_settings){.spec = device.path, .baud = speeds[i]}, &err);
        cr_assert_eq(source_baud(source), 0);
        cr_assert(source_open(source, &err), "%s", err.text);
        cr_assert_eq(source_baud(source), speeds[i]);
        source_free(source);
        close(device.master);
    }
}

Test(port, unplugging_gives_an_error)
{
    struct device device = device_plug_in();
    struct source *source = pump_new(device.path, 0);
    struct error err = {""};
    cr_assert(source_open(source, &err));
    cr_assert_eq(write(device.master, "last", 4), 4);
    pump_expect(source, "last");
    close(device.master);
    uint8_t bytes[64];
    size_t n;
    cr_assert_eq(pump_read(source, bytes, sizeof bytes, &n, &err), SOURCE_GONE);
    cr_assert(strstr(err.text, device.path) && strstr(err.text, "unplugged"), "%s", err.text);
    source_close(source);
    cr_assert_not(source_is_open(source));
    source_free(source);
}

Test(port, a_missing_port_is_reported)
{
    struct source *source = pump_new("/dev/ttyNONE0", 0);
    struct error err = {""};
    cr_assert_not(source_open(source, &err));
    cr_assert(strstr(err.text, "/dev/ttyNONE0") && strstr(err.text, "plug"), "%s", err.text);
    source_free(source);
}

Test(port, two_of_us_cannot_have_one_port)
{
    struct device device = device_plug_in();
    struct source *first = pump_new(device.path, 0), *second = pump_new(device.path, 0);
    struct error err = {""};
    cr_assert(source_open(first, &err));
    cr_assert_not(source_open(second, &err));
    cr_assert(strstr(err.text, "Another program") && strstr(err.text, device.path), "%s", err.text);
    source_close(first);
    cr_assert(source_open(second, &err), "%s", err.text);
    source_free(first);
    source_free(second);
    close(device.master);
}

/* A process of root could open it all the same, and would set it and drop what was not sent yet. */
Test(port, a_busy_port_keeps_settings_and_pending_bytes)
{
    struct device device = device_plug_in();
    struct error err = {""};
    struct source *first = source_new(&(struct source_settings){.spec = device.path, .baud = 9600}, &err);
    struct source *second = pump_new(device.path, 0);
    cr_assert(source_open(first, &err), "%s", err.text);
    cr_assert(source_write(first, "hello", 5, &err), "%s", err.text);
    pump_send(first);
    int fd = open(device.path, O_RDWR | O_NOCTTY);
    struct termios before, after;
    cr_assert_eq(tcgetattr(fd, &before), 0);
    before.c_cflag |= CSTOPB;
    cr_assert_eq(tcsetattr(fd, TCSANOW, &before), 0);

    for (int i = 0; i < 2; i++)
        cr_assert_not(source_open(second, &err));
    source_free(second);
    cr_assert_eq(tcgetattr(fd, &after), 0);
    cr_assert_eq(tty_baud(fd), 9600);
    cr_assert_eq(after.c_cflag, before.c_cflag);
    cr_assert_eq(after.c_iflag, before.c_iflag);
    char got[8];
    struct pollfd wait = {.fd = device.master, .events = POLLIN};
    cr_assert_eq(poll(&wait, 1, PUMP_PATIENCE_MS), 1, "what had been sent is gone");
    cr_assert_eq(read(device.master, got, sizeof got), 5);
    source_free(first);
    close(fd);
    close(device.master);
}

Test(port, a_port_is_found_through_a_symbolic_link)
{
    struct device device = device_plug_in();
    struct pump_folder folder = pump_folder_new();
    char link[128];
    snprintf(link, sizeof link, "%s/board", folder.path);
    cr_assert_eq(symlink(device.path, link), 0);
    struct source *source = pump_new(link, 0);
    struct error err = {""};
    cr_assert(source_open(source, &err), "%s", err.text);
    cr_assert_eq(write(device.master, "hello", 5), 5);
    pump_expect(source, "hello");
    source_free(source);
    close(device.master);
    unlink(link);
    rmdir(folder.path);
}

Test(port, output_to_a_stuck_terminal_is_buffered_up_to_a_limit)
{
    struct device device = device_plug_in();
    struct source *source = pump_new(device.path, 0);
    struct error err = {""};
    cr_assert(source_open(source, &err));
    /* The other end reads nothing, so the kernel's buffer fills up, then ours. */
    uint8_t command[12] = {0x55};
    size_t sent = 0;
    while (source_write(source, command, sizeof command, &err))
        cr_assert_lt(sent += sizeof command, 1 << 20);
    cr_assert(pump_is_sending(source));
    cr_assert(strstr(err.text, "has not taken"), "%s", err.text);

    /* It reads again: every byte of every command arrives, none twice. */
    uint8_t sink[4096];
    size_t received = 0;
    while (received < sent) {
        struct pollfd wait = {.fd = device.master, .events = POLLIN};
        if (poll(&wait, 1, pump_is_sending(source) ? 0 : PUMP_PATIENCE_MS) > 0) {
            ssize_t got = read(device.master, sink, sizeof sink);
            cr_assert_gt(got, 0);
            for (ssize_t i = 0; i < got; i++, received++)
                cr_assert_eq(sink[i], received % sizeof command == 0 ? 0x55 : 0);
        }
        size_t n;
        source_read(source, sink, sizeof sink, &n, &err);
    }
    cr_assert_eq(received, sent);
    cr_assert_not(pump_is_sending(source));
    source_free(source);
    close(device.master);
}

Test(port, no_descriptor_stays_open_after_close)
{
    struct device device = device_plug_in();
    int before = dup(device.master);
    close(before);
    struct source *source = pump_new(device.path, 0);
    struct error err = {""};
    for (int i = 0; i < 3; i++) {
        cr_assert(source_open(source, &err), "%s", err.text);
        source_close(source);
        source_close(source);
    }
    source_free(source);
    int after = dup(device.master);
    close(after);
    cr_assert_eq(after, before);
    close(device.master);
}

Test(port, a_file_in_place_of_a_port_is_pointed_out_at_once)
{
    struct pump_folder folder = pump_folder_new();
    char path[128];
    snprintf(path, sizeof path, "%s/capture.bin", folder.path);
    close(open(path, O_WRONLY | O_CREAT, 0600));
    struct error err = {""};
    cr_assert_null(source_new(&(struct source_settings){.spec = path, .baud = 115200}, &err));
    cr_assert(strstr(err.text, "file:"), "%s", err.text);
    unlink(path);
    rmdir(folder.path);
}

Test(port, a_device_that_is_no_terminal_is_refused)
{
    struct source *source = pump_new("/dev/null", 0);
    struct error err = {""};
    cr_assert_not(source_open(source, &err));
    cr_assert(strstr(err.text, "no serial port or terminal"), "%s", err.text);
    source_free(source);
}

/* Root may open anything, so the error is requested directly. */
Test(port, a_denied_port_names_the_group_to_join)
{
    struct pump_folder folder = pump_folder_new();
    char path[128], command[128];
    snprintf(path, sizeof path, "%s/ttyX", folder.path);
    close(open(path, O_WRONLY | O_CREAT, 0600));
    struct error err = {""};
    cr_assert_not(port_error_open(&err, path, EACCES));
    cr_assert(strstr(err.text, "ask its owner"), "the group may not open it either: %s", err.text);

    cr_assert_eq(chmod(path, 0640), 0);
    cr_assert_not(port_error_open(&err, path, EACCES));
    cr_assert(strstr(err.text, "ask its owner"), "the group may only read: %s", err.text);

    cr_assert_eq(chmod(path, 0660), 0);
    cr_assert_not(port_error_open(&err, path, EACCES));
    snprintf(command, sizeof command, "usermod -aG %s $USER", getgrgid(getgid())->gr_name);
    cr_assert(strstr(err.text, command) && strstr(err.text, "log"), "%s", err.text);
    unlink(path);
    rmdir(folder.path);
}

Test(port, each_failure_has_its_own_error)
{
    static const struct {
        int code;
        const char *says;
    } cases[] = {{ENOENT, "plug"},         {ENODEV, "plug"},           {ENXIO, "plug"},
                 {EACCES, "may not open"}, {EPERM, "may not open"},    {EBUSY, "Another"},
                 {EWOULDBLOCK, "Another"}, {ENOTTY, "no serial port"}, {EIO, "cable"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error err = {""};
        cr_assert_not(port_error_open(&err, "/dev/ttyX", cases[i].code));
        cr_assert(strstr(err.text, "/dev/ttyX") && strstr(err.text, cases[i].says), "%s", err.text);
    }
}

Test(port, a_port_is_missing_while_its_name_is)
{
    struct device device = device_plug_in();
    struct source *gone = pump_new("/dev/ttyNONE0", 0), *there = pump_new(device.path, 0),
                  *other = pump_new("tcp:127.0.0.1:9", 0);
    cr_assert(source_is_missing(gone));
    cr_assert_not(source_is_missing(there));
    cr_assert_not(source_is_missing(other), "only ports can be");
    cr_assert_not(source_reads_file(there, device.path));
    source_free(gone);
    source_free(there);
    source_free(other);
    close(device.master);
}
