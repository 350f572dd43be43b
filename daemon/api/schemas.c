/* schemas.c - what the JSON of a snapshot holds, for the OpenAPI document. */
#include "api/schemas.h"

#include "base/bound.h"
#include "snapshot/figures.h"

#include <stdio.h>

void schemas_refer(const char *key, const char *name, struct json *json)
{
    char reference[64];
    snprintf(reference, sizeof reference, "#/components/schemas/%s", name);
    json_object_open(json, key);
    json_text(json, "$ref", reference);
    json_object_close(json);
}

static const char *type_of(const struct figure *figure)
{
    static const char *const types[] = {[FIGURE_U64] = "integer",
                                        [FIGURE_DOUBLE] = "number",
                                        [FIGURE_MEAN] = "number",
                                        [FIGURE_TEXT] = "string"};
    return types[figure->type];
}

static void write_figure(const struct figure *figure, struct json *json)
{
    bool always_known = !figure->known && !figure->has && figure->type != FIGURE_TEXT;
    json_object_open(json, figure->key);
    json_array_open(json, "type");
    json_text(json, NULL, type_of(figure));
    if (!always_known)
        json_text(json, NULL, "null");
    json_array_close(json);
    json_text(json, "title", figure->title);
    json_text(json, "description", figure->help);
    json_text(json, "x-unit", figure_unit_name(figure->unit));
    json_object_close(json);
}

/* A member that is no figure. */
struct member {
    const char *key, *type, *help;
    bool may_be_null;
};

static void write_member(const struct member *member, struct json *json)
{
    json_object_open(json, member->key);
    json_array_open(json, "type");
    json_text(json, NULL, member->type);
    if (member->may_be_null)
        json_text(json, NULL, "null");
    json_array_close(json);
    json_text(json, "description", member->help);
    json_object_close(json);
}

static void open_object(const char *name, struct json *json)
{
    json_object_open(json, name);
    json_text(json, "type", "object");
    json_object_open(json, "properties");
}

static void close_object(struct json *json)
{
    json_object_close(json);
    json_object_close(json);
}

static void write_members(const struct member *member, struct json *json)
{
    for (; member->key; member++)
        write_member(member, json);
}

static void write_link(struct json *json)
{
    open_object("link", json);
    for (const struct figure *figure = figures_link; figure->key; figure++)
        write_figure(figure, json);
    close_object(json);
}

/* Names and places of it are left out here. */
static void write_function(struct json *json)
{
    static const struct member of_function[] = {{"corrected_is_rough", "boolean",
                                                 "More than half of its own time was taken off: what is left "
                                                 "is as rough as corrected_error_ticks says. "
                                                 "Null where no time is corrected.",
                                                 true},
                                                {0}};
    open_object("function", json);
    for (const struct figure *figure = figures_function; figure->key; figure++)
        write_figure(figure, json);
    write_members(of_function, json);
    close_object(json);
}

static void write_array(const char *key, const char *name, struct json *json)
{
    json_object_open(json, key);
    json_text(json, "type", "array");
    schemas_refer("items", name, json);
    json_object_close(json);
}

