/* serial.c - serial ports through libserialport, and the list of ports.
 *
 * The library is used only to open, configure and list ports. Its blocking reads return 0 both for "nothing
 * yet" and for "unplugged", and use a whole core meanwhile, so bytes are read from the descriptor instead. */
#include "source/serial.h"

#include "base/text.h"
#include "source/source.h"

#include <errno.h>
#include <libserialport.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

struct serial {
    struct sp_port *port;
    int fd;
};

/* The library knows ports by device name, not by that of a link (/dev/serial/by-id/...). */
static struct sp_port *port_by_path(const char *path)
{
    struct sp_port *port = NULL;
    if (sp_get_port_by_name(path, &port) == SP_OK)
        return port;
    char *device = realpath(path, NULL);
    if (device && sp_get_port_by_name(device, &port) != SP_OK)
        port = NULL;
    free(device);
    return port;
}

/* Drivers silently replace a speed that they do not support: the caller reads it back. */
static bool configure_serial_port(struct sp_port *port, uint32_t baud)
{
    /* The speed is set last, and the result ignored, since it is read back. */
    if (sp_set_bits(port, 8) != SP_OK || sp_set_parity(port, SP_PARITY_NONE) != SP_OK ||
        sp_set_stopbits(port, 1) != SP_OK || sp_set_flowcontrol(port, SP_FLOWCONTROL_NONE) != SP_OK)
        return false;
    sp_set_baudrate(port, (int)baud);
    return true;
}

enum serial_result serial_open(const char *path, uint32_t baud, struct serial **out, int *code)
{
    enum serial_result result = SERIAL_REFUSED;
    struct sp_port *port = port_by_path(path);
    if (!port)
        return SERIAL_REFUSED;
    errno = 0;
    if (sp_open(port, SP_MODE_READ_WRITE) != SP_OK) {
        *code = errno;
        /* Opened, but without modem lines or settings: plain termios may work. */
        if (*code != ENOTTY && *code != EINVAL && *code != 0)
            result = SERIAL_FAILED;
        goto free_port;
    }
    if (!configure_serial_port(port, baud))
        goto close_port;
    struct serial *serial = malloc(sizeof *serial);
    if (!serial) {
        *code = ENOMEM;
        result = SERIAL_FAILED;
        goto close_port;
    }
    serial->port = port;
    sp_get_port_handle(port, &serial->fd);
    *out = serial;
    return SERIAL_OPENED;

close_port:
    sp_close(port);
free_port:
    sp_free_port(port);
    return result;
}

void serial_close(struct serial *serial)
{
    sp_flush(serial->port, SP_BUF_OUTPUT);
    sp_close(serial->port);
    sp_free_port(serial->port);
    free(serial);
}

int serial_fd(const struct serial *serial)
{
    return serial->fd;
}

uint32_t serial_baud(const struct serial *serial)
{
    int baud = 0;
    struct sp_port_config *config;
    if (sp_new_config(&config) != SP_OK)
        return 0;
    if (sp_get_config(serial->port, config) != SP_OK || sp_get_config_baudrate(config, &baud) != SP_OK)
        baud = 0;
    sp_free_config(config);
    return baud > 0 ? (uint32_t)baud : 0;
}

void serial_set_baud(struct serial *serial, uint32_t baud)
{
    sp_set_baudrate(serial->port, (int)baud);
}

/* Copies text that an adapter reports, cleaned for terminals. `out` is unchanged if there is none. */
static void copy_port_text(char *out, size_t size, const char *text)
{
    if (!text)
        return;
    text_clean_utf8(out, size, text, strlen(text));
    text_plain(out);
}

static void describe_serial_port(const struct sp_port *port, struct source_port *out)
{
    int vid, pid;
    copy_port_text(out->name, sizeof out->name, sp_get_port_name(port));
    copy_port_text(out->description, sizeof out->description, sp_get_port_description(port));
    copy_port_text(out->usb_serial, sizeof out->usb_serial, sp_get_port_usb_serial(port));
    if (sp_get_port_usb_vid_pid(port, &vid, &pid) == SP_OK) {
        out->has_usb_id = true;
        out->usb_vid = (uint16_t)vid;
        out->usb_pid = (uint16_t)pid;
    }
}

bool source_list_ports(struct source_port **ports, size_t *n, struct error *err)
{
    struct sp_port **list;
    if (sp_list_ports(&list) != SP_OK)
        return error_set_errno(err, errno, "Cannot list the serial ports in /sys/class/tty");
    size_t count = 0;
    while (list[count])
        count++;
    *ports = calloc(count + 1, sizeof **ports);
    if (*ports)
        for (size_t i = 0; i < count; i++)
            describe_serial_port(list[i], &(*ports)[i]);
    sp_free_port_list(list);
    *n = count;
    return *ports ? true : error_set(err, "Out of memory while listing the serial ports.");
}
