/* overload.c - detects that a line carries too little for the records sent over it. */
#include "session/overload.h"

enum { LOOK_MS = 1000, LOOKS = 2, ONE_IN = 100, LEAST = 10 /* calls: fewer say nothing of a line */ };

bool overload_look(struct overload *overload, uint64_t now_ms, uint64_t lost, uint64_t came)
{
    if (overload->has_begun && now_ms - overload->since_ms < LOOK_MS)
        return false;
    uint64_t lost_since = lost - overload->lost, came_since = came - overload->came;
    bool is_bad = overload->has_begun && lost_since >= LEAST && lost_since * ONE_IN > lost_since + came_since;
    overload->bad = is_bad ? overload->bad + 1 : 0;
    overload->has_begun = true;
    overload->since_ms = now_ms;
    overload->lost = lost;
    overload->came = came;
    return overload->bad >= LOOKS;
}
