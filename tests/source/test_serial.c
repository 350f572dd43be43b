/* test_serial.c - libserialport's ports, on a pty dressed as a USB adapter. Run by usb_namespace.sh.
 *
 * What a pty lacks is modem lines: the ioctl() below, which libserialport finds before the C library's,
 * answers for them. It has no baud rate to get wrong. */
#include "source/serial.h"

#include "pump.h"
#include "support/scarce.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pty.h>
#include <stdio.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <termios.h>

#define PORT "/dev/ttyUSB7"

/* Faults of the driver: a request that fails, after a number of successful ones, and speeds above the fastest. */
static unsigned long refused_request;
static unsigned before_refusal;
static int refused_code;
static uint32_t fastest;

enum { SPEEDS_SET = 0x402c542b, INPUT_SPEED = 36, OUTPUT_SPEED = 40 }; /* TCSETS2, and where it has them */

static void keep_below_fastest(uint8_t *settings)
{
    uint32_t speed;
    memcpy(&speed, settings + OUTPUT_SPEED, sizeof speed);
    if (fastest > 0 && speed > fastest) {
        memcpy(settings + INPUT_SPEED, &fastest, sizeof fastest);
        memcpy(settings + OUTPUT_SPEED, &fastest, sizeof fastest);
    }
}

int ioctl(int fd, unsigned long request, ...)
{
    static int (*real)(int, unsigned long, ...);
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (!real)
        real = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
    if (refused_request && request == refused_request && before_refusal > 0) {
        before_refusal--;
    } else if (refused_request && request == refused_request) {
        errno = refused_code;
        return -1;
    }
    if (request == SPEEDS_SET)
        keep_below_fastest(argument);
    int result = real(fd, request, argument);
    if (result == 0 || errno != ENOTTY)
        return result;
    switch (request) {
    case TIOCMGET: *(int *)argument = TIOCM_DTR | TIOCM_RTS | TIOCM_CTS | TIOCM_DSR | TIOCM_CAR; return 0;
    case TIOCMSET:
    case TIOCMBIS:
    case TIOCMBIC: return 0;
    default: return result;
    }
}

/* Plugs the adapter in; returns the other end of its wire. */
static int plug_in(void)
{
    int master, slave;
    char path[64];
    cr_assert_eq(openpty(&master, &slave, path, NULL, NULL), 0);
    close(slave);
    cr_assert_eq(symlink(path, PORT), 0, "%s", strerror(errno));
    return master;
}

static void unplug(int master)
{
    close(master);
    cr_assert_eq(unlink(PORT), 0);
}

Test(serial, libserialport_opens_the_port)
{
    int master = plug_in();
    struct serial *serial;
    int code = 0;
    cr_assert_eq(serial_open(PORT, 115200, &serial, &code), SERIAL_OPENED, "%s", strerror(code));
    cr_assert_eq(serial_baud(serial), 115200);
    serial_close(serial);
    unplug(master);
}

Test(serial, its_modem_lines_stay_as_they_are_when_it_is_closed)
{
    int master = plug_in();
    struct source *source = pump_new(PORT, 0);
    struct termios settings;
    struct error err = {""};
    cr_assert(source_open(source, &err), "%s", err.text);
    cr_assert(source_lines(source).known && source_lines(source).dtr && source_lines(source).rts);
    cr_assert(source_set_baud(source, 921600, &err), "%s", err.text);
    cr_assert_eq(tcgetattr(master, &settings), 0);
    cr_assert_not(settings.c_cflag & HUPCL, "libserialport sets it");
    source_free(source);
    unplug(master);
}

Test(serial, a_pty_by_its_own_name_is_refused)
{
    int master, slave, code = 0;
    char path[64];
    struct serial *serial;
    cr_assert_eq(openpty(&master, &slave, path, NULL, NULL), 0);
    cr_assert_eq(serial_open(path, 115200, &serial, &code), SERIAL_REFUSED);
    close(slave);
    close(master);
}

Test(serial, bytes_of_any_value_pass_both_ways_unchanged_at_another_rate_too)
{
    int master = plug_in();
    struct source *source = pump_new("serial:ttyUSB7", 0);
    struct error err = {""};
    uint8_t all[256], got[256];
    size_t n;
    for (int i = 0; i < 256; i++)
        all[i] = (uint8_t)i;
    cr_assert(source_open(source, &err), "%s", err.text);
    cr_assert_eq(source_baud(source), 115200);
    cr_assert(source_set_baud(source, 921600, &err), "%s", err.text);
    cr_assert_eq(source_baud(source), 921600);
    cr_assert_eq(write(master, all, 256), 256);
    cr_assert_eq(pump_read(source, got, 256, &n, &err), SOURCE_DATA, "%s", err.text);
    cr_assert_arr_eq(got, all, 256);
    cr_assert(source_write(source, all, 256, &err), "%s", err.text);
    pump_send(source);
    for (size_t have = 0; have < 256;) {
        ssize_t more = read(master, got + have, 256 - have);
        cr_assert_gt(more, 0);
        have += (size_t)more;
    }
    cr_assert_arr_eq(got, all, 256);
    source_free(source);
    unplug(master);
}

