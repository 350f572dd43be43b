/* exclude.h - which functions to leave out of instrumentation, as an option of gcc. */
#ifndef SNAPSHOT_EXCLUDE_H
#define SNAPSHOT_EXCLUDE_H

#include "snapshot/slowdown.h"

enum { EXCLUDE_FLAG_SIZE = 1600, EXCLUDE_ALSO_SIZE = 200, EXCLUDE_NAME_SIZE = 128, EXCLUDE_WORDS_SIZE = 300 };

/* Functions that are called often and shorter than their hooks. What they do counts for their
 * callers then. */
struct exclude_list {
    struct snapshot_slowdown slowdown; /* with all of them measured; unknown: nothing was chosen */
    char
        flag[EXCLUDE_FLAG_SIZE]; /* "-finstrument-functions-exclude-function-list=a,b"; "": nothing to gain */
    uint32_t functions;          /* that it leaves out, of those that were called */
    bool is_too_little;          /* functions could be chosen, and would bring less than 1 %: none is */
    double faster;               /* how many times faster the program runs without their hooks */
    double hidden;               /* their share of all functions' own time, corrected; 0 to 1 */
    uint32_t also; /* functions of the ELF that were not called and that it leaves out as well */
    char also_names[EXCLUDE_ALSO_SIZE]; /* the first of these, "a, b" */
    uint32_t
        unnamable; /* short functions that the option cannot name, or not without others that are not short */
};

/* Chooses them: each has less time of its own than its hooks take, and is called by an instrumented function.
 * Those that hide the least for what they bring come first, until nine tenths of what could be gained are, or
 * 5 % of own time would be hidden. gcc leaves out every function whose name contains one of the list; a name
 * that would take one along that is not short is not chosen. What brings less than 1 % is no list. False when
 * memory is used up. */
bool exclude_list_make(const struct snapshot *snapshot, struct exclude_list *out);

/* "Without the hooks of 8 functions the program runs 1.3 times faster, and 3.1 % of own time counts for their
 * callers", without a full stop; "" where nothing was chosen. */
void exclude_list_words(const struct exclude_list *list, char out[static EXCLUDE_WORDS_SIZE]);

/* The function's name as gcc compares it with the list: qualified, without parameters, the arguments of a
 * function template, or what a compiler's copy has behind its name. False, and "", for what has none that is
 * certain: operators, lambdas, members of class templates, and characters that a shell might take for its
 * own. */
bool exclude_name(const char *name, bool is_mangled, char out[static EXCLUDE_NAME_SIZE]);

#endif
