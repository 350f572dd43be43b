// windows.js - kept windows: time ranges with every call, and the calls that triggered them.
//
// A device that counts its calls itself keeps such windows on request. Of one that reports every call, those that took too
// long are listed in the same way.

import { duration, plural } from './format.js';

export const noWindows = Object.freeze({ excerpts: false, told: 0, missed: 0, rows: [] });

/** True when the times of calls are known inside of windows only. */
export const tellsWindowsOnly = ({ windows, target }) => windows.excerpts === true || target.mode === 'tree';

/** True when the device can keep windows; null while unknown. */
export function canKeep({ target }) {
  if (!target.description) return null;
  return target.description.settings.some(({ name }) => name === 'window');
}

/** A short title for a window. */
export function windowTitle(row, { functions, ticksPerSecond }) {
  if (row.reason === 'slow') return `${functions[row.function]?.name ?? 'A call'} took ${duration(row.duration, ticksPerSecond)}`;
  return row.reason === 'asked' ? 'Asked for' : 'A window';
}

/** When it was, and what is known about it. */
export function windowNotes(row, { ticksPerSecond }, time) {
  const at = row.ticks ?? row.from;
  const length = row.to - row.from;
  return [
    `at ${time.moment(at, Math.max(length, 1))}`,
    row.excerpt ? `${duration(length, ticksPerSecond)} kept` : '',
    { open: 'more is coming', cut: 'a part of it is missing' }[row.state] ?? '',
    row.lost > 0 ? `${plural(row.lost, 'call')} lost` : '',
    row.missed > 0 ? `${plural(row.missed, 'trigger')} before it missed` : '',
  ].filter(Boolean);
}

/** Newest first; `gone` is the number of earlier ones that are no longer listed. */
export const listWindows = ({ windows }) => ({
  rows: [...windows.rows].reverse(),
  gone: windows.told - windows.rows.length,
});

const around = 5; // times its duration, before and after a slow call

/** The range to show first: a slow call and its surroundings, else all of the window. */
function firstLook(row) {
  if (row.reason !== 'slow') return { start: row.from, end: row.to };
  const margin = Math.max(row.duration, 1) * around;
  return { start: Math.max(row.from, row.ticks - row.duration - margin), end: Math.min(row.to, row.ticks + margin) };
}

/** A window as a marker of the timeline, at its trigger. */
export function windowMark(row, profile) {
  const at = row.ticks ?? row.from;
  const text = windowTitle(row, profile);
  const window = { start: row.from, end: row.to };
  return { kind: 'marker', what: 'window', start: at, end: at, text, count: 1, window, look: firstLook(row) };
}

/** The markers of the windows from tick `from` to `to`. */
export const windowMarks = (profile, from, to) =>
  profile.windows.rows.map((row) => windowMark(row, profile)).filter(({ start }) => start >= from && start <= to);

/**
 * The ranges up to `newest` that were not recorded: [{ from, to }]. Where windows between two are no longer listed,
 * calls may exist.
 */
export function unrecorded({ windows }, newest) {
  if (!windows.excerpts) return [];
  const kept = windows.rows.filter((row) => row.excerpt);
  const stretches = [];
  kept.forEach((row, i) => {
    const next = kept[i + 1];
    if (next !== undefined && next.number !== row.number + 1) return;
    const to = next?.from ?? newest;
    if (to > row.to) stretches.push({ from: row.to, to });
  });
  return stretches;
}

const timeForm = /^\s*(\d+(?:\.\d+)?)\s*(ns|us|µs|μs|ms|s)\s*$/;

/** { value: "spi_read>500us" } for a name and a typed time, or { error }. */
export function triggerOf(name, time) {
  if (name.trim() === '') return { error: 'Name the function.' };
  const found = timeForm.exec(time);
  if (found === null) return { error: 'Write a time with its unit, such as 500 us or 1.5 ms.' };
  return { value: `${name.trim()}>${found[1]}${found[2].replace(/[µμ]/, 'u')}` };
}

/** { name, time } of a trigger as the daemon sends it. */
export function partsOf(when) {
  const sign = when.lastIndexOf('>');
  return { name: when.slice(0, sign), time: when.slice(sign + 1).replace(/(?<=\d)(?=[a-z])/, ' ') };
}

/** The windows being kept or listed, as a sentence. */
export function triggerWords(profile) {
  const { trigger = null } = profile.target;
  if (trigger === null) return 'No trigger is set.';
  const { name, time } = partsOf(trigger.when);
  const calls = `call of ${name} that takes longer than ${time}`;
  if (trigger.state === 'failed') return trigger.detail ?? 'The device has no triggers.';
  if (trigger.state === 'arming') return `Setting the trigger: each ${calls}.`;
  if (trigger.state === 'armed') return `The device captures each ${calls}.`;
  return tellsWindowsOnly(profile) ? `Waiting for the device: each ${calls}.` : `Lists each ${calls}.`;
}

/** The text on how long its longest call has taken until now; '' where unknown. */
export function longestWords(profile, name) {
  const fn = profile.functions.find((one) => one?.name === name);
  return fn?.max_ticks > 0 ? `Its longest call so far took ${duration(fn.max_ticks, profile.ticksPerSecond)}.` : '';
}

/** Functions to choose from, the longest first. */
export function triggerNames({ functions }, most = 500) {
  return functions
    .filter((fn) => fn?.address && fn.kind === 'function')
    .sort((a, b) => (b.max_ticks ?? 0) - (a.max_ticks ?? 0))
    .slice(0, most)
    .map(({ name }) => name);
}
