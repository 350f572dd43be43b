/* mode.c - chooses how a device should report its calls. */
#include "device/mode.h"

enum mode mode_choose(enum mode wanted, bool is_overloaded, uint32_t offered, uint32_t read)
{
    uint32_t both = offered & read;
    if (wanted == MODE_AUTO && is_overloaded)
        wanted = MODE_TREE;
    bool has_calls = !offered || offered & 1u << MODE_CALLS;
    if (wanted == MODE_CALLS && has_calls)
        return MODE_CALLS;
    if (wanted == MODE_TREE && both & 1u << MODE_TREE)
        return MODE_TREE;
    return both & 1u << MODE_STREAM ? MODE_STREAM : MODE_CALLS;
}

bool mode_falls_back(enum mode mode, enum mode wanted)
{
    return mode != MODE_AUTO && wanted != MODE_AUTO && mode != wanted;
}
