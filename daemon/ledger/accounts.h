/* accounts.h - the accounts of the ledger (ledger.h): FLOW(name, unit, side, key, what), where `what` is for
 * the OpenAPI document, and ACCOUNT(name, unit, side, key, sentence) for missing data. In a sentence # is
 * replaced by the number, and ~ by "s" unless the number is 1. Losses are sorted by their importance.
 * Included more than once. */

/* Bytes of a dialect with packets, since the daemon started. BYTES_CAME is the sum of the others. */
FLOW(BYTES_CAME, BYTES, CAME, "came", "Everything that was read.")
FLOW(BYTES_AGAIN, BYTES, CAME, "read_again",
     "Read again after it was found out what they are; already in the others.")
FLOW(BYTES_READ, BYTES, SHOWN, "in_packets", "In whole packets.")
FLOW(BYTES_BEFORE, BYTES, IDLE, "before_first",
     "Before the first packet, such as what a target prints while it boots.")
FLOW(BYTES_BETWEEN, BYTES, IDLE, "between_packets", "Between good packets.")
FLOW(BYTES_CUT, BYTES, IDLE, "cut_off", "Of a last packet that the end of the input cut off.")
FLOW(BYTES_ENCODING, BYTES, IDLE, "encoding",
     "That packets written as text take more than the packets themselves.")
FLOW(BYTES_WAITING, BYTES, PENDING, "waiting", "Of a packet that is not whole yet.")

/* Calls. CALLS_TOLD is the sum of the others, unless calls are counted as arcs. */
FLOW(CALLS_TOLD, CALLS, CAME, "told", "Reported by the target.")
FLOW(CALLS_SHOWN, CALLS, SHOWN, "shown", "Counted in the rows of functions.")
FLOW(CALLS_RUNNING, CALLS, PENDING, "running", "Not returned yet.")
FLOW(CALLS_WAITING, CALLS, PENDING, "waiting", "Not counted yet, as their caller has not returned.")
FLOW(CALLS_UNFINISHED, CALLS, IDLE, "unfinished", "Whose end was not reported; their time so far is counted.")
FLOW(CALLS_REFUSED, CALLS, MERGED, "refused", "Summed up as (other): too deep, or of one context too many.")
FLOW(CALLS_CLEARED, CALLS, DISCARDED, "cleared", "Discarded without an order of the user.")

/* Ticks. TICKS_OWN is the sum over the functions, TICKS_TREE over the tree, and TICKS_RAN over the contexts, if their
 * running times are known. All three must be equal. */
FLOW(TICKS_RAN, TICKS, CAME, "ran", "In which contexts ran.")
FLOW(TICKS_OWN, TICKS, SHOWN, "own", "Own time of all functions together.")
FLOW(TICKS_TREE, TICKS, SHOWN, "tree", "Own time of all nodes of the call tree together.")
FLOW(TICKS_OUTSIDE, TICKS, SHOWN, "outside", "Of these, outside of instrumented functions.")
FLOW(TICKS_UNKNOWN, TICKS, SHOWN, "unknown", "Of these, in functions that are not known.")

/* Data known to be missing since the user cleared the profile. */
ACCOUNT(OVERFLOWS, TIMES, LOSS, "overflows",
        "The target's buffer overflowed # time~: the number of dropped calls is unknown, so shares and "
        "counts may be far off.")
ACCOUNT(RECORDS_LOST, RECORDS, LOSS, "records", "# record~ of calls were lost.")
ACCOUNT(PACKETS_BAD, RECORDS, LOSS, "packets", "# packet~ came damaged, or could not be read.")
ACCOUNT(BYTES_DROPPED, RECORDS, LOSS, "dropped",
        "# byte~ of the line found no room in the buffer: the machine that read it did not keep up.")
ACCOUNT(BYTES_LOST, RECORDS, LOSS, "bytes", "# byte~ between good packets belonged to none.")
ACCOUNT(
    TIMES_BACKWARDS, TIMES, LOSS, "backwards",
    "# time~ a call had ended before one received earlier: a packet came late, or the target was silent for "
    "longer than its clock can count.")
ACCOUNT(CALLS_OVERLAP, RECORDS, LOSS, "overlaps",
        "# call~ began before another one of the same depth ended: several tasks are sent as one stack, so "
        "callers, and times without callees, may be wrong.")
ACCOUNT(CALLS_OF_ANY_TASK, RECORDS, LOSS, "any_task",
        "# call~ came without the task that made them, and the target has room for several: where one "
        "ran in the midst of another, callers may be wrong. Mode stream or tree shows it.")
ACCOUNT(RECORDS_UNTIMED, RECORDS, LOSS, "untimed",
        "# record~ came while the target's timer stood still: their times are not known.")
ACCOUNT(TICKS_UNTOLD, RECORDS, LOSS, "ticks_untold",
        "# tick~ of a call tree that was stopped did not come: calls and times of its functions are too low.")
ACCOUNT(ROWS_UNTOLD, RECORDS, LOSS, "rows_untold",
        "# row~ of a call tree that was stopped did not come: calls of its functions are missing.")
ACCOUNT(WINDOWS_LOST, RECORDS, LOSS, "windows",
        "# window~ around a slow call did not arrive, or not whole: the timeline lacks calls there, and the "
        "sums of the call tree have them.")
ACCOUNT(ENDS_MISSING, RECORDS, LOSS, "ends", "# begin~ or end~ of functions are missing.")
ACCOUNT(CALLERS_UNKNOWN, RECORDS, LOSS, "callers", "The caller of # call~ is not known.")
ACCOUNT(ROWS_MERGED, RECORDS, LOSS, "rows_merged", "# row~ beyond a ceiling are summed up as \"(other)\".")
ACCOUNT(CALLS_MERGED, RECORDS, LOSS, "calls_merged",
        "The target had no room for # call~: they are summed up as \"(other)\".")
ACCOUNT(
    SHORTAGES, TIMES, LOSS, "shortages",
    "This machine ran out of memory # time~ while this was added up: calls, times and names may be missing.")
ACCOUNT(RECORDS_UNSHOWN, RECORDS, LOSS, "records_unshown", "# record~ came, and nothing is made of them.")
