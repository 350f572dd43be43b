// axis.js - formats times of the target, and computes the marks of a time axis.

import { count } from './format.js';

const ofSeconds = [
  [1, ' s'],
  [1e-3, ' ms'],
  [1e-6, ' µs'],
  [1e-9, ' ns'],
];
const ofTicks = [
  [1e9, ' G'],
  [1e6, ' M'],
  [1e3, ' k'],
  [1, ''],
];

/** How many decimals distinguish two values `step` apart. */
export const decimalsFor = (step) => Math.min(Math.max(Math.ceil(-Math.log10(step) - 1e-9), 0), 9);

function grouped(text) {
  const [whole, part] = text.split('.');
  const head = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return part === undefined ? head : `${head}.${part}`;
}

/** A moment in seconds since the counter was zero (or in ticks), with as many digits as distinguish moments `step` ticks apart. */
export function moment(ticks, ticksPerSecond, step = 1) {
  if (!ticksPerSecond) return `tick ${count(ticks)}`;
  return `${grouped((ticks / ticksPerSecond).toFixed(decimalsFor(Math.max(step, 1) / ticksPerSecond)))} s`;
}

/** The step of 1, 2 or 5 times a power of ten that is at least `least`. */
export function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  for (const step of [1, 2, 5]) if (step * power >= least * (1 - 1e-9)) return step * power;
  return 10 * power;
}

const lettersMost = 11; // in a mark of the requested width

/** The marks at least `least` units apart, as for axisMarks(). */
function marksApart(from, to, ticksPerSecond, least) {
  const perUnit = ticksPerSecond || 1;
  const step = Math.max(niceStep(least), 1 / perUnit);
  const units = ticksPerSecond ? ofSeconds : ofTicks;
  const [size, unit] = units.find(([one]) => step >= one * 0.0999) ?? units.at(-1);
  // Counted by number: adding up steps would add up rounding errors.
  const first = Math.ceil(from / perUnit / step - 1e-6);
  const last = Math.floor(to / perUnit / step + 1e-6);
  const isFar = size !== units[0][0] && Math.max(Math.abs(first), Math.abs(last)) * step >= 9999 * size;
  const decimals = decimalsFor(step / size);
  const textOf = (value) => (isFar ? `${grouped(value.toFixed(decimalsFor(step)))}${ticksPerSecond ? ' s' : ''}` : `${grouped((value / size).toFixed(decimals))}${unit}`);
  const marks = [];
  for (let i = first; i <= last && marks.length < 1000; i++) marks.push({ ticks: i * step * perUnit, text: textOf(i * step) });
  return { marks, step: step * perUnit };
}

/**
 * The marks of an axis from tick `from` to `to`, each at least `share` of it wide: { marks: [{ ticks, text }], step }.
 * Marks have the full time; if that takes many digits, there are fewer marks.
 */
export function axisMarks(from, to, ticksPerSecond, share) {
  const least = ((to - from) * share) / (ticksPerSecond || 1);
  const made = marksApart(from, to, ticksPerSecond, least);
  const longest = Math.max(...made.marks.map(({ text }) => text.length), 0);
  return longest > lettersMost ? marksApart(from, to, ticksPerSecond, Math.min((least * longest) / lettersMost, least * (0.5 / share))) : made;
}
