/* packet.c - encoders and decoders, side by side so that they stay consistent. */
#include "protocol/packet.h"

#include "protocol/bytes.h"

static uint8_t command_checksum(const uint8_t *bytes)
{
    unsigned sum = 0;
    for (size_t i = 0; i < MP_COMMAND_SIZE - 1; i++)
        sum += bytes[i];
    return (uint8_t)sum;
}

void mp_command_encode(const struct mp_command *command, uint8_t out[static MP_COMMAND_SIZE])
{
    out[0] = MP_COMMAND_HEADER;
    out[1] = command->code;
    out[2] = command->length;
    for (size_t i = 0; i < MP_COMMAND_PAYLOAD; i++)
        out[3 + i] = i < command->length ? command->payload[i] : 0;
    out[MP_COMMAND_SIZE - 1] = command_checksum(out);
}

bool mp_command_decode(struct mp_command *command, const uint8_t bytes[static MP_COMMAND_SIZE])
{
    if (bytes[0] != MP_COMMAND_HEADER || bytes[2] > MP_COMMAND_PAYLOAD ||
        bytes[MP_COMMAND_SIZE - 1] != command_checksum(bytes))
        return false;
    command->code = bytes[1];
    command->length = bytes[2];
    for (size_t i = 0; i < MP_COMMAND_PAYLOAD; i++)
        command->payload[i] = bytes[3 + i];
    return true;
}

void mp_metadata_encode(const struct mp_metadata *metadata, uint8_t out[static MP_METADATA_SIZE])
{
    mp_store_u32(out, metadata->mcu_clock_hz);
    mp_store_u32(out + 4, metadata->timer_hz);
    mp_store_u32(out + 8, metadata->elf_build_id);
    for (size_t i = 0; i < MP_FW_VERSION_SIZE; i++)
        out[12 + i] = (uint8_t)metadata->fw_version[i];
}

bool mp_metadata_decode(struct mp_metadata *metadata, const uint8_t *payload, size_t n)
{
    struct mp_bytes bytes = mp_bytes_over(payload, n);
    metadata->mcu_clock_hz = mp_bytes_u32(&bytes);
    metadata->timer_hz = mp_bytes_u32(&bytes);
    metadata->elf_build_id = mp_bytes_u32(&bytes);
    for (size_t i = 0; i < MP_FW_VERSION_SIZE; i++)
        metadata->fw_version[i] = (char)mp_bytes_u8(&bytes);
    return !bytes.ran_short && !bytes.left;
}

void mp_status_encode(const struct mp_status *status, uint8_t out[static MP_STATUS_SIZE])
{
    out[0] = status->is_profiling;
    mp_store_u32(out + 1, status->buffer_overflows);
    mp_store_u32(out + 5, status->records_captured);
    out[9] = status->buffer_usage_percent;
}

bool mp_status_decode(struct mp_status *status, const uint8_t *payload, size_t n)
{
    struct mp_bytes bytes = mp_bytes_over(payload, n);
    status->is_profiling = mp_bytes_u8(&bytes);
    status->buffer_overflows = mp_bytes_u32(&bytes);
    status->records_captured = mp_bytes_u32(&bytes);
    status->buffer_usage_percent = mp_bytes_u8(&bytes);
    return !bytes.ran_short && (!bytes.left || n == MP_STATUS_LONG_SIZE || n == MP_STATUS_CORES_SIZE);
}

bool mp_status_triggers_decode(uint32_t *triggers_missed, const uint8_t *payload, size_t n)
{
    if (n != MP_STATUS_LONG_SIZE && n != MP_STATUS_CORES_SIZE)
        return false;
    struct mp_bytes bytes = mp_bytes_over(payload + MP_STATUS_SIZE, n - MP_STATUS_SIZE);
    *triggers_missed = mp_bytes_u32(&bytes);
    return true;
}

bool mp_status_cores_decode(uint32_t *other_core_hooks, const uint8_t *payload, size_t n)
{
    if (n != MP_STATUS_CORES_SIZE)
        return false;
    struct mp_bytes bytes = mp_bytes_over(payload + MP_STATUS_LONG_SIZE, n - MP_STATUS_LONG_SIZE);
    *other_core_hooks = mp_bytes_u32(&bytes);
    return true;
}

void mp_profile_head_encode(const struct mp_profile_head *head, uint8_t out[static MP_PROFILE_DATA_HEAD])
{
    out[0] = head->version;
    mp_store_u16(out + 1, head->record_count);
}

bool mp_profile_head_decode(struct mp_profile_head *head, const uint8_t *payload, size_t n)
{
    struct mp_bytes bytes = mp_bytes_over(payload, n);
    head->version = mp_bytes_u8(&bytes);
    head->record_count = mp_bytes_u16(&bytes);
    return !bytes.ran_short;
}

const uint8_t *mp_extension_decode(uint8_t *dialect, const uint8_t *payload, size_t n)
{
    if (n < MP_EXTENSION_HEAD)
        return NULL;
    *dialect = payload[0];
    return payload + MP_EXTENSION_HEAD;
}
