/* tool_device.c - tools for health, limits, windows, and commands to the device and the daemon. */
#include "mcp/tools.h"

#include <stdlib.h>
#include <string.h>

/* ---- health ---- */

/* Bytes of limits beside the findings; the tool "limits" has them all. */
enum { LIMITS_MOST = 1200 };

bool call_check(struct daemon *daemon, const struct jsonio *arguments, struct tool_answer *answer,
                struct error *err)
{
    struct slice findings, limits;
    struct page page;
    char *doctor = daemon_json(daemon, "/api/v1/doctor", NULL, &findings, err);
    char *held = doctor ? daemon_json(daemon, "/api/v1/limits", NULL, &limits, err) : NULL;
    bool good = false;
    if (held) {
        page_begin(&page);
        page_add(&page, "fails", slice_member(findings, "fails"));
        page_add(&page, "breaches", slice_path(limits, "breaches.told"));
        struct slice list = slice_member(limits, "limits");
        if (list.n > LIMITS_MOST || !page_add(&page, "limits", list))
            page_add(&page, "left_out", slice_of("[\"limits\"]", 10));
        page_add_array(&page, "findings", slice_member(findings, "findings"), tool_offset(arguments), false);
        good = tool_answer_page(answer, &page, err);
    }
    free(doctor);
    free(held);
    return good;
}

/* Answers with a list inside the answer of a path. */
static bool answer_list(struct daemon *daemon, const char *path, const char *list, const char *key,
                        const struct jsonio *arguments, struct tool_answer *answer, struct error *err)
{
    struct slice top;
    struct page page;
    char *text = daemon_json(daemon, path, NULL, &top, err);
    if (!text)
        return false;
    page_begin(&page);
    page_add(&page, "sequence", slice_member(top, "sequence"));
    page_add(&page, "trigger", slice_member(top, "trigger"));
    page_add_array(&page, key, slice_path(top, list), tool_offset(arguments), false);
    bool good = tool_answer_page(answer, &page, err);
    free(text);
    return good;
}

bool call_limits(struct daemon *daemon, const struct jsonio *arguments, struct tool_answer *answer,
                 struct error *err)
{
    const char *part = jsonio_text(jsonio_member(arguments, "part"));
    bool breaches = part && !strcmp(part, "breaches");
    if (part && !breaches && strcmp(part, "limits") != 0)
        return error_set(err, "part takes limits or breaches, not %.40s.", part);
    return answer_list(daemon, "/api/v1/limits", breaches ? "breaches.rows" : "limits",
                       breaches ? "breaches" : "limits", arguments, answer, err);
}

bool call_windows(struct daemon *daemon, const struct jsonio *arguments, struct tool_answer *answer,
                  struct error *err)
{
    return answer_list(daemon, "/api/v1/windows", "windows.rows", "windows", arguments, answer, err);
}

/* ---- the device's settings ---- */

static bool answer_status(struct slice top, const struct jsonio *arguments, struct tool_answer *answer,
                          struct error *err)
{
    static const char *const members[] = {"version", "sequence", "source", "target", "link"};
    const char *part = jsonio_text(jsonio_member(arguments, "part"));
    struct page page;
    bool good = true;
    page_begin(&page);
    if (part)
        good = page_add_part(&page, top, part, tool_offset(arguments), err);
    else {
        struct sink_buffer some;
        struct json json = {.sink = &some.sink};
        sink_buffer_init(&some);
        json_object_open(&json, NULL);
        for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
            struct slice member = slice_member(top, members[i]);
            if (member.n > 0)
                json_raw(&json, members[i], member.at, member.n);
        }
        json_object_close(&json);
        page.out.sink.failed |= some.sink.failed;
        if (some.bytes)
            page_add_members(&page, slice_of(some.bytes, some.n));
        sink_buffer_fini(&some);
    }
    if (good)
        return tool_answer_page(answer, &page, err);
    page_fini(&page);
    return false;
}

bool call_settings(struct daemon *daemon, const struct jsonio *arguments, struct tool_answer *answer,
                   struct error *err)
{
    struct slice top;
    char *text = daemon_json(daemon, "/api/v1/status", NULL, &top, err);
    bool good = text && answer_status(top, arguments, answer, err);
    free(text);
    return good;
}

/* Sends an order, and answers with its outcome, as far as it fits. */
static bool send_order(struct daemon *daemon, const char *path, const char *body, struct tool_answer *answer,
                       struct error *err)
{
    struct slice top;
    struct page page;
    char *text = daemon_json(daemon, path, body, &top, err);
    if (!text)
        return false;
    page_begin(&page);
    page_add_members(&page, top);
    bool good = tool_answer_page(answer, &page, err);
    free(text);
    return good;
}

bool call_set(struct daemon *daemon, const struct jsonio *arguments, struct tool_answer *answer,
              struct error *err)
{
    uint64_t value = 0;
    struct sink_buffer body;
    jsonio_u64(jsonio_member(arguments, "value"), &value);
    sink_buffer_init(&body);
    struct json json = {.sink = &body.sink};
    json_object_open(&json, NULL);
    json_text(&json, "name", jsonio_text(jsonio_member(arguments, "name")));
    json_u64(&json, "value", value);
    json_object_close(&json);
    bool good = body.sink.failed ? error_set(err, "Out of memory.")
                                 : send_order(daemon, "/api/v1/device/config", body.bytes, answer, err);
    sink_buffer_fini(&body);
    return good;
}

bool call_record(struct daemon *daemon, const struct jsonio *arguments, struct tool_answer *answer,
                 struct error *err)
{
    const char *action = jsonio_text(jsonio_member(arguments, "action"));
    if (!strcmp(action, "start"))
        return send_order(daemon, "/api/v1/record/start", "{}", answer, err);
    if (!strcmp(action, "stop"))
        return send_order(daemon, "/api/v1/record/stop", "{}", answer, err);
    return error_set(err, "action takes start or stop, not %.40s.", action);
}
