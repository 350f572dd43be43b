// placeholder.js - rows of functions that stand for something the target has not reported, and their meanings.
//
// A row's kind shows it, never its name: the target's own functions may be called anything.

/** By kind: a sentence about the row with this number. */
const meanings = {
  running: (depth) =>
    `A function at call depth ${depth} that has not returned yet, such as a main loop or a task. ` +
    'What it has called is shown below; its name and time follow when it returns.',
  not_seen: (depth) =>
    `The caller at call depth ${depth} was never reported: lost on the line, or entered before profiling began.`,
  cycle: () => 'Functions that call each other in a circle: the cost is known only for all of them together.',
  outside: () => 'The processor ran a context here, and no instrumented function was on its stack.',
  unknown: () => 'Time in functions that the target has not named, such as those entered before profiling began.',
  below: () => 'The target had no node for these calls. Their time counts as self time of their functions.',
  interrupt: () => 'The processor itself calls the handler of an interrupt.',
  other: () => 'The daemon has reached its limit of rows; all others are summed up here.',
};

/** True when a row of functions (also one of a comparison) is no function of the firmware. */
export const isPlaceholder = (fn) => Object.hasOwn(meanings, fn?.kind ?? '');

const idles = 'Its own time is idle, and left out (busy | all).';
const stillRuns = 'It still runs: total and self are its time so far, and calls those that have returned.';

/** One sentence for the details line, or ''. */
export const explain = (fn) => (isPlaceholder(fn) ? meanings[fn.kind](fn.number ?? '?') : [fn?.running > 0 && stillRuns, fn?.idle_ticks > 0 && idles].filter(Boolean).join(' '));

const noCalls = { calls: null };
const nothing = { ...noCalls, total_ticks: null, self_ticks: null };
const hasTimes = new Set(['outside', 'unknown']);

/** The row as shown: a placeholder has no calls, and most have no times; the daemon sends 0 for these. */
export const figuresOf = (fn) => (isPlaceholder(fn) ? { ...fn, ...(hasTimes.has(fn.kind) ? noCalls : nothing) } : fn);