/* What a target tells of itself when it is asked; the rest of it is left out here. */
static void write_target(struct json *json)
{
    static const struct member of_target[] = {
        {"mode", "string", "How it tells its calls: calls, stream or tree; null when nobody knows.", true},
        {"mode_wanted", "string", "How it is to, where it has a choice: auto, calls, stream or tree."},
        {"clock_ratio", "number",
         "Ticks per second of this machine's clock, divided by ticks_per_second; null while it is not known, "
         "as in captures without times of arrival.",
         true},
        {"clock_doubt", "string",
         "What is wrong with the target's clock and what to do; null when nothing is known to be.", true},
        {0}};
    static const struct member of_description[] = {
        {"versions", "array", "Versions of PROFILE_DATA that it can send: 1 calls, 2 stream, 3 tree."},
        {"tick_hz", "integer", "Ticks per second in mode stream."},
        {"ring_calls", "integer", "Calls that its buffer holds."},
        {"stack_depth", "integer", "Calls on a stack that are measured."},
        {"tasks", "integer", "Tasks that are told apart."},
        {"packet_bytes", "integer", "Bytes of a full payload in mode stream."},
        {"hook_ticks", "number",
         "Ticks of tick_hz that measuring adds to a call in modes calls and stream; null when nobody knows.",
         true},
        {0}};
    static const struct member of_tree[] = {
        {"nodes", "integer", "Nodes of its call tree that it has room for."},
        {"needed", "integer", "Nodes that all chains of callers so far would take, to some 6 %."},
        {"needs_more", "boolean", "It may be far more than `needed`."},
        {"node_bytes", "integer", "Its memory that a further node takes; null when nobody knows.", true},
        {0}};
    static const struct member of_setting[] = {{"name", "string", "What to call it when it is set."},
                                               {"unit", "string", "What its value is counted in."},
                                               {"least", "integer", "The least value."},
                                               {"most", "integer", "The greatest value."},
                                               {"value", "integer", "The value, as the target tells it."},
                                               {0}};
    open_object("target", json);
    write_members(of_target, json);
    schemas_refer("description", "description", json);
    schemas_refer("tree", "tree_room", json);
    schemas_refer("trigger", "trigger", json);
    close_object(json);
    open_object("tree_room", json);
    write_members(of_tree, json);
    close_object(json);
    open_object("description", json);
    write_members(of_description, json);
    write_array("settings", "setting", json);
    close_object(json);
    open_object("setting", json);
    write_members(of_setting, json);
    close_object(json);
}

/* Null as a whole where it is not known. */
static void write_known_array(const char *key, const char *name, struct json *json)
{
    json_object_open(json, key);
    json_array_open(json, "type");
    json_text(json, NULL, "array");
    json_text(json, NULL, "null");
    json_array_close(json);
    schemas_refer("items", name, json);
    json_object_close(json);
}

static void write_measurement(struct json *json)
{
    static const struct member of_work[] = {{"function", "string", "That is to be called so often."},
                                            {"calls", "integer", "So often."},
                                            {"counted", "integer", "How often it was called."},
                                            {0}};
    static const struct member of_measurement[] = {{"ended_by", "string",
                                                    "work, duration, signal, source (the recording or stream "
                                                    "ended) or gone (the device, for good); null "
                                                    "while it goes on.",
                                                    true},
                                                   {0}};
    open_object("work", json);
    write_members(of_work, json);
    close_object(json);
    open_object("measurement", json);
    schemas_refer("work", "work", json);
    write_members(of_measurement, json);
    close_object(json);
}

static void write_measured_with(struct json *json)
{
    static const struct member of_measured[] = {
        {"name", "string",
         "As the target tells it: shortest, depth, window (a trigger is armed) or another."},
        {"unit", "string", "What its value is counted in."},
        {"value", "integer",
         "The value that the profile was measured with; of several, the last that is not the default."},
        {"default", "integer", "The value at which nothing is left out; null when it is not known.", true},
        {"throughout", "boolean", "It held all the time; false: for a part of the profile."},
        {0}};
    open_object("measured_setting", json);
    write_members(of_measured, json);
    close_object(json);
}

static void write_context(struct json *json)
{
    static const struct member of_context[] = {
        {"id", "integer", "Its place in the snapshot; what the call tree's column context says."},
        {"name", "string", "What it is called."},
        {"kind", "string", "thread, idle, isr or unknown."},
        {"running_ticks", "integer",
         "In which the processor ran it. This and what follows is left out where the target does not tell "
         "which "
         "context runs, and of a range of which not all is held."},
        {"preempted_ticks", "integer", "In which it could have run, and another did."},
        {"blocked_ticks", "integer", "In which it waited for something."},
        {"load_percent", "number",
         "Share of the time in which any context is known to have run; null before.", true},
        {"stack_bytes", "integer",
         "Of the deepest stack that was seen: the frames along one chain of calls; null without frames in "
         "the "
         "ELF, or calls.",
         true},
        {"stack_unknown", "integer",
         "Places of its call tree whose frame the ELF does not tell; more than 0: stack_bytes is the least.",
         true},
        {"stack_node", "integer",
         "The index in call_tree of the innermost node of that chain; parents lead to the others.", true},
        {0}};
    open_object("context", json);
    write_members(of_context, json);
    close_object(json);
}

