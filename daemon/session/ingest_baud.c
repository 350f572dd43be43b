/* ingest_baud.c - the rate of the port follows the conversation with the device. */
#include "session/ingest.h"

#include <string.h>

static void tell_trouble(struct ingest *ingest)
{
    const char *trouble = device_baud_trouble(&ingest->device);
    if (strcmp(ingest->baud_trouble.text, trouble) == 0)
        return;
    error_set(&ingest->baud_trouble, "%s", trouble);
    ingest->urgent = true;
    if (*trouble)
        log_write(LOG_WARNING, "%s", trouble);
}

uint32_t ingest_open_baud(struct ingest *ingest)
{
    ingest->baud_line = source_baud(ingest->source) ? ingest->baud_home : 0;
    if (!ingest->baud_line && ingest->device.baud.most && ingest->device.control)
        log_write(LOG_INFO, "%s has no baud rate, so there is none to raise.", source_spec(ingest->source));
    return ingest->baud_line;
}

void ingest_follow_baud(struct ingest *ingest, uint64_t now_ms)
{
    uint32_t wanted = device_baud(&ingest->device);
    struct error why;
    if (wanted && wanted != ingest->baud_line) {
        ingest->urgent = true;
        bool good = source_set_baud(ingest->source, wanted, &why);
        if (good)
            log_write(LOG_INFO, "%s runs at %u baud", source_spec(ingest->source), wanted);
        else if (wanted != ingest->baud_home)
            device_baud_impossible(&ingest->device, &why, now_ms);
        if (good || wanted == ingest->baud_home) /* one that cannot even have that is on its way out */
            ingest->baud_line = wanted;
    }
    tell_trouble(ingest);
}
