/* over_daemon.c - sends the command through the device's daemon. */
#include "device_command/command_line.h"

#include "base/json.h"
#include "client/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER_MOST = 1 << 20 };

static char *post_device_order(const struct client *client, const char *what, const char *body,
                               struct error *err)
{
    char path[64];
    snprintf(path, sizeof path, "/api/v1/device/%s", what);
    return client_ask(client, "POST", path, body, ANSWER_MOST, err);
}

static char *set_over_daemon(const struct client *client, const struct device_command_setting *setting,
                             struct error *err)
{
    struct sink_buffer body;
    sink_buffer_init(&body);
    struct json json = {.sink = &body.sink};
    json_object_open(&json, NULL);
    json_text(&json, "name", setting->name);
    json_u64(&json, "value", setting->value);
    json_object_close(&json);
    char *answer = body.sink.failed ? NULL : post_device_order(client, "config", body.bytes, err);
    sink_buffer_fini(&body);
    return answer;
}

static char *set_window(const struct client *client, const char *window, struct error *err)
{
    struct sink_buffer body;
    sink_buffer_init(&body);
    struct json json = {.sink = &body.sink};
    json_object_open(&json, NULL);
    if (!strcmp(window, "now"))
        json_bool(&json, "now", true);
    else
        json_text(&json, "when", strcmp(window, "off") != 0 ? window : NULL);
    json_object_close(&json);
    char *answer = body.sink.failed ? NULL : post_device_order(client, "trigger", body.bytes, err);
    sink_buffer_fini(&body);
    return answer;
}

char *device_command_over_daemon(const struct device_command *asked, struct error *err)
{
    struct client client;
    if (!client_init(&client, "--at", asked->at, asked->token_file, err))
        return NULL;
    if (asked->kind == DEVICE_COMMAND_WINDOW)
        return set_window(&client, asked->window, err);
    bool asks = asked->kind == DEVICE_COMMAND_STATUS || asked->kind == DEVICE_COMMAND_CONFIG;
    char *answer = NULL;
    if (asked->settings_n == 0)
        answer = post_device_order(&client, asks ? "status" : device_command_word(asked->kind), "{}", err);
    if (answer && !asks) {
        free(answer);
        answer = post_device_order(&client, "status", "{}", err);
    }
    for (size_t i = 0; i < asked->settings_n; i++) {
        free(answer);
        answer = set_over_daemon(&client, &asked->settings[i], err);
        if (!answer)
            break;
    }
    return answer;
}