Test(serial, a_quiet_port_is_not_a_gone_one)
{
    int master = plug_in();
    struct source *source = pump_new(PORT, 0);
    struct error err = {""};
    uint8_t bytes[16];
    size_t n = 1;
    cr_assert(source_open(source, &err), "%s", err.text);
    cr_assert_eq(source_read(source, bytes, sizeof bytes, &n, &err), SOURCE_QUIET);
    cr_assert_eq(n, 0);
    source_free(source);
    unplug(master);
}

Test(serial, unplugging_is_noticed_at_once_and_the_port_comes_back_under_its_name)
{
    int master = plug_in();
    struct source *source = pump_new(PORT, 0);
    struct error err = {""};
    uint8_t bytes[16];
    size_t n;
    for (int turn = 0; turn < 3; turn++) {
        cr_assert(source_open(source, &err), "%s", err.text);
        cr_assert_eq(write(master, "hello", 5), 5);
        pump_expect(source, "hello");
        unplug(master);
        cr_assert_eq(pump_read(source, bytes, sizeof bytes, &n, &err), SOURCE_GONE);
        cr_assert(strstr(err.text, PORT) && strstr(err.text, "unplugged"), "%s", err.text);
        source_close(source);
        cr_assert_not(source_open(source, &err));
        cr_assert(strstr(err.text, "There is no " PORT), "%s", err.text);
        master = plug_in();
    }
    source_free(source);
    unplug(master);
}

Test(serial, two_of_us_cannot_have_one_port)
{
    int master = plug_in();
    struct source *first = pump_new(PORT, 0), *second = pump_new("ttyUSB7", 0);
    struct error err = {""};
    cr_assert(source_open(first, &err), "%s", err.text);
    cr_assert_not(source_open(second, &err));
    cr_assert(strstr(err.text, "Another program"), "%s", err.text);
    source_free(first);
    source_free(second);
    unplug(master);
}

Test(serial, a_busy_port_keeps_settings_and_pending_bytes)
{
    int master = plug_in();
    struct error err = {""};
    struct source *first = source_new(&(struct source_settings){.spec = PORT, .baud = 9600}, &err);
    struct source *second = pump_new(PORT, 0);
    cr_assert(source_open(first, &err), "%s", err.text);
    cr_assert(source_write(first, "hello", 5, &err), "%s", err.text);
    pump_send(first);
    cr_assert_not(source_open(second, &err));
    source_free(second);
    struct termios settings;
    cr_assert_eq(tcgetattr(master, &settings), 0);
    cr_assert_eq(cfgetospeed(&settings), B9600);
    char got[8];
    struct pollfd wait = {.fd = master, .events = POLLIN};
    cr_assert_eq(poll(&wait, 1, PUMP_PATIENCE_MS), 1, "what had been sent is gone");
    cr_assert_eq(read(master, got, sizeof got), 5);
    source_free(first);
    unplug(master);
}

Test(serial, an_unsupported_speed_is_reported_with_the_actual_one)
{
    int master = plug_in();
    struct source *source = pump_new(PORT, 0);
    struct error err = {""};
    cr_assert(source_open(source, &err), "%s", err.text);
    fastest = 500000;
    cr_assert_not(source_set_baud(source, 1234567, &err));
    cr_assert(strstr(err.text, "cannot run it at 1234567 baud, but at 500000"), "%s", err.text);
    cr_assert_eq(source_baud(source), 115200, "the one before stays");
    source_free(source);
    unplug(master);
}

Test(serial, a_port_without_modem_lines_is_opened_and_one_that_fails_is_not)
{
    int master = plug_in();
    struct source *source = pump_new(PORT, 0);
    struct error err = {""};
    refused_request = TIOCMGET;
    refused_code = EINVAL;
    cr_assert(source_open(source, &err), "%s", err.text);
    cr_assert_eq(write(master, "hello", 5), 5);
    pump_expect(source, "hello");
    source_close(source);
    refused_code = EIO;
    cr_assert_not(source_open(source, &err));
    cr_assert(strstr(err.text, PORT) && strstr(err.text, "cable"), "%s", err.text);
    source_free(source);
    unplug(master);
}

/* The plugged-in port in the list of ports. */
static struct source_port listed_port(void)
{
    struct source_port *ports, found = {""};
    size_t n;
    struct error err = {""};
    cr_assert(source_list_ports(&ports, &n, &err), "%s", err.text);
    for (size_t i = 0; i < n; i++)
        if (strcmp(ports[i].name, PORT) == 0)
            found = ports[i];
    free(ports);
    return found;
}

Test(serial, a_listed_port_has_escaped_descriptions)
{
    int master = plug_in();
    struct source_port port = listed_port();
    cr_assert_str_eq(port.name, PORT);
    cr_expect(port.has_usb_id && port.usb_vid == 0x0403 && port.usb_pid == 0x6001);
    cr_expect(strncmp(port.description, "Adapter", 7) == 0, "%s", port.description);
    cr_expect_str_eq(port.usb_serial, "A?[2J\xef\xbf\xbd"
                                      "7");
    unplug(master);
}

