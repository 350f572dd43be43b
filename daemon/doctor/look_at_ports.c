/* look_at_ports.c - examines the serial ports of this machine, if none was named. */
#include "doctor/look.h"

#include "source/source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void look_at_one(struct examination *examination, const struct source_port *port)
{
    const char *spoken = *port->description ? port->description : "no description";
    if (access(port->name, R_OK | W_OK) == 0)
        examine_say(examination, VERDICT_OK, "%s (%s) is there and may be used; --port %s looks further.",
                    port->name, spoken, port->name);
    else
        examine_say(examination, VERDICT_WARN,
                    "%s (%s) is there, but you may not use it; --port %s says what to do about that.",
                    port->name, spoken, port->name);
}

void look_at_ports(struct examination *examination)
{
    struct source_port *ports;
    struct error err;
    size_t n;
    if (!source_list_ports(&ports, &n, &err)) {
        examine_say(examination, VERDICT_FAIL, "%s.", err.text);
        return;
    }
    if (n == 0)
        examine_say(
            examination, VERDICT_WARN,
            "This machine has no serial port; plug the board in, or name where its bytes come from with "
            "--port.");
    for (size_t i = 0; i < n; i++)
        look_at_one(examination, &ports[i]);
    free(ports);
}
