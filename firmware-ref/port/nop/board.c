/* board.c - a port to no board: it sends nowhere, receives nothing, and its counter is a symbol of the
 * linker. */
#include "mpt.h"
#include "mpt_port.h"

int main(void);

size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    return n;
}

size_t mpt_port_read(uint8_t *bytes, size_t n)
{
    return 0;
}

#ifdef MPT_PORT_BAUD
bool mpt_port_has_baud(uint32_t baud)
{
    return true;
}

bool mpt_port_is_sent(void)
{
    return true;
}

void mpt_port_set_baud(uint32_t baud) {}
#endif

int main(void)
{
    static const struct mpt_target target = {.clock_hz = 48000000, .fw_version = "nop"};

    mpt_init(&target);
    for (;;)
        mpt_poll();
}
