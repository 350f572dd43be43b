/* tools.h - the tools of an assistant. For this room only. */
#ifndef MCP_TOOLS_H
#define MCP_TOOLS_H

#include "base/json.h"
#include "base/jsonio.h"
#include "client/client.h"
#include "mcp/page.h"

/* The daemon, with a deadline for all requests that one answer needs. */
struct daemon {
    struct client client;
    uint64_t until_ms; /* of the monotonic clock */
};

/* A tool's answer. The caller frees both. */
struct tool_answer {
    char *structured; /* an object in JSON, on one line */
    char *text;       /* the same as readable text; NULL: the JSON is the text */
};

struct tool {
    const char *name, *title, *description;
    bool changes;       /* changes the device, or what is measured */
    const char *output; /* properties of the answer: JSON Schema in JSON */
    /* Its arguments, ending with one without a name. */
    struct tool_argument {
        const char *name, *type, *description; /* type as in JSON Schema */
        bool must;
    } arguments[5];
    /* Runs the tool. False with an error. Arguments have the types above. */
    bool (*call)(struct daemon *daemon, const struct jsonio *arguments, struct tool_answer *answer,
                 struct error *err);
};

extern const struct tool tools[]; /* ends with one without a name */

/* Writes the answer of tools/list. */
void tools_write(struct json *json);

/* Calls the tool with that name. False with an error when there is none, an argument is wrong, or it failed. */
bool tools_call(const struct client *client, const char *name, const struct jsonio *arguments,
                struct tool_answer *answer, struct error *err);

/* ---- shared by tools ---- */

/* Send a request to the daemon and return text, or valid JSON (`body`: NULL for GET; *top: its value). The caller frees
 * it. NULL with an error. */
char *daemon_text(struct daemon *daemon, const char *path, struct error *err);
char *daemon_json(struct daemon *daemon, const char *path, const char *body, struct slice *top,
                  struct error *err);

/* Returns the argument `offset`, 0 when it is missing. */
uint64_t tool_offset(const struct jsonio *arguments);

/* Ends a page and makes it the answer. */
bool tool_answer_page(struct tool_answer *answer, struct page *page, struct error *err);

typedef bool tool_call(struct daemon *daemon, const struct jsonio *arguments, struct tool_answer *answer,
                       struct error *err);
tool_call call_snapshot, call_function, call_compare;                                  /* tool_profile.c */
tool_call call_check, call_limits, call_windows, call_settings, call_set, call_record; /* tool_device.c */
tool_call call_tasks, call_messages, call_timeline;                                    /* tool_times.c */

#endif
