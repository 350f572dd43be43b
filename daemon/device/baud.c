/* baud.c - changes the rate of the line.
 *
 * Both ends have the same home rate, and one rule: an end that is not answered at another rate returns home.
 * So after a failure, nothing needs to be negotiated. A rate that failed is not tried again until the line
 * was reconnected or the device restarted. */
#include "device/baud.h"

#include "protocol/description.h"

#include <string.h>

/* How long a target may take to change its rate, and after how long it gives up a rate at which no command
 * arrived (SPEC.md section 14). */
enum { CHANGE_MS = 20, TRIAL_MS = 1000 };

/* The tries end before the target gives up. At home the wait is longer than the 3 s for which the target may
 * be away, and so are the requests for a rate together. */
enum { PROVE_MS = 220, PROVE_TRIES = 4, RETURN_MS = 500, RETURN_TRIES = 8, ASK_MS = 500, ASK_TRIES = 3 };

void baud_open(struct baud *baud, uint32_t home)
{
    *baud = (struct baud){.home = home, .line = home, .most = baud->most};
}

bool baud_is_away(const struct baud *baud)
{
    return baud->line != baud->home;
}

void baud_restart(struct baud *baud)
{
    baud->step = BAUD_RESTS;
    baud->is_offered = false;
    if (baud_is_away(baud))
        return;
    baud->is_tried = false;
    baud->trouble = (struct error){""};
}

static const struct event_setting *find_baud_setting(const struct event_description *description)
{
    for (size_t i = 0; i < description->setting_count; i++) {
        const struct event_setting *setting = &description->settings[i];
        if (setting->key == MP_SETTING_BAUD && setting->name_n == 4 && memcmp(setting->name, "baud", 4) == 0)
            return setting;
    }
    return NULL;
}

void baud_offer(struct baud *baud, const struct event_description *description)
{
    const struct event_setting *setting = description ? find_baud_setting(description) : NULL;
    baud->is_offered = setting != NULL;
    baud->greatest = setting ? setting->most : 0;
    if (setting || baud->is_tried || baud->most <= baud->home || !baud->home)
        return;
    baud->is_tried = true;
    error_set(&baud->trouble, "The device cannot change its baud rate, so the line stays at %u baud.",
              baud->home);
}

/* ---- which rate to request ---- */

static uint32_t value_of(const struct mp_command *command)
{
    return mp_load_u32(command->payload + 1);
}

bool baud_is_set_by(const struct baud *baud, const struct mp_command *command)
{
    return baud->is_offered && command->code == MP_SET_CONFIG && command->length == 5 &&
           command->payload[0] == MP_SETTING_BAUD && value_of(command) > 0;
}

bool baud_take_wish(struct baud *baud, const struct mp_command *command)
{
    if (!baud->home)
        return error_set(&baud->trouble, "The baud rate cannot be changed from here: this is no serial port. "
                                         "The program that has the port has to do it.");
    baud->wish = value_of(command);
    return true;
}

/* Returns the largest usual rate below `limit`; 0 when there is none. */
static uint32_t usual_below(uint32_t limit)
{
    static const uint32_t usual[] = {12000000, 8000000, 6000000, 4000000, 3000000, 2000000,
                                     1500000,  1000000, 921600,  500000,  460800,  250000,
                                     230400,   115200,  57600,   38400,   19200,   9600};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (usual[i] < limit)
            return usual[i];
    return 0;
}

static void request_baud(struct baud *baud, uint32_t next, uint64_t now_ms)
{
    baud->step = BAUD_ASKS;
    baud->next = next;
    baud->due_ms = now_ms;
    baud->trouble = (struct error){""};
}

bool baud_has_to_do(struct baud *baud, uint64_t now_ms)
{
    if (baud->step != BAUD_RESTS)
        return true;
    if (baud->wish)
        request_baud(baud, baud->wish, now_ms);
    else if (baud->most > baud->line && baud->line && baud->is_offered && !baud->is_tried)
        request_baud(baud, baud->most < baud->greatest ? baud->most : baud->greatest, now_ms);
    return baud->step != BAUD_RESTS;
}

static struct mp_command set_to(uint32_t rate)
{
    struct mp_command command = {.code = MP_SET_CONFIG, .length = 5, .payload = {MP_SETTING_BAUD}};
    mp_store_u32(command.payload + 1, rate);
    return command;
}

struct mp_command baud_home_command(const struct baud *baud)
{
    return set_to(baud->home);
}

