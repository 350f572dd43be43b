/* packet.h - the contents of packets: an encoder and a decoder per kind, side by side (SPEC.md sections 2 to
 * 5).
 *
 * Encoders fill an array of exactly the packet's size. Decoders take n bytes of payload and return false,
 * with the result unspecified, when n does not fit that kind. They do not check values. */
#ifndef PROTOCOL_PACKET_H
#define PROTOCOL_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/bytes.h"

/* ---- host to target ---- */

enum mp_command_code {
    MP_START = 1,
    MP_STOP = 2,
    MP_GET_STATUS = 3,
    MP_RESET_BUFFERS = 4,
    MP_GET_METADATA = 5,
    MP_SET_CONFIG = 6,
    MP_DESCRIBE = 7,
};

enum {
    MP_COMMAND_HEADER = 0x55,
    MP_COMMAND_SIZE = 12,
    MP_COMMAND_PAYLOAD = 8,
};

struct mp_command {
    uint8_t code;   /* enum mp_command_code, or an unknown one */
    uint8_t length; /* bytes of payload in use, 0 to 8 */
    uint8_t payload[MP_COMMAND_PAYLOAD];
};

/* In START's second byte of payload: if a run of that version and form is under way, it continues (SPEC.md
 * section 12.1). */
enum { MP_START_RESUMES = 2 };

/* STOP's first byte of payload: asks for a closing packet (SPEC.md section 2). */
enum { MP_STOP_CLOSES = 1 };

/* Bits of GET_STATUS's first byte of payload: each requests one more figure, triggers_missed and
 * other_core_hooks. Use the second only for targets that have MP_DESCRIPTION's has_other_cores: older ones
 * accept the first only when it is the only bit. */
enum { MP_STATUS_OF_TRIGGERS = 1, MP_STATUS_OF_CORES = 2 };

/* Return true when a command is a GET_STATUS that requests that figure. */
static inline bool mp_command_wants_triggers(const struct mp_command *command)
{
    return command->code == MP_GET_STATUS && command->length > 0 &&
           (command->payload[0] & MP_STATUS_OF_TRIGGERS);
}

static inline bool mp_command_wants_cores(const struct mp_command *command)
{
    return command->code == MP_GET_STATUS && command->length > 0 &&
           (command->payload[0] & MP_STATUS_OF_CORES);
}

/* Returns true when a command is a STOP that requests a closing packet. */
static inline bool mp_command_wants_closing(const struct mp_command *command)
{
    return command->code == MP_STOP && command->length > 0 && command->payload[0] == MP_STOP_CLOSES;
}

/* Bytes of payload past `length` are sent as 0. */
void mp_command_encode(const struct mp_command *command, uint8_t out[static MP_COMMAND_SIZE]);
/* Returns false when the header, the length or the checksum is wrong. */
bool mp_command_decode(struct mp_command *command, const uint8_t bytes[static MP_COMMAND_SIZE]);

/* ---- target to host ---- */

enum mp_packet_type {
    MP_ACK = 0x01,
    MP_NACK = 0x02,
    MP_METADATA = 0x03,
    MP_STATUS = 0x04,
    MP_PROFILE_DATA = 0x05,
    MP_EXTENSION = 0x40, /* 0x40 to 0x7F are miniprofd's */
    MP_DESCRIPTION = 0x41,
};

enum {
    MP_METADATA_SIZE = 28,
    MP_STATUS_SIZE = 10,
    MP_STATUS_LONG_SIZE = 14,  /* with triggers_missed, on request */
    MP_STATUS_CORES_SIZE = 18, /* with other_core_hooks behind that, on request */
    MP_FW_VERSION_SIZE = 16,
    MP_RECORD_SIZE = 14,
    MP_PROFILE_DATA_HEAD = 3, /* version, record count */
    MP_PROFILE_DATA_V1 = 1,
    MP_PROFILE_DATA_V2 = 2, /* the compact stream, compact.h */
    MP_PROFILE_DATA_V3 = 3, /* the call tree, tree.h */
    MP_EXTENSION_HEAD = 1,  /* dialect id */
};

