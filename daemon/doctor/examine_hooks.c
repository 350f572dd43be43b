/* examine_hooks.c - checks whether the program's code is instrumented.
 *
 * A compiler option makes each function call a hook. This finds such calls in code of Thumb, and of x86-64, where a
 * call may begin at any byte. The agent calls its hooks, too, to measure their cost; these calls do not count. */
#include "doctor/examine.h"

#include "symbol/symtab.h"

#include <stdio.h>
#include <string.h>

enum { RANGES_MOST = 256, HOOK_NAME_SIZE = 64, PIECE = 4096, X86_CALL = 0xE8, X86_CALL_BYTES = 5 };

/* The functions that are called at the begin of each function compiled with the option. mcount of -pg has many
 * names. */
static const struct hook {
    const char *name, *option;
} hooks[] = {
    {"__cyg_profile_func_enter", "-finstrument-functions"},
    {"__gnu_mcount_nc", "-pg"},
    {"_mcount", "-pg"},
    {"mcount", "-pg"},
    {"__fentry__", "-pg -mfentry"},
};
enum { HOOKS = sizeof hooks / sizeof *hooks };

/* The calls to a hook that were found. */
struct hook_calls {
    const struct symtab *symtab;
    uint64_t hook, veneer; /* addresses; a linker inserts a veneer to reach a distant hook */
    uint64_t calls, of_agent;
    uint32_t functions, last; /* that call it, without the agent's; the last of them */
};

/* True for the agent's functions: in files mpt*.c, or without lines by their names. */
static bool is_of_agent(const struct symbol *symbol)
{
    if (!symbol->file)
        return strncmp(symbol->raw_name, "mpt_", 4) == 0;
    const char *slash = strrchr(symbol->file, '/');
    return strncmp(slash ? slash + 1 : symbol->file, "mpt", 3) == 0;
}

/* Counts a call, or a pointer for a call (-mlong-calls), in the function at `address`. */
static void count_hook_call(struct hook_calls *found, uint64_t address)
{
    uint32_t caller = symtab_find(found->symtab, address);
    if (caller != SYMTAB_NONE && is_of_agent(symtab_at(found->symtab, caller))) {
        found->of_agent++;
        return;
    }
    found->calls++;
    found->functions += caller == SYMTAB_NONE || caller != found->last;
    found->last = caller;
}

static void count_thumb_calls(struct hook_calls *found, struct symtab_range range)
{
    uint64_t destination;
    for (uint64_t at = range.start + 4; at <= range.end && at > range.start; at += 2)
        if (symtab_call_before(found->symtab, at, &destination) && destination != 0 &&
            (destination == found->hook || destination == found->veneer))
            count_hook_call(found, at - 4);
}

/* Counts literals with the hook's address, for calls through a register. */
static void count_thumb_pointers(struct hook_calls *found, struct symtab_range range)
{
    const bool big_endian = symtab_cpu(found->symtab)->big_endian;
    const uint32_t wanted = (uint32_t)found->hook | 1;
    uint8_t word[4];
    for (uint64_t at = (range.start + 3) & ~UINT64_C(3); at + 4 <= range.end && at >= range.start; at += 4) {
        if (symtab_read(found->symtab, at, word, 4) < 4)
            return;
        uint32_t value =
            big_endian ? (uint32_t)word[0] << 24 | (uint32_t)word[1] << 16 | (uint32_t)word[2] << 8 | word[3]
                       : (uint32_t)word[3] << 24 | (uint32_t)word[2] << 16 | (uint32_t)word[1] << 8 | word[0];
        if (value == wanted)
            count_hook_call(found, at);
    }
}

static void count_x86_calls(struct hook_calls *found, struct symtab_range range)
{
    uint8_t piece[PIECE];
    for (uint64_t at = range.start; at + X86_CALL_BYTES <= range.end;) {
        uint64_t left = range.end - at;
        size_t n = symtab_read(found->symtab, at, piece, left < PIECE ? (size_t)left : PIECE);
        if (n == 0)
            return;
        for (size_t i = 0; i + X86_CALL_BYTES <= n; i++) {
            int32_t distance;
            memcpy(&distance, piece + i + 1, sizeof distance);
            if (piece[i] == X86_CALL && at + i + X86_CALL_BYTES + (uint64_t)(int64_t)distance == found->hook)
                count_hook_call(found, at + i);
        }
        at += n < X86_CALL_BYTES ? n
                                 : n - X86_CALL_BYTES + 1; /* end of a section, or of a piece with overlap */
    }
}

