// cost.js - what measuring itself costs the target, as far as it reports that.

import { count, dash, duration, percent } from './format.js';

/** Ticks of the target that the hooks of a call take in its mode (the least in mode tree), or undefined; its ticks a second. */
function pairOf({ description, mode }) {
  return { ticks: description?.[mode === 'tree' ? 'hook_ticks_tree' : 'hook_ticks'], hz: description?.tick_hz };
}

/** Ticks of the profile that the hooks of a call take, or null. */
export function hookTicks({ target, ticksPerSecond }) {
  const { ticks, hz } = pairOf(target);
  if (!ticks || !hz || !ticksPerSecond) return null;
  return (ticks * ticksPerSecond) / hz;
}

/** The time of all that is outermost in the call tree. */
function wholeTicks({ tree }) {
  let whole = 0;
  for (let row = 1; row < tree.length; row++) if (tree.parent[row] === 0 && tree.total[row] > 0) whole += tree.total[row];
  return whole;
}

/** The share of the time that went to the hooks of calls that arrived, or null. */
export function hookShare(profile) {
  const ticks = hookTicks(profile);
  const whole = ticks === null ? 0 : wholeTicks(profile);
  return whole > 0 ? Math.min((profile.calls * ticks) / whole, 1) : null;
}

/** "1.69 µs (42 ticks)": of one call, or a dash. */
export function hookWords({ target }) {
  const { ticks, hz } = pairOf(target);
  return ticks ? `${duration(ticks, hz)} (${count(ticks)} ticks)` : dash;
}

/** "2.2 ×": the time of the calls with their hooks by that without, as the daemon has worked it out; or a dash. */
export function slowdownText({ slowdown }) {
  const factor = slowdown?.factor ?? null;
  if (factor === null) return dash;
  return `${slowdown.at_least ? '≥ ' : ''}${factor.toFixed(factor < 1.1 ? 3 : 1)} ×`;
}

/** What is said where corrected times are shown. */
export function costWords(profile) {
  const share = hookShare(profile);
  const all = share === null ? '' : `, ${percent(share)} of the time in all`;
  return `Measuring adds ${hookWords(profile)} to a call${all}. Taken off, half in the call and half in its caller.`;
}
