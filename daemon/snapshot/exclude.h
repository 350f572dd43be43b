/* exclude.h - chooses which functions to leave out of instrumentation, as a gcc option. */
#ifndef SNAPSHOT_EXCLUDE_H
#define SNAPSHOT_EXCLUDE_H

#include "snapshot/slowdown.h"

enum { EXCLUDE_FLAG_SIZE = 1600, EXCLUDE_ALSO_SIZE = 200, EXCLUDE_NAME_SIZE = 128, EXCLUDE_WORDS_SIZE = 300 };

/* Functions that are called often and are shorter than their hooks. When they are left out, their time is
 * counted for their callers. */
struct exclude_list {
    struct snapshot_slowdown slowdown; /* while all are measured; when unknown, nothing was chosen */
    /* "-finstrument-functions-exclude-function-list=a,b"; "" when there is no gain */
    char flag[EXCLUDE_FLAG_SIZE];
    uint32_t functions; /* that it leaves out and that were called */
    bool is_too_little; /* the list would gain less than 1 %, so it is empty */
    double faster;      /* how many times faster the program runs without their hooks */
    double hidden;      /* their share of all functions' own time, corrected; 0 to 1 */
    uint32_t also;      /* functions of the ELF that it also leaves out and that were not called */
    char also_names[EXCLUDE_ALSO_SIZE]; /* the first of these, "a, b" */
    uint32_t unnamable; /* short functions that the option cannot name without leaving out longer ones */
};

/* Chooses the functions. Each has less own time than its hooks. All its callers are instrumented, and none is
 * the main loop, whose own time is idle. Those that hide the least time for what they gain come first, until
 * nine tenths of the possible gain are reached.
 * A function is skipped if more than 5 % of own time would be hidden. gcc leaves out every function whose
 * name contains one of the list, so a name that also matches a longer function is not chosen. The list is
 * empty if it would gain less than 1 %. Returns false when memory is used up. */
bool exclude_list_make(const struct snapshot *snapshot, struct exclude_list *out);

/* "Without the hooks of 8 functions the program runs 30 % faster, and 3.1 % of own time counts for their
 * callers", without a full stop; "" where nothing was chosen. */
void exclude_list_words(const struct exclude_list *list, char out[static EXCLUDE_WORDS_SIZE]);

/* Writes the function's name as gcc compares it with the list: qualified, without parameters, without
 * arguments of a function template, without the suffix of a compiler's copy. Returns false, and writes "",
 * for names that are not certain: operators, lambdas, members of class templates, and characters with a
 * meaning to a shell. */
bool exclude_name(const char *name, bool is_mangled, char out[static EXCLUDE_NAME_SIZE]);

#endif
