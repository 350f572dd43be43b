/* ports.c - the serial ports of this machine, where none was named. */
#include "doctor/examine.h"

#include "source/source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void examine_one(struct report *report, const struct source_port *port)
{
    const char *spoken = *port->description ? port->description : "no description";
    if (access(port->name, R_OK | W_OK) == 0)
        report_say(report, VERDICT_OK, "%s (%s) is there and may be used; --port %s looks further.",
                   port->name, spoken, port->name);
    else
        report_say(report, VERDICT_WARN,
                   "%s (%s) is there, but you may not use it; --port %s says what to do about that.",
                   port->name, spoken, port->name);
}

void examine_ports(struct report *report)
{
    struct source_port *ports;
    struct error err;
    size_t n;
    if (!source_list_ports(&ports, &n, &err)) {
        report_say(report, VERDICT_FAIL, "%s.", err.text);
        return;
    }
    if (n == 0)
        report_say(
            report, VERDICT_WARN,
            "This machine has no serial port; plug the board in, or name where its bytes come from with "
            "--port.");
    for (size_t i = 0; i < n; i++)
        examine_one(report, &ports[i]);
    free(ports);
}
