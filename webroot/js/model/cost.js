// cost.js - what measuring itself costs the target, as far as it reports that.

import { count, dash, duration, percent } from './format.js';

/**
 * The target's ticks per call for the hooks in its mode (the minimum in mode tree), or undefined; and its tick rate.
 */
function pairOf({ description, mode }) {
  return { ticks: description?.[mode === 'tree' ? 'hook_ticks_tree' : 'hook_ticks'], hz: description?.tick_hz };
}

/** Ticks of the profile per call for the hooks, or null. */
export function hookTicks({ target, ticksPerSecond }) {
  const { ticks, hz } = pairOf(target);
  if (!ticks || !hz || !ticksPerSecond) return null;
  return (ticks * ticksPerSecond) / hz;
}

/** The time of all outermost calls of the call tree. */
function wholeTicks({ tree }) {
  let whole = 0;
  for (let row = 1; row < tree.length; row++) if (tree.parent[row] === 0 && tree.total[row] > 0) whole += tree.total[row];
  return whole;
}

/** The share of the time that the hooks of received calls took, or null. */
export function hookShare(profile) {
  const ticks = hookTicks(profile);
  const whole = ticks === null ? 0 : wholeTicks(profile);
  return whole > 0 ? Math.min((profile.calls * ticks) / whole, 1) : null;
}

/** "1.69 µs (42 ticks)" per call, or a dash. */
export function hookWords({ target }) {
  const { ticks, hz } = pairOf(target);
  return ticks ? `${duration(ticks, hz)} (${Number.isInteger(ticks) ? count(ticks) : ticks.toFixed(1)} ticks)` : dash;
}

/** "2.2 ×": the time of calls with hooks divided by that without, computed by the daemon; or a dash. */
export function slowdownText({ slowdown }) {
  const factor = slowdown?.factor ?? null;
  if (factor === null) return dash;
  return `${slowdown.at_least ? '≥ ' : ''}${factor.toFixed(factor < 1.1 ? 3 : 1)} ×`;
}

/** The text shown with corrected times. */
export function costWords(profile) {
  const share = hookShare(profile);
  const all = share === null ? '' : `, ${percent(share)} of the time in all`;
  return `Measuring adds ${hookWords(profile)} to a call${all}. Taken off, half in the call and half in its caller.`;
}
