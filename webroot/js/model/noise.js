// noise.js - whether a change of call times is significant, and a verdict over all functions.

import { count, dash, percent, plural } from './format.js';
import { shorten } from './names.js';

export const callsLeast = 20; // a side: with fewer the spread of calls is unknown
const sigmas = 3;
const namedMost = 2;
const nameRoom = 32; // characters: both sides of the verdict must fit into a line

/**
 * True when a change of the mean ticks of a call is within what chance does: too few calls on a side, or less than three
 * standard errors. before, after: { fn (as the daemon sends it, null: not there), calls (that the mean is of), mean, scale }.
 * Of calls whose spread is not known the number alone decides.
 */
export function isNoise(before, after) {
  if (!(before.calls > 0 && after.calls > 0)) return false;
  if (Math.min(before.calls, after.calls) < callsLeast) return true;
  const [a, b] = [before, after].map(({ fn, calls, scale = 1 }) => ((fn?.stddev_ticks ?? 0) * scale) ** 2 / calls);
  return Math.abs(after.mean - before.mean) <= sigmas * Math.sqrt(a + b);
}

const named = (rows) =>
  rows
    .sort((a, b) => b.impact - a.impact)
    .slice(0, namedMost)
    .map(({ entry, mean }) => `${shorten(entry.name, nameRoom)} ${mean.after > mean.before ? '+' : '−'}${percent(Math.abs(mean.ratio - 1))}`)
    .join(', ');

/**
 * A line that sums up the rows of changeRows(): { text, trend: 'more' | 'less' | '' }. `least` is the share that counts
 * as a change. The total is the self time for the present number of calls, of functions that both sides have called
 * often enough.
 */
export function verdictOf(rows, least) {
  const both = rows.filter(({ mean }) => mean.kind === 'both');
  const few = both.filter(({ mean }) => mean.few);
  const told = both.filter(({ mean }) => !mean.few);
  if (both.length === 0 && rows.some(({ mean }) => mean.untold))
    return { text: 'The time of one call is unknown for them, so there is no verdict on that; shares and totals can be compared.', trend: '' };
  if (told.length === 0)
    return { text: `Not enough to say yet: a function has to be called ${callsLeast} times before and after.`, trend: '' };
  const moved = told.filter(({ mean }) => !mean.noise && Math.abs(mean.ratio - 1) >= least);
  const unsure = told.filter(({ mean }) => mean.noise && Math.abs(mean.ratio - 1) >= least);
  const slower = moved.filter(({ mean }) => mean.delta > 0);
  const faster = moved.filter(({ mean }) => mean.delta < 0);
  const sum = (side) => told.reduce((all, { self }) => all + (self === null ? 0 : self[side] * self.calls), 0);
  const [before, after] = [sum('before'), sum('after')];
  const whole = before > 0 ? after / before - 1 : 0;
  const isTold = moved.length > 0 && Math.abs(whole) >= Math.min(least, 0.01);
  const parts = [
    isTold ? `The same calls take ${percent(Math.abs(whole))} ${whole > 0 ? 'longer' : 'less'} than before.` : 'The same calls take as long as before.',
    slower.length > 0 ? `${plural(slower.length, 'function')} slower (${named(slower)})` : '',
    faster.length > 0 ? `${plural(faster.length, 'function')} faster (${named(faster)})` : '',
    `${count(told.length - moved.length - unsure.length)} as before`,
    unsure.length > 0 ? `${count(unsure.length)} changed within noise` : '',
    few.length > 0 ? `${count(few.length)} called too rarely to say` : '',
  ].filter(Boolean);
  return { text: `${parts[0]} ${parts.slice(1).join(', ')}.`, trend: isTold ? (whole > 0 ? 'more' : 'less') : '' };
}

/** The verdict's replacement if the two are different programs (strangers() of align.js). */
export const strangersWords = ({ before, after, shared }) =>
  `This is another firmware: ${shared === 0 ? 'none' : `only ${count(shared)}`} of its functions ${shared === 1 ? 'has' : 'have'} the same name (${count(before)} before, ${count(after)} after), too few to say faster or slower.`;

/** A figure of a call before and after, such as its p99, as text; `text(value)` formats it. */
export const bothSides = ({ before, after }, text) =>
  before === null && after === null ? dash : `${before === null ? dash : text(before)} → ${after === null ? dash : text(after)}`;
