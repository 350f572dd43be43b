// axis.js - moments of the target's time as people read them, and the marks of a time axis.

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

/** How many decimals tell two values `step` apart. */
export const decimalsFor = (step) => Math.min(Math.max(Math.ceil(-Math.log10(step) - 1e-9), 0), 9);

function grouped(text) {
  const [whole, part] = text.split('.');
  const head = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return part === undefined ? head : `${head}.${part}`;
}

/** A moment in seconds since the counter was zero (or in ticks), with as many digits as tell `step` ticks apart. */
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

/**
 * The marks of an axis from tick `from` to `to` with room for one in `share` of it: { base, baseText, marks: [{
 * ticks, text }], step }. Where a mark would need many digits, marks count from `base`, which is told by itself.
 */
export function axisMarks(from, to, ticksPerSecond, share) {
  const perUnit = ticksPerSecond || 1;
  const step = Math.max(niceStep(((to - from) * share) / perUnit), 1 / perUnit);
  const units = ticksPerSecond ? ofSeconds : ofTicks;
  const [size, unit] = units.find(([one]) => step >= one * 0.0999) ?? units.at(-1);
  // Marks are counted by their number, for adding up steps would add up errors.
  const first = Math.ceil(from / perUnit / step - 1e-6);
  const last = Math.floor(to / perUnit / step + 1e-6);
  const far = Math.max(Math.abs(first), Math.abs(last)) * step;
  const perBase = 10 ** Math.ceil(Math.log10(step) + 3 - 1e-9); // a thousand steps and more
  const relative = size !== units[0][0] && far >= 9999 * size;
  const base = relative ? Math.floor(from / perUnit / perBase + 1e-6) * perBase : 0;
  const decimals = decimalsFor(step / size);
  const marks = [];
  for (let i = first; i <= last && marks.length < 1000; i++) {
    const value = i * step;
    const shown = Math.abs(value - base) < step / 1000 ? 0 : (value - base) / size;
    const text = `${relative && shown >= 0 ? '+' : ''}${grouped(shown.toFixed(decimals))}${unit}`;
    marks.push({ ticks: value * perUnit, text });
  }
  const baseText = relative ? moment(base * perUnit, ticksPerSecond, perBase * perUnit) : '';
  return { base: base * perUnit, baseText, marks, step: step * perUnit };
}
