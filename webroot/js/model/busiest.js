// busiest.js - the functions with most self time, and those that changed since a mark, for short lists.

import { alignFunctions } from './align.js';
import { changeRows } from './changes.js';
import { tickScale } from './compare.js';
import { isPlaceholder } from './placeholder.js';

/** The `most` functions with most self time, or with most samples where no time is known: [{ fn, share (of all) }]. */
export function busiest({ functions }, most) {
  const figure = functions.some((fn) => fn?.self_ticks > 0) ? 'self_ticks' : 'samples';
  const told = functions.filter((fn) => fn?.[figure] > 0);
  const whole = told.reduce((sum, fn) => sum + fn[figure], 0);
  return told
    .filter((fn) => !isPlaceholder(fn))
    .sort((a, b) => b[figure] - a[figure] || a.id - b.id)
    .slice(0, most)
    .map((fn) => ({ fn, share: fn[figure] / whole }));
}

/**
 * The functions whose time per call changed significantly, by at least the share `least`: { rows: [{ name, id (in the
 * current profile), ratio }], others (number of functions that did not) }. `since`: `base` is an earlier state of
 * `current`, and only what came after it counts.
 */
export function changesSince(base, current, least, since) {
  const aligned = alignFunctions(base, current);
  const comparable = !Number.isNaN(tickScale(base, current));
  const rule = { unit: 'time', measure: 'call', since, seconds: { before: null, after: null } };
  const told = comparable ? changeRows(aligned, base, current, rule).filter(({ mean }) => mean.kind === 'both') : [];
  const moved = told.filter(({ mean }) => !mean.few && !mean.noise && Math.abs(mean.ratio - 1) >= least);
  return {
    rows: moved.sort((a, b) => b.impact - a.impact).map(({ entry, mean }) => ({ name: entry.name, id: entry.after.id, ratio: mean.ratio })),
    others: told.length - moved.length,
  };
}