static bool has_no_folders;

DIR *opendir(const char *path)
{
    static DIR *(*real)(const char *);
    if (has_no_folders) {
        errno = EACCES;
        return NULL;
    }
    if (!real)
        real = (DIR * (*)(const char *)) dlsym(RTLD_NEXT, "opendir");
    return real(path);
}

Test(serial, a_failed_listing_gives_the_reason)
{
    struct source_port *ports;
    size_t n;
    struct error err = {""};
    has_no_folders = true;
    cr_assert_not(source_list_ports(&ports, &n, &err));
    cr_expect(strstr(err.text, "/sys/class/tty") && strstr(err.text, strerror(EACCES)), "%s", err.text);
    has_no_folders = false;
    scarce_begin(1);
    cr_assert_not(source_list_ports(&ports, &n, &err));
    cr_assert(scarce_end());
    cr_expect(strstr(err.text, "Out of memory"), "%s", err.text);
}

/* As /dev/serial/by-id/... has it. The device is a node of its own here, since a link to a pty ends there. */
Test(serial, a_link_to_it_is_followed_to_the_name_that_libserialport_knows)
{
    static const char link[] = "/dev/by-id";
    int master, slave, code = 0;
    char path[64];
    struct serial *serial;
    cr_assert_eq(openpty(&master, &slave, path, NULL, NULL), 0);
    close(slave);
    FILE *node = fopen(PORT, "we");
    cr_assert(node && fclose(node) == 0);
    cr_assert_eq(mount(path, PORT, NULL, MS_BIND, NULL), 0, "%s", strerror(errno));
    cr_assert_eq(symlink("ttyUSB7", link), 0);
    cr_assert_eq(serial_open(link, 115200, &serial, &code), SERIAL_OPENED, "%s", strerror(code));
    cr_expect_eq(serial_baud(serial), 115200);
    serial_close(serial);
    unlink(link);
    cr_expect_eq(serial_open(link, 115200, &serial, &code), SERIAL_REFUSED, "there is none");
    cr_assert_eq(umount(PORT), 0);
    unplug(master);
}

static int next_descriptor(void)
{
    int fd = dup(STDIN_FILENO);
    close(fd);
    return fd;
}

/* The cable goes while it is being opened. */
Test(serial, an_adapter_that_fails_at_any_point_of_opening_is_closed_again)
{
    int master = plug_in(), before = next_descriptor();
    unsigned seen[3] = {0}, after = 0;
    enum serial_result result;
    do {
        struct serial *serial;
        int code = 0;
        refused_request = TIOCMGET;
        refused_code = EIO;
        before_refusal = after++;
        result = serial_open(PORT, 115200, &serial, &code);
        seen[result]++;
        if (result == SERIAL_FAILED)
            cr_expect_eq(code, EIO);
        if (result == SERIAL_OPENED)
            serial_close(serial);
        cr_assert_eq(next_descriptor(), before, "after %u requests", after);
    } while (result != SERIAL_OPENED);
    cr_expect(seen[SERIAL_FAILED] > 0 && seen[SERIAL_REFUSED] > 3, "%u, %u", seen[SERIAL_FAILED],
              seen[SERIAL_REFUSED]);
    unplug(master);
}

/* Bytes received during a pulse belong to the program before the reset: they are not waited for. */
Test(serial, a_thread_that_reads_waits_until_a_pulse_has_ended)
{
    enum { PULSE_MS = 100 };
    int master = plug_in();
    struct error err = {""};
    struct source *source =
        source_new(&(struct source_settings){.spec = PORT, .baud = 115200, .rts = SOURCE_LINE_PULSE}, &err);
    cr_assert(source && source_read_ahead(source, 0, &err), "%s", err.text);
    uint64_t begin_ms = clock_monotonic_ms();
    cr_assert_eq(pump_open(source, &err), SOURCE_QUIET, "%s", err.text);
    cr_expect_geq(clock_monotonic_ms() - begin_ms, PULSE_MS - 1);
    cr_assert_eq(write(master, "hello", 5), 5);
    pump_expect(source, "hello");
    source_free(source);
    unplug(master);
}

Test(serial, a_speed_that_cannot_be_read_back_is_unknown)
{
    int master = plug_in(), code = 0;
    struct serial *serial;
    cr_assert_eq(serial_open(PORT, 115200, &serial, &code), SERIAL_OPENED);
    refused_request = TIOCMGET;
    refused_code = EIO;
    cr_expect_eq(serial_baud(serial), 0);
    refused_request = 0;
    cr_expect_eq(serial_baud(serial), 115200);
    serial_close(serial);
    unplug(master);
}

Test(serial, without_memory_it_is_not_opened_and_closed_again)
{
    int master = plug_in(), before = next_descriptor(), code = 0;
    struct serial *serial;
    scarce_begin(1);
    cr_expect_eq(serial_open(PORT, 115200, &serial, &code), SERIAL_FAILED);
    cr_assert(scarce_end());
    cr_expect_eq(code, ENOMEM);
    cr_expect_eq(next_descriptor(), before);
    unplug(master);
}
