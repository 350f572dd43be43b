/* ports.c - lists the serial ports as text or JSON. */
#include "cli/ports.h"

#include "base/json.h"
#include "source/source.h"

#include <stdio.h>
#include <stdlib.h>

static void usb_id(const struct source_port *port, char text[static 10])
{
    text[0] = '\0';
    if (port->has_usb_id)
        snprintf(text, 10, "%04x:%04x", port->usb_vid, port->usb_pid);
}

static void write_lines(struct sink *sink, const struct source_port *ports, size_t n)
{
    if (n == 0)
        sink_text(sink, "There is no serial port; plug in the board, or check that its driver is loaded.\n");
    for (size_t i = 0; i < n; i++) {
        char id[10];
        usb_id(&ports[i], id);
        sink_printf(sink, "%-20s %-9s %-20s %s\n", ports[i].name, id, ports[i].usb_serial,
                    ports[i].description);
    }
}

static void write_json(struct sink *sink, const struct source_port *ports, size_t n)
{
    struct json json = {.sink = sink};
    json_array_open(&json, NULL);
    for (size_t i = 0; i < n; i++) {
        char id[10];
        usb_id(&ports[i], id);
        json_object_open(&json, NULL);
        json_text(&json, "name", ports[i].name);
        json_text(&json, "description", ports[i].description);
        json_text(&json, "usb_id", ports[i].has_usb_id ? id : NULL);
        json_text(&json, "usb_serial", ports[i].usb_serial[0] ? ports[i].usb_serial : NULL);
        json_object_close(&json);
    }
    json_array_close(&json);
    sink_char(sink, '\n');
}

bool ports_write(struct sink *sink, bool json, struct error *err)
{
    struct source_port *ports;
    size_t n;
    if (!source_list_ports(&ports, &n, err))
        return false;
    if (json)
        write_json(sink, ports, n);
    else
        write_lines(sink, ports, n);
    free(ports);
    return true;
}