struct mp_metadata {
    uint32_t mcu_clock_hz;
    uint32_t timer_hz;                   /* ticks per second of the records' times */
    uint32_t elf_build_id;               /* CRC-32 (IEEE) of .text; 0 and 0xFFFFFFFF: not set */
    char fw_version[MP_FW_VERSION_SIZE]; /* NUL-padded; 16 characters leave no NUL */
};

void mp_metadata_encode(const struct mp_metadata *metadata, uint8_t out[static MP_METADATA_SIZE]);
bool mp_metadata_decode(struct mp_metadata *metadata, const uint8_t *payload, size_t n);

struct mp_status {
    uint8_t is_profiling; /* 0: no, anything else: yes */
    uint32_t buffer_overflows;
    uint32_t records_captured;
    uint8_t buffer_usage_percent;
};

void mp_status_encode(const struct mp_status *status, uint8_t out[static MP_STATUS_SIZE]);

/* Writes the bytes after that, up to MP_STATUS_LONG_SIZE. */
static inline void mp_status_triggers_encode(uint32_t triggers_missed, uint8_t *out)
{
    mp_store_u32(out, triggers_missed);
}

/* Writes the bytes after those, up to MP_STATUS_CORES_SIZE. */
static inline void mp_status_cores_encode(uint32_t other_core_hooks, uint8_t *out)
{
    mp_store_u32(out, other_core_hooks);
}

bool mp_status_decode(struct mp_status *status, const uint8_t *payload, size_t n);

/* Gets the triggers since START without a window, from a payload that mp_status_decode() accepts. Returns
 * false for the short form, which lacks them. */
bool mp_status_triggers_decode(uint32_t *triggers_missed, const uint8_t *payload, size_t n);

/* Gets a lower limit of the hooks that ran on cores that are not measured, since the target's start, modulo
 * 2^32, from a payload that mp_status_decode() accepts. Returns false for shorter forms, which lack it. */
bool mp_status_cores_decode(uint32_t *other_core_hooks, const uint8_t *payload, size_t n);

/* PROFILE_DATA begins with a version and a count; in version 1 this number of records follows, and nothing
 * else. */
struct mp_profile_head {
    uint8_t version;
    uint16_t record_count;
};

void mp_profile_head_encode(const struct mp_profile_head *head, uint8_t out[static MP_PROFILE_DATA_HEAD]);
bool mp_profile_head_decode(struct mp_profile_head *head, const uint8_t *payload, size_t n);

/* Returns true when a payload of version 1 is a closing packet, which has no records. A target sends it, on
 * request, when it has sent everything (SPEC.md section 2). */
static inline bool mp_profile_is_closing(const uint8_t *payload, size_t n)
{
    return n == MP_PROFILE_DATA_HEAD && payload[0] == MP_PROFILE_DATA_V1 && !payload[1] && !payload[2];
}

/* A finished call. */
struct mp_record {
    uint32_t address; /* inside the function; bit 0 as the target sent it */
    uint32_t start;
    uint32_t duration; /* of the call, including its callees */
    uint16_t depth;    /* 0 is the outermost */
};

/* Inline, since targets encode every call and hosts decode millions. The decoder reads the MP_RECORD_SIZE
 * bytes at `bytes`, which the caller has checked for. */
static inline void mp_record_encode(const struct mp_record *record, uint8_t out[static MP_RECORD_SIZE])
{
    mp_store_u32(out, record->address);
    mp_store_u32(out + 4, record->start);
    mp_store_u32(out + 8, record->duration);
    mp_store_u16(out + 12, record->depth);
}

static inline struct mp_record mp_record_decode(const uint8_t bytes[static MP_RECORD_SIZE])
{
    return (struct mp_record){
        .address = mp_load_u32(bytes),
        .start = mp_load_u32(bytes + 4),
        .duration = mp_load_u32(bytes + 8),
        .depth = mp_load_u16(bytes + 12),
    };
}

/* EXTENSION: one of these, then bytes of that dialect. */
enum mp_extension {
    MP_EXTENSION_FPRIME = 1,
    MP_EXTENSION_GPROF = 2,
    MP_EXTENSION_TFM = 3,
    MP_EXTENSION_SYST = 4,
};

/* Returns the payload's bytes after the dialect id, which is stored in *dialect; NULL when n is 0. */
const uint8_t *mp_extension_decode(uint8_t *dialect, const uint8_t *payload, size_t n);

#endif
