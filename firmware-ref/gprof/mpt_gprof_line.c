/* mpt_gprof_line.c - sends records over a line that carries nothing else. */
#include "mpt_gprof.h"

#include "mpt_port.h"

static struct {
    uint8_t n, sent;
    uint8_t bytes[MPT_GPROF_LINE];
} line;

bool mpt_gprof_poll(void)
{
    for (;;) {
        if (line.sent == line.n) {
            line.sent = 0;
            line.n = (uint8_t)mpt_gprof_take(line.bytes, sizeof line.bytes);
            if (!line.n)
                return false;
        }
        size_t taken = mpt_port_write(line.bytes + line.sent, (size_t)(line.n - line.sent));

        if (!taken)
            return true;
        line.sent = (uint8_t)(line.sent + taken);
    }
}
