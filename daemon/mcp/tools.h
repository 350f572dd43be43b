/* tools.h - what an assistant may ask for. For this room only. */
#ifndef MCP_TOOLS_H
#define MCP_TOOLS_H

#include "base/json.h"
#include "base/jsonio.h"
#include "client/client.h"

struct tool {
    const char *name, *title, *description;
    bool changes; /* the device, or what is measured */
    /* Its arguments, up to one without a name. */
    struct tool_argument {
        const char *name, *type, *description; /* type as JSON Schema has it */
        bool must;
    } arguments[3];
    /* Answers with the text, which the caller frees; NULL with a sentence. Arguments are of the types above.
     */
    char *(*call)(const struct client *client, const struct jsonio *arguments, struct error *err);
};

extern const struct tool tools[]; /* the last has no name */

/* Writes the list of them, as tools/list answers it. */
void tools_write(struct json *json);

/* Calls the tool of that name. NULL with a sentence when there is none, an argument is wrong, or it failed.
 */
char *tools_call(const struct client *client, const char *name, const struct jsonio *arguments,
                 struct error *err);

#endif