struct mp_command baud_command(const struct baud *baud)
{
    return baud->step == BAUD_ASKS ? set_to(baud->next) : (struct mp_command){.code = MP_GET_STATUS};
}

void baud_pace(const struct baud *baud, struct transaction *transaction)
{
    switch (baud->step) {
    case BAUD_ASKS:
        /* At home the device may still be at the rate of a host that was killed, also when it seems to have
         * answered: its answer to that host can have waited in the port's buffer. */
        transaction_pace(transaction, baud_is_away(baud) ? 1 : ASK_TRIES, ASK_MS + TRIAL_MS);
        break;
    case BAUD_PROVES: transaction_pace(transaction, PROVE_TRIES, PROVE_MS); break;
    case BAUD_RETURNS: transaction_pace(transaction, RETURN_TRIES, RETURN_MS); break;
    case BAUD_RESTS: break;
    }
}

/* ---- results ---- */

static enum baud_outcome rest_baud(struct baud *baud, enum baud_outcome outcome)
{
    baud->step = BAUD_RESTS;
    baud->is_tried = true;
    baud->wish = 0;
    return outcome;
}

static void go_home(struct baud *baud, uint64_t now_ms)
{
    baud->step = BAUD_RETURNS;
    baud->line = baud->home;
    baud->due_ms = now_ms + TRIAL_MS - PROVE_TRIES * PROVE_MS + CHANGE_MS;
}

/* The device refused the rate. If the aim is only to raise the rate, a lower one may work. */
static enum baud_outcome baud_refused(struct baud *baud, uint64_t now_ms)
{
    uint32_t lower = usual_below(baud->next);
    if (!baud->wish && lower > baud->line) {
        request_baud(baud, lower, now_ms);
        return BAUD_GOES_ON;
    }
    if (baud->wish)
        error_set(&baud->trouble, "The device cannot run at %u baud, so the line stays at %u baud.",
                  baud->next, baud->line);
    else
        error_set(&baud->trouble,
                  "The device has no usual rate from %u to %u baud, so the line stays at %u baud.",
                  baud->line + 1, baud->most, baud->line);
    return rest_baud(baud, BAUD_KEPT);
}

static enum baud_outcome baud_answered(struct baud *baud, enum baud_answer answer, uint64_t now_ms)
{
    if (answer == BAUD_NO)
        return baud_refused(baud, now_ms);
    if (answer == BAUD_SILENCE) {
        error_set(&baud->trouble,
                  "The device did not answer when it was asked for %u baud, so the line stays at %u baud.",
                  baud->next, baud->home);
        /* If only its answer was lost, it has changed, received nothing, and is home again by now. */
        if (!baud_is_away(baud))
            return rest_baud(baud, BAUD_KEPT);
        go_home(baud, now_ms);
        return BAUD_GOES_ON;
    }
    baud->step = BAUD_PROVES;
    baud->line = baud->next;
    baud->due_ms = now_ms + CHANGE_MS;
    return BAUD_GOES_ON;
}

enum baud_outcome baud_conclude(struct baud *baud, enum baud_answer answer, uint64_t now_ms)
{
    switch (baud->step) {
    case BAUD_ASKS: return baud_answered(baud, answer, now_ms);
    case BAUD_PROVES:
        if (answer != BAUD_SILENCE)
            return rest_baud(baud, BAUD_CHANGED);
        error_set(&baud->trouble,
                  "At %u baud the device does not answer, so the line is back at %u baud. The cable, the "
                  "adapter or the device's clock may not carry that rate; try a lower one.",
                  baud->next, baud->home);
        go_home(baud, now_ms);
        return BAUD_GOES_ON;
    case BAUD_RETURNS:
    case BAUD_RESTS: break;
    }
    return rest_baud(baud, answer == BAUD_SILENCE ? BAUD_LOST : BAUD_KEPT);
}

bool baud_give_up(struct baud *baud, uint64_t now_ms)
{
    if (!baud_is_away(baud))
        return false;
    error_set(&baud->trouble,
              "At %u baud the device ceased to answer, so the line is back at %u baud and stays there.",
              baud->line, baud->home);
    go_home(baud, now_ms);
    return true;
}

void baud_impossible(struct baud *baud, const struct error *why, uint64_t now_ms)
{
    go_home(baud, now_ms);
    baud->due_ms = now_ms + TRIAL_MS + CHANGE_MS;
    error_set(&baud->trouble, "%s The line stays at %u baud.", why->text, baud->home);
}
