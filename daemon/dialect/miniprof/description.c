/* description.c - reads DESCRIPTION packets, in which a target describes itself. */
#include "dialect/miniprof/description.h"

#include "protocol/description.h"

/* Names and units that are too long are truncated. */
static uint8_t word_length(uint8_t n)
{
    return n < MP_SETTING_WORD ? n : MP_SETTING_WORD;
}

static bool read_settings(struct event_description *description, unsigned n, struct mp_bytes *bytes)
{
    for (unsigned i = 0; i < n; i++) {
        struct mp_setting setting;
        if (!mp_setting_decode(&setting, bytes))
            return false;
        if (i >= EVENT_SETTINGS_MAX)
            continue;
        description->settings[description->setting_count++] = (struct event_setting){
            .key = setting.key,
            .least = setting.least,
            .most = setting.most,
            .value = setting.value,
            .name = setting.name,
            .unit = setting.unit,
            .name_n = word_length(setting.name_length),
            .unit_n = word_length(setting.unit_length),
        };
    }
    return true;
}

static struct event_run read_run(struct mp_bytes *bytes)
{
    struct mp_description_run run;
    if (!mp_description_run_decode(&run, bytes))
        return (struct event_run){.is_told = false};
    return (struct event_run){.is_told = true,
                              .boot = run.boot,
                              .number = run.run,
                              .mode = run.version,
                              .is_on = run.is_on,
                              .is_flat = run.is_flat,
                              .counter_stands = run.counter_stands,
                              .has_other_cores = run.has_other_cores};
}

void miniprof_describe(const uint8_t *payload, size_t n, uint32_t *tick_hz, struct dialect_health *health,
                       const struct event_out *out)
{
    struct mp_bytes bytes = mp_bytes_over(payload, n);
    struct mp_description head;
    if (n > 0 && payload[0] != MP_DESCRIPTION_FORM) {
        health->unsupported_version++;
        return;
    }
    if (!mp_description_decode(&head, &bytes)) {
        health->malformed++;
        return;
    }
    struct event_description description = {
        .versions = head.versions,
        .tick_hz = head.tick_hz,
        .ring_calls = head.ring_calls,
        .stack_depth = head.stack_depth,
        .tasks = head.tasks,
        .packet_bytes = head.packet_bytes,
    };
    if (!read_settings(&description, head.settings, &bytes)) {
        health->malformed++;
        return;
    }
    description.hook_sixteenths = mp_hook_ticks_decode(&bytes);
    description.run = read_run(&bytes);
    if (description.run.is_told) {
        description.hook_tree_sixteenths = mp_hook_ticks_decode(&bytes);
        description.hook_lookup_sixteenths = mp_hook_ticks_decode(&bytes);
        description.hook_interrupt_sixteenths = mp_hook_ticks_decode(&bytes);
    }
    *tick_hz = head.tick_hz;
    out->batch(out->user, &(struct event){.kind = EVENT_DESCRIPTION, .description = &description}, 1);
}
