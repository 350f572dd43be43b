/* test_lines.c - DTR and RTS of a port: their states when it is opened, and that a pty without them is not
 * changed. The ioctl() below gives a pty such lines, as Linux sets them at each opening. */
#include "pump.h"

#include <dlfcn.h>
#include <errno.h>
#include <pty.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <termios.h>

static bool has_lines = true;
static int lines;          /* as they are */
static int seen[16];       /* what they were set to, ... */
static uint64_t at_ms[16]; /* ... and when */
static size_t seen_n;

int ioctl(int fd, unsigned long request, ...)
{
    static int (*real)(int, unsigned long, ...);
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (!real)
        real = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
    if (!has_lines || (request != TIOCMGET && request != TIOCMSET))
        return real(fd, request, argument);
    if (request == TIOCMGET) {
        *(int *)argument = lines;
        return 0;
    }
    lines = *(int *)argument;
    cr_assert_lt(seen_n, 16);
    at_ms[seen_n] = clock_monotonic_ms();
    seen[seen_n++] = lines & (TIOCM_DTR | TIOCM_RTS);
    return 0;
}

struct device {
    int master;
    char path[64];
};

static struct device device_plug_in(void)
{
    struct device device;
    int slave;
    struct termios settings;
    cr_assert_eq(openpty(&device.master, &slave, device.path, NULL, NULL), 0);
    cr_assert_eq(tcgetattr(slave, &settings), 0);
    settings.c_cflag |= HUPCL; /* as a fresh serial port has it */
    cr_assert_eq(tcsetattr(slave, TCSANOW, &settings), 0);
    close(slave);
    return device;
}

/* Opens the port and closes it, with a byte passed in between. */
static struct source_lines pass(struct device *device, enum source_line dtr, enum source_line rts)
{
    struct error err = {""};
    struct source *source = source_new(
        &(struct source_settings){.spec = device->path, .baud = 115200, .dtr = dtr, .rts = rts}, &err);
    cr_assert_not_null(source, "%s", err.text);
    lines = TIOCM_DTR | TIOCM_RTS | TIOCM_CTS;
    seen_n = 0;
    cr_assert_eq(pump_open(source, &err), SOURCE_QUIET, "%s", err.text);
    struct source_lines told = source_lines(source);
    cr_assert_eq(write(device->master, "x", 1), 1);
    pump_expect(source, "x");
    source_close(source);
    cr_assert_not(source_lines(source).known, "a closed port has none");
    source_free(source);
    return told;
}

Test(lines, lines_are_only_changed_on_request_and_are_reported)
{
    struct device device = device_plug_in();
    struct source_lines told = pass(&device, SOURCE_LINE_KEEP, SOURCE_LINE_KEEP);
    cr_assert(told.known && told.dtr && told.rts);
    cr_assert_eq(seen_n, 0);
    told = pass(&device, SOURCE_LINE_ON, SOURCE_LINE_ON);
    cr_assert_eq(seen_n, 0, "they are on");
    struct termios settings;
    cr_assert_eq(tcgetattr(device.master, &settings), 0);
    cr_assert_not(settings.c_cflag & HUPCL, "closing the port would switch them off");
    close(device.master);
}

Test(lines, are_switched_off_in_one_step)
{
    struct device device = device_plug_in();
    struct source_lines told = pass(&device, SOURCE_LINE_OFF, SOURCE_LINE_OFF);
    cr_assert(told.known && !told.dtr && !told.rts);
    cr_assert(seen_n == 1 && seen[0] == 0, "one after the other resets an ESP32");
    cr_assert(lines & TIOCM_CTS, "others stay");
    told = pass(&device, SOURCE_LINE_OFF, SOURCE_LINE_KEEP);
    cr_assert(told.known && !told.dtr && told.rts);
    cr_assert(seen_n == 1 && seen[0] == TIOCM_RTS);
    close(device.master);
}

Test(lines, are_pulsed_at_each_opening_before_anything_is_read)
{
    struct device device = device_plug_in();
    for (int times = 0; times < 2; times++) {
        struct source_lines told = pass(&device, SOURCE_LINE_PULSE, SOURCE_LINE_KEEP);
        cr_assert(told.known && told.dtr && told.rts);
        cr_assert_eq(seen_n, 2);
        cr_assert(seen[0] == TIOCM_RTS && seen[1] == (TIOCM_DTR | TIOCM_RTS));
        cr_assert_geq(at_ms[1] - at_ms[0], 99);
    }
    pass(&device, SOURCE_LINE_OFF, SOURCE_LINE_PULSE);
    cr_assert(seen_n == 2 && seen[0] == 0 && seen[1] == TIOCM_RTS);
    close(device.master);
}

Test(lines, lines_of_a_reader_thread_are_pulsed_without_blocking)
{
    struct device device = device_plug_in();
    struct error err = {""};
    struct source *source = source_new(
        &(struct source_settings){.spec = device.path, .baud = 115200, .dtr = SOURCE_LINE_PULSE}, &err);
    cr_assert(source_read_ahead(source, 0, &err), "%s", err.text);
    lines = TIOCM_DTR | TIOCM_RTS;
    cr_assert_eq(write(device.master, "boot", 4), 4);
    cr_assert_eq(pump_open(source, &err), SOURCE_QUIET, "%s", err.text);
    cr_assert_eq(seen_n, 2);
    pump_expect(source, "boot");
    source_free(source);
    close(device.master);
}

Test(lines, missing_lines_of_a_pty_are_no_failure)
{
    struct device device = device_plug_in();
    has_lines = false;
    cr_assert_not(pass(&device, SOURCE_LINE_OFF, SOURCE_LINE_PULSE).known);
    cr_assert_not(pass(&device, SOURCE_LINE_KEEP, SOURCE_LINE_KEEP).known);
    cr_assert_eq(seen_n, 0);
    close(device.master);
}

Test(lines, are_for_serial_ports_only)
{
    static const char *const specs[] = {"file:run.bin", "-", "tcp:localhost:1", "unix:/tmp/x"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        struct error err = {""};
        cr_assert_null(source_new(
            &(struct source_settings){.spec = specs[i], .baud = 9600, .rts = SOURCE_LINE_OFF}, &err));
        cr_assert(strstr(err.text, "--dtr and --rts are for serial ports") && strstr(err.text, specs[i]),
                  "%s", err.text);
    }
}

Test(lines, belong_to_serial_ports_here_and_elsewhere)
{
    static const char *const without[] = {"-", "file:x", "tcp:localhost:1", "unix:/tmp/x"};
    static const char *const with[] = {"ttyACM0", "/dev/ttyUSB1", "serial:COM3", "rfc2217:host:1"};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        cr_expect(!source_has_lines(without[i]) && source_has_lines(with[i]), "%s, %s", without[i], with[i]);
}

Test(lines, have_states_with_names)
{
    enum source_line line = SOURCE_LINE_KEEP;
    cr_assert(source_line_named("pulse", &line) && line == SOURCE_LINE_PULSE);
    cr_assert(source_line_named("keep", &line) && line == SOURCE_LINE_KEEP);
    cr_assert(source_line_named("off", &line) && line == SOURCE_LINE_OFF);
    cr_assert(source_line_named("on", &line) && line == SOURCE_LINE_ON);
    cr_assert_not(source_line_named("", &line));
    cr_assert_not(source_line_named("On", &line));
}
