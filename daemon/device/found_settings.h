/* found_settings.h - what the device's settings were when the session met it, and which of them the session
 * changed: these are set back at its end. Sends nothing itself.
 *
 * Settings hold until the device restarts (protocol/SPEC.md section 11), so whoever measures next would
 * measure with those of this session. */
#ifndef DEVICE_FOUND_SETTINGS_H
#define DEVICE_FOUND_SETTINGS_H

#include "event.h"
#include "protocol/packet.h"

/* Zero is the start state: the device described nothing. */
struct found_settings {
    unsigned n;
    struct found_setting {
        uint8_t key;
        bool is_window;   /* whether a trigger is armed */
        bool is_changed;  /* by this session, to `value` */
        bool is_unsure;   /* ... and the device has not reported yet what it made of it */
        bool is_given_up; /* it refused to have it set back */
        unsigned disarms; /* how often it was disarmed, and described a trigger again */
        bool is_told;     /* that `value` was found and is not the default; the caller's */
        uint32_t found, value;
    } rows[EVENT_SETTINGS_MAX];
};

/* Takes in what the device describes. A value that the session did not set becomes the one that was found.
 * An armed trigger is never found: it is another session's, and is not left armed. The rate of the line is
 * not among the settings here, see baud.h. */
void found_settings_hear(struct found_settings *found, const struct event_description *description);

/* Takes in that a SET_CONFIG was answered by ACK, or not at all, and so may have been carried out. */
void found_settings_sent(struct found_settings *found, const struct mp_command *command);

/* Takes in that the device refused to have that setting set back: it is not asked again. */
void found_settings_refused(struct found_settings *found, const struct mp_command *command);

/* The device restarted: what the session had set does not hold any more. */
void found_settings_restart(struct found_settings *found);

/* The command that sets back the next setting that the session changed; false: there is none left. The last
 * that the device describes is the first: a trigger goes before what it waits for. */
bool found_settings_restore(const struct found_settings *found, struct mp_command *command);

/* The command that disarms a trigger of an earlier session; false: none is armed, or the device refuses. */
bool found_settings_disarm(const struct found_settings *found, struct mp_command *command);

/* True when the device described a setting for windows around slow calls. */
bool found_settings_have_window(const struct found_settings *found);

/* Finds the setting of that key; NULL when the device described none. */
struct found_setting *found_settings_find(struct found_settings *found, uint8_t key);

#endif
