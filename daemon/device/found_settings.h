/* found_settings.h - remembers the device's settings at the start of the session, and which of them the
 * session changed: these are restored at the end. It does not send anything itself.
 *
 * Settings hold until the device restarts (protocol/SPEC.md section 11), so the next session would
 * measure with those of this session. */
#ifndef DEVICE_FOUND_SETTINGS_H
#define DEVICE_FOUND_SETTINGS_H

#include "event.h"
#include "protocol/packet.h"

/* All zero is the initial state: the device has described nothing. */
struct found_settings {
    unsigned n;
    struct found_setting {
        uint8_t key;
        bool is_window;   /* arms a trigger */
        bool is_changed;  /* by this session, to `value` */
        bool is_unsure;   /* ... and the device has not reported the resulting value yet */
        bool is_given_up; /* it refused to restore it */
        unsigned disarms; /* how often it was disarmed and a trigger was reported again */
        bool is_told;     /* the caller has reported that `value` was found and is not the default */
        uint32_t found, value;
    } rows[EVENT_SETTINGS_MAX];
};

/* Reads a description. A value that the session did not set becomes the found one. An armed trigger is not
 * kept as found, since it belongs to another session. The rate of the line is handled in baud.h. */
void found_settings_hear(struct found_settings *found, const struct event_description *description);

/* A SET_CONFIG was answered by ACK, or not at all, so it may have been executed. */
void found_settings_sent(struct found_settings *found, const struct mp_command *command);

/* The device refused to restore that setting: it is not asked again. */
void found_settings_refused(struct found_settings *found, const struct mp_command *command);

/* The device restarted: the session's settings are gone. */
void found_settings_restart(struct found_settings *found);

/* Returns the command that restores the next changed setting; false when there is none left. They are
 * restored in reverse order of the description: a trigger before its parameters. */
bool found_settings_restore(const struct found_settings *found, struct mp_command *command);

/* Returns the command that disarms a trigger of an earlier session; false when none is armed, or the device
 * refuses. */
bool found_settings_disarm(const struct found_settings *found, struct mp_command *command);

/* True when the device has a setting for windows around slow calls. */
bool found_settings_have_window(const struct found_settings *found);

/* Returns the setting with that key; NULL when the device has described none. */
struct found_setting *found_settings_find(struct found_settings *found, uint8_t key);

#endif