static void write_checkpoint(struct json *json)
{
    static const struct member of_checkpoint[] = {
        {"id", "integer", "Its place in the snapshot."},
        {"name", "string", "Of the pair, or of what the target averaged; null when nobody named it.", true},
        {"topic", "integer", "Of the checkpoint at which it begins; null: an average that the target told.",
         true},
        {"from", "integer", "That checkpoint.", true},
        {"to_topic", "integer", "Of the checkpoint at which it ends.", true},
        {"to", "integer", "That checkpoint.", true},
        {"topic_name", "string", "As the names file has it, as all these names.", true},
        {"from_name", "string", "Of the checkpoint at which it begins.", true},
        {"to_topic_name", "string", "Of the topic in which it ends.", true},
        {"to_name", "string", "Of the checkpoint at which it ends.", true},
        {"context", "string", "Where it begins: secure, non-secure, 1 or 2."},
        {"to_context", "string", "Where it ends, whose calibration was taken off.", true},
        {"count", "integer", "How often it was measured.", true},
        {"first_ticks", "integer", "The first measurement.", true},
        {"min_ticks", "integer", "The shortest.", true},
        {"max_ticks", "integer", "The longest.", true},
        {"mean_ticks", "number", "On average.", true},
        {0}};
    open_object("checkpoint", json);
    write_members(of_checkpoint, json);
    close_object(json);
}

static void write_trigger(struct json *json)
{
    static const struct member of_trigger[] = {
        {"when", "string", "The function and the time, such as control_cycle>500us."},
        {"function", "string", "The function's name, or its address."},
        {"address", "string", "Of the function."},
        {"over_ns", "integer", "A call that takes longer than so many nanoseconds."},
        {"state", "string",
         "watching: long calls are listed as they come; arming: the device is being told; armed: it keeps a "
         "window at each; failed: it does not."},
        {"detail", "string", "Why it failed, in a sentence.", true},
        {0}};
    open_object("trigger", json);
    write_members(of_trigger, json);
    close_object(json);
}

static void write_windows(struct json *json)
{
    static const struct member of_windows[] = {
        {"excerpts", "boolean", "When calls ran is known inside of windows only: the target counts them."},
        {"told", "integer", "How many there were in all."},
        {"missed", "integer", "Triggers of which nothing was kept."},
        {0}};
    static const struct member of_window[] = {
        {"number", "integer", "Its number among all of them, from 0 on."},
        {"from", "integer", "Tick at which it begins."},
        {"to", "integer", "Tick up to which it is known."},
        {"reason", "string", "slow: a call took too long; asked: somebody asked for it.", true},
        {"ticks", "integer", "Tick at which that call ended, or it was asked for.", true},
        {"function", "integer", "Id of that call's function.", true},
        {"duration", "integer", "Ticks that the call took.", true},
        {"missed", "integer", "Triggers before it of which nothing was kept."},
        {"lost", "integer", "Calls inside of it that did not come."},
        {"excerpt", "boolean", "The target sent it; false: the call is listed, and all around it is known."},
        {"state", "string", "open: more of it may come; whole; cut: a part of it is missing."},
        {0}};
    open_object("windows", json);
    write_members(of_windows, json);
    write_array("rows", "window", json);
    close_object(json);
    open_object("window", json);
    write_members(of_window, json);
    close_object(json);
}

/* The figures that a limit can be put on, and what each is. */
static void write_limit_figure(struct json *json)
{
    json_object_open(json, "figure");
    json_text(json, "type", "string");
    json_text(json, "description", "What of the function is limited; x-meaning says what each is.");
    json_array_open(json, "enum");
    for (int i = 0; i < BOUND_FIGURES; i++)
        json_text(json, NULL, bound_figure_info((enum bound_figure)i)->name);
    json_array_close(json);
    json_object_open(json, "x-meaning");
    for (int i = 0; i < BOUND_FIGURES; i++) {
        const struct bound_figure_info *info = bound_figure_info((enum bound_figure)i);
        json_text(json, info->name, info->help);
    }
    json_object_close(json);
    json_object_close(json);
}

