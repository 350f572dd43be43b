/* tools.h - what an assistant may ask for. For this room only. */
#ifndef MCP_TOOLS_H
#define MCP_TOOLS_H

#include "base/json.h"
#include "base/jsonio.h"
#include "client/client.h"
#include "mcp/page.h"

/* The daemon, for as long as one answer of ours may take, however many of its own it needs. */
struct daemon {
    struct client client;
    uint64_t until_ms; /* of the monotonic clock */
};

/* What a tool answers. The caller frees both. */
struct tool_answer {
    char *structured; /* an object in JSON, on one line */
    char *text;       /* the same for people; NULL: the JSON is the text */
};

struct tool {
    const char *name, *title, *description;
    bool changes;       /* the device, or what is measured */
    const char *output; /* properties of the answer, as JSON Schema has them, in JSON */
    /* Its arguments, up to one without a name. */
    struct tool_argument {
        const char *name, *type, *description; /* type as JSON Schema has it */
        bool must;
    } arguments[5];
    /* False with a sentence. Arguments are of the types above. */
    bool (*call)(struct daemon *daemon, const struct jsonio *arguments, struct tool_answer *answer,
                 struct error *err);
};

extern const struct tool tools[]; /* the last has no name */

/* Writes the list of them, as tools/list answers it. */
void tools_write(struct json *json);

/* Calls the tool of that name. False with a sentence when there is none, an argument is wrong,
 * or it failed. */
bool tools_call(const struct client *client, const char *name, const struct jsonio *arguments,
                struct tool_answer *answer, struct error *err);

/* ---- what tools share ---- */

/* Asks the daemon: text, and JSON that was checked to be some (`body`: NULL for a GET, which answers with
 * *top). Both are freed by the caller; NULL with a sentence. */
char *daemon_text(struct daemon *daemon, const char *path, struct error *err);
char *daemon_json(struct daemon *daemon, const char *path, const char *body, struct slice *top,
                  struct error *err);

/* The argument `offset`; 0 when it is left out. */
uint64_t tool_offset(const struct jsonio *arguments);

/* Ends a page and takes it as the answer. */
bool tool_answer_page(struct tool_answer *answer, struct page *page, struct error *err);

typedef bool tool_call(struct daemon *daemon, const struct jsonio *arguments, struct tool_answer *answer,
                       struct error *err);
tool_call call_snapshot, call_function, call_compare;                                  /* tool_profile.c */
tool_call call_check, call_limits, call_windows, call_settings, call_set, call_record; /* tool_device.c */
tool_call call_tasks, call_messages, call_timeline;                                    /* tool_times.c */

#endif
