// placeholder.js - rows of functions that stand for something the target has not said, and what each of them means.

const nameOf = (fn) => fn?.name ?? '';

/** Whether a row of functions (also one of a comparison) is no function of the firmware. */
export function isPlaceholder(fn) {
  const name = nameOf(fn);
  return name === '(other)' || (name.startsWith('[') && name.endsWith(']'));
}

/** One sentence for the details line, or '' for a real function. */
export function explain(fn) {
  if (!isPlaceholder(fn)) return '';
  const name = nameOf(fn);
  const depth = /^\[depth (\d+) /.exec(name)?.[1];
  if (/ running\]$/.test(name)) {
    return (
      `A function at call depth ${depth ?? '?'} that has not returned yet, such as a main loop or a task. ` +
      'What it has called is shown below; its name and time follow when it returns.'
    );
  }
  if (/ not seen\]$/.test(name)) {
    return (
      `The caller at call depth ${depth ?? '?'} was never reported: lost on the line, or entered before ` +
      'profiling began.'
    );
  }
  if (name === '(other)')
    return 'The daemon has reached its ceiling of rows; what came after is summed up here.';
  return 'A placeholder, not a function of the firmware.';
}
