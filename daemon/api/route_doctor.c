/* route_doctor.c - the handler for the checks of `miniprofd doctor`, applied to the running session. */
#include "doctor/examine.h"
#include "api/query.h"
#include "api/routes.h"
#include "api/site.h"

/* Each scans the program's code, which takes milliseconds for megabytes. */
enum { ANSWERS_MOST = 2 };

/* True while no function was measured, which only functions with hooks can be. Other dialects than the agent's measure
 * without hooks, or under names of their own. */
static bool needs_hooks(const struct snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        if (snapshot->functions[i].kind == KIND_FUNCTION && snapshot->functions[i].calls > 0)
            return false;
    return snapshot_is_of_agent(&snapshot->source);
}

static void examine_all(struct examination *examination, const struct snapshot *snapshot)
{
    const char *elf = *snapshot->source.elf_name ? snapshot->source.elf_name : NULL;
    const char *one_of = snapshot->source.elf_count > 1 ? "One of " : "";
    const struct symtab *symtab = snapshot_symtab(snapshot);
    if (elf && snapshot->source.elf_state == ELF_UNREADABLE)
        examine_say(examination, VERDICT_FAIL,
                    "%s%s has changed and could not be read (%s), so names are those of the program before; "
                    "write the "
                    "file again, or start miniprofd again.",
                    one_of, elf, snapshot->source.elf_failure);
    else if (elf && snapshot->source.elf_state == ELF_READING)
        examine_say(
            examination, VERDICT_WARN,
            "%s%s has changed and is being read, and names are those of the program before; ask again.",
            one_of, elf);
    else if (elf && symtab)
        examine_program(examination, symtab, needs_hooks(snapshot));
    else if (elf)
        examine_say(examination, VERDICT_FAIL,
                    "%s%s could not be read, so there are no names; see what miniprofd printed about it.",
                    one_of, elf);
    else if (examine_has_addresses(snapshot))
        examine_say(examination, VERDICT_WARN,
                    "No ELF was given, so functions have addresses for names; start miniprofd with --elf.");
    examine_session(examination, elf, snapshot);
}

static void answer_doctor(struct site *site, const struct request *request, struct response *response)
{
    struct snapshot *snapshot = query_none(request, response) ? site_snapshot(site, response) : NULL;
    if (!snapshot)
        return;
    if (response_take_slot(response, &site->examinations, ANSWERS_MOST, "examinations")) {
        struct json json = response_json(response);
        struct examination examination = {.take = examine_write_finding, .user = &json};
        json_object_open(&json, NULL);
        json_array_open(&json, "findings");
        examine_all(&examination, snapshot);
        json_array_close(&json);
        json_u64(&json, "fails", examination.fails);
        json_object_close(&json);
    }
    snapshot_unref(snapshot);
}

const struct route routes_doctor[] = {
    {.method = "GET",
     .path = "/api/v1/doctor",
     .answer = answer_doctor,
     .id = "doctor",
     .summary = "What a profile needs, checked: a sentence for each check, with "
                "what to do, and a verdict: ok, warn or fail. `paste` is text to copy, where there is some.",
     .media_type = ROUTE_JSON,
     .schema = "doctor",
     .errors = {400, 503}},
    {0},
};