static void write_limit(struct json *json)
{
    static const struct member of_limit[] = {
        {"id", "integer", "Its number, which no other limit of this run has."},
        {"limit", "string", "Function, figure and value, such as control_cycle:p99<500us."},
        {"name", "string", "The function's name, or its address, as it was given."},
        {"unit", "string", "Of its values: ns, calls, per_second or percent."},
        {"function", "integer", "Id of the function, once something was told of it.", true},
        {"state", "string",
         "waits: nothing is there yet to judge; kept: so far; broken: once or more since the profile was "
         "cleared; unknown: the target does not tell it."},
        {"detail", "string", "Why it waits, or cannot be judged, in a sentence.", true},
        {"judged", "integer", "Calls, periods, seconds or snapshots that were held against it."},
        {"breaches", "integer", "How often it was not kept."},
        {"broken_now", "boolean", "Of what calls add up to: it was not kept when it was judged last."},
        {"now", "number", "Of what calls add up to: the value then.", true},
        {"first", "object", "The first breach: from, ticks, at (the wall clock's time), value.", true},
        {"last", "object", "The last one, likewise.", true},
        {"worst", "object", "The worst one, likewise.", true},
        {0}};
    open_object("limit", json);
    write_members(of_limit, json);
    write_limit_figure(json);
    close_object(json);
}

/* The accounts of one unit. */
static void write_accounts(const char *name, enum ledger_unit unit, struct json *json)
{
    json_object_open(json, name);
    json_text(json, "type", "object");
    json_object_open(json, "properties");
    for (int i = 0; i < ACCOUNTS; i++) {
        if (ledger_rows[i].unit != unit)
            continue;
        json_object_open(json, ledger_rows[i].key);
        json_text(json, "type", "integer");
        json_object_close(json);
    }
    json_object_close(json);
    json_object_close(json);
}

static void write_ledger(struct json *json)
{
    static const struct member of_ledger[] = {
        {"adds_up", "boolean", "Sums that have to be equal are: false is a mistake of miniprofd."}, {0}};
    open_object("ledger", json);
    write_members(of_ledger, json);
    write_accounts("bytes", LEDGER_BYTES, json);
    write_accounts("calls", LEDGER_CALLS, json);
    write_accounts("ticks", LEDGER_TICKS, json);
    close_object(json);
}

static void write_slowdown(struct json *json)
{
    static const struct member of_slowdown[] = {
        {"factor", "number",
         "The time in which the measured calls ran, divided by what is left of it without their hooks; null "
         "when that is not known.",
         true},
        {"at_least", "boolean", "Calls are missing, whose hooks took time as well."},
        {"hook_ticks", "integer", "Ticks that the hooks of all calls took; null when that is not known.",
         true},
        {"ticks", "integer",
         "Ticks in which the measured calls ran, hooks included and idle time left out; null likewise.",
         true},
        {"short_functions", "integer",
         "Functions whose own time is shorter than their hooks, on average; null likewise.", true},
        {"short_hook_ticks", "integer", "Ticks that the hooks of these took; null likewise.", true},
        {"words", "string", "The same in a sentence, or why it is not known."},
        {0}};
    open_object("slowdown", json);
    write_members(of_slowdown, json);
    close_object(json);
}

static void write_snapshot(struct json *json)
{
    open_object("snapshot", json);
    schemas_refer("link", "link", json);
    schemas_refer("ledger", "ledger", json);
    schemas_refer("slowdown", "slowdown", json);
    schemas_refer("target", "target", json);
    schemas_refer("measurement", "measurement", json);
    write_known_array("measured_with", "measured_setting", json);
    write_array("functions", "function", json);
    write_array("contexts", "context", json);
    write_array("checkpoints", "checkpoint", json);
    schemas_refer("windows", "windows", json);
    write_array("limits", "limit", json);
    close_object(json);
}

void schemas_write(struct json *json)
{
    json_object_open(json, "components");
    json_object_open(json, "schemas");
    write_snapshot(json);
    write_target(json);
    write_measurement(json);
    write_measured_with(json);
    write_context(json);
    write_checkpoint(json);
    write_trigger(json);
    write_windows(json);
    write_limit(json);
    write_ledger(json);
    write_slowdown(json);
    write_function(json);
    write_link(json);
    json_object_close(json);
    json_object_close(json);
}
