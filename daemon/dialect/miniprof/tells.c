/* tells.c - whether a PROFILE_DATA payload can be read to its end, and reports anything.
 *
 * A change of version ends the profile, so it needs a packet that proves it. The first byte alone is not
 * enough: it may come from damage that the checksum missed, or from another sender on the line. */
#include "dialect/miniprof/tells.h"

#include "protocol/compact_reader.h"
#include "protocol/packet.h"
#include "protocol/tree_reader.h"

static enum tells calls_tell(const uint8_t *payload, size_t n)
{
    struct mp_profile_head head;
    if (!mp_profile_head_decode(&head, payload, n) ||
        head.record_count * (size_t)MP_RECORD_SIZE != n - MP_PROFILE_DATA_HEAD)
        return TELLS_NONSENSE;
    return head.record_count > 0 ? TELLS_SOMETHING : TELLS_NOTHING;
}

static enum tells stream_tells(const uint8_t *payload, size_t n)
{
    struct mp_compact_reader reader;
    struct mp_compact_event event;
    if (!mp_compact_open_packet(&reader, payload, n))
        return TELLS_NONSENSE;
    /* By its number, a closing packet reports that all events before it are missing. */
    enum tells tells = reader.is_closing && reader.number > 0 ? TELLS_SOMETHING : TELLS_NOTHING;
    enum mp_compact_kind kind;
    while ((kind = mp_compact_next(&reader, &event)) > MP_COMPACT_END)
        tells = TELLS_SOMETHING;
    return kind == MP_COMPACT_MALFORMED ? TELLS_NONSENSE : tells;
}

static enum tells tree_tells(const uint8_t *payload, size_t n)
{
    struct mp_tree_reader reader;
    struct mp_tree_record record;
    if (!mp_tree_open_packet(&reader, payload, n))
        return TELLS_NONSENSE;
    enum tells tells = TELLS_NOTHING;
    enum mp_tree_kind kind;
    while ((kind = mp_tree_next(&reader, &record)) > MP_TREE_END)
        tells = TELLS_SOMETHING;
    return kind == MP_TREE_MALFORMED ? TELLS_NONSENSE : tells;
}

enum tells miniprof_tells(const uint8_t *payload, size_t n)
{
    switch (n ? payload[0] : 0) {
    case MP_PROFILE_DATA_V1: return calls_tell(payload, n);
    case MP_PROFILE_DATA_V2: return stream_tells(payload, n);
    case MP_PROFILE_DATA_V3: return tree_tells(payload, n);
    default: return TELLS_NONSENSE;
    }
}