static struct hook_calls find_hook_calls(const struct symtab *symtab, int hook, uint32_t symbol)
{
    struct symtab_range ranges[RANGES_MOST];
    struct hook_calls found = {
        .symtab = symtab, .hook = symtab_at(symtab, symbol)->address, .last = SYMTAB_NONE};
    char name[HOOK_NAME_SIZE];
    snprintf(name, sizeof name, "__%s_veneer", hooks[hook].name);
    uint32_t veneer = symtab_find_name(symtab, name);
    found.veneer = veneer == SYMTAB_NONE ? 0 : symtab_at(symtab, veneer)->address;
    size_t n = symtab_code_ranges(symtab, ranges, RANGES_MOST);
    for (size_t i = 0; i < n && i < RANGES_MOST; i++)
        if (symtab_cpu(symtab)->is_arm)
            count_thumb_calls(&found, ranges[i]);
        else if (symtab_cpu(symtab)->machine == MACHINE_X86_64)
            count_x86_calls(&found, ranges[i]);
    for (size_t i = 0; i < n && i < RANGES_MOST && symtab_cpu(symtab)->is_arm && found.calls == 0; i++)
        count_thumb_pointers(&found, ranges[i]);
    return found;
}

/* False for a file with symbols only (objcopy --only-keep-debug), where no call can be found. */
static bool has_code(const struct symtab *symtab, uint64_t address)
{
    uint8_t byte;
    return symtab_read(symtab, address, &byte, 1) == 1;
}

static void examine_hook(struct examination *examination, const struct symtab *symtab, int hook,
                         uint32_t symbol)
{
    const char *path = symtab_file(symtab, symtab_file_of(symtab, symbol)).place->path;
    const struct hook_calls found = find_hook_calls(symtab, hook, symbol);
    if (found.calls > 0 && found.functions > symtab_count(symtab)) /* most have no names any more */
        examine_say(examination, VERDICT_OK, "The code of %s calls %s from %llu places.", path,
                    hooks[hook].name, (unsigned long long)found.calls);
    else if (found.calls > 0)
        examine_say(examination, VERDICT_OK,
                    "The code of %s calls %s from %llu place%s, in %u of %u functions.", path,
                    hooks[hook].name, (unsigned long long)found.calls, found.calls == 1 ? "" : "s",
                    found.functions, symtab_count(symtab));
    else if ((symtab_cpu(symtab)->is_arm && has_code(symtab, found.hook)) || found.of_agent > 0)
        examine_say(
            examination, VERDICT_FAIL,
            "%s has %s, but no function outside the agent calls it, so no call would come; compile the code "
            "that you want to see with %s.",
            path, hooks[hook].name, hooks[hook].option);
    else
        examine_say(examination, VERDICT_OK, "%s has %s, which code compiled with %s calls.", path,
                    hooks[hook].name, hooks[hook].option);
}

void examine_hooks(struct examination *examination, const struct symtab *symtab, bool needs_hooks)
{
    const char *path = symtab_file(symtab, 0).place->path;
    size_t others = symtab_file_count(symtab) - 1;
    for (int i = 0; i < HOOKS; i++) {
        uint32_t symbol = symtab_find_name(symtab, hooks[i].name);
        if (symbol == SYMTAB_NONE)
            continue;
        examine_hook(examination, symtab, i, symbol);
        return;
    }
    if (needs_hooks)
        examine_say(
            examination, VERDICT_WARN,
            "%s has neither __cyg_profile_func_enter nor mcount, so nothing in it reports calls by itself%s; "
            "add the agent and compile with -finstrument-functions (firmware-ref/README.md).",
            path, others > 0 ? ", nor has another file that was given" : "");
}
