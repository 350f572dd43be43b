/* accounts.h - where everything that comes is booked: ACCOUNT(name, unit, side, key, sentence) each; see
 * ledger.h. In a sentence # stands for the number, ~ for an "s" unless it is 1. Those of losses stand in the
 * order of what they cost. Included more than once. */

/* Bytes of a dialect with packets, since the daemon began to listen. BYTES_CAME = all others. */
ACCOUNT(BYTES_CAME, BYTES, CAME, "came", NULL)
ACCOUNT(BYTES_AGAIN, BYTES, CAME, "read_again", NULL) /* and undone, once it was found out what they are */
ACCOUNT(BYTES_READ, BYTES, SHOWN, "in_packets", NULL)
ACCOUNT(BYTES_BEFORE, BYTES, IDLE, "before_first", NULL)     /* what a target says while it boots */
ACCOUNT(BYTES_BETWEEN, BYTES, IDLE, "between_packets", NULL) /* see BYTES_LOST */
ACCOUNT(BYTES_CUT, BYTES, IDLE, "cut_off", NULL) /* of a last packet, by the end of the input or by ours */
ACCOUNT(BYTES_ENCODING, BYTES, IDLE, "encoding", NULL)  /* that packets in text take more than packets */
ACCOUNT(BYTES_WAITING, BYTES, PENDING, "waiting", NULL) /* for the rest of their packet */

/* Calls. CALLS_TOLD = all others, where calls are not known from arcs. */
ACCOUNT(CALLS_TOLD, CALLS, CAME, "told", NULL)
ACCOUNT(CALLS_SHOWN, CALLS, SHOWN, "shown", NULL) /* in functions, "(other)" among them */
ACCOUNT(CALLS_RUNNING, CALLS, PENDING, "running", NULL)
ACCOUNT(CALLS_WAITING, CALLS, PENDING, "waiting", NULL)    /* for their caller, before they are counted */
ACCOUNT(CALLS_UNFINISHED, CALLS, IDLE, "unfinished", NULL) /* of which no end was told: their time is in */
ACCOUNT(CALLS_REFUSED, CALLS, MERGED, "refused", NULL) /* deeper than a ceiling, or in one context too many */
ACCOUNT(CALLS_CLEARED, CALLS, DISCARDED, "cleared", NULL) /* without an order of the user */

/* Ticks. TICKS_OWN is the sum over the functions, TICKS_TREE over the tree, and TICKS_RAN over the contexts,
 * where it is known how long these ran: one number. */
ACCOUNT(TICKS_RAN, TICKS, CAME, "ran", NULL)
ACCOUNT(TICKS_OWN, TICKS, SHOWN, "own", NULL)
ACCOUNT(TICKS_TREE, TICKS, SHOWN, "tree", NULL)
ACCOUNT(TICKS_OUTSIDE, TICKS, SHOWN, "outside", NULL) /* of these, in no instrumented function */
ACCOUNT(TICKS_UNKNOWN, TICKS, SHOWN, "unknown", NULL) /* of these, in functions that nobody told */

/* What is known to be missing since the user cleared the profile. */
ACCOUNT(OVERFLOWS, TIMES, LOSS, "overflows",
        "The target's buffer overflowed # time~: nobody knows how many calls that dropped, so shares and "
        "counts may be far off.")
ACCOUNT(RECORDS_LOST, RECORDS, LOSS, "records", "# record~ of calls were lost.")
ACCOUNT(PACKETS_BAD, RECORDS, LOSS, "packets", "# packet~ came damaged, or could not be read.")
ACCOUNT(BYTES_DROPPED, RECORDS, LOSS, "dropped",
        "# byte~ of the line found no room in the buffer: the machine that read it did not keep up.")
ACCOUNT(BYTES_LOST, RECORDS, LOSS, "bytes", "# byte~ between good packets belonged to none.")
ACCOUNT(TIMES_BACKWARDS, TIMES, LOSS, "backwards",
        "# time~ a call had ended before one told earlier: a packet came late, or the target was silent for "
        "longer than its clock can tell.")
ACCOUNT(CALLS_OVERLAP, RECORDS, LOSS, "overlaps",
        "# call~ began before another one of the same depth ended: several tasks are told as one stack, so "
        "callers, and times without callees, may be wrong.")
ACCOUNT(CALLS_OF_ANY_TASK, RECORDS, LOSS, "any_task",
        "# call~ came without the task that made them, and the target has room for several: where one "
        "ran in the midst of another, callers may be wrong. Mode stream or tree tells.")
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
        "The target had no room to tell # call~ apart: they are summed up as \"(other)\".")
ACCOUNT(
    SHORTAGES, TIMES, LOSS, "shortages",
    "This machine had no memory left # time~ while this was added up: calls, times and names may be missing.")
ACCOUNT(RECORDS_UNSHOWN, RECORDS, LOSS, "records_unshown", "# record~ came, and nothing is made of them.")
