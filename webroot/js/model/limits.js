// limits.js - the limits of functions' figures as text.

import { bytes, count, plural } from './format.js';
import { triggerOf, windowTitle } from './windows.js';

/** "2 of 5 limits broken", with the badge's tip and level; null if there are no limits. */
export function limitsBadge({ limits }) {
  if (limits.length === 0) return null;
  const broken = limits.filter((row) => row.breaches > 0);
  const tip = broken.length === 0 ? `${plural(limits.length, 'limit')}, none broken` : `Broken: ${broken.map((row) => row.limit).join(', ')}`;
  const all = plural(limits.length, 'limit');
  const words = broken.length === 0 ? all : `${broken.length < limits.length ? `${broken.length} of ` : ''}${all} broken`;
  return { words, tip, level: broken.length > 0 ? 'bad' : null };
}

const scales = { ns: [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']], per_second: [[1, '/s']], percent: [[1, ' %']], calls: [[1, '']] };

/** Formats a limit's value with its unit. */
export function limitValue(value, unit) {
  const scale = scales[unit] ?? scales.calls;
  const [size, name] = scale.find(([least]) => value >= least) ?? scale.at(-1);
  return `${Number((value / size).toPrecision(4))}${scale.length > 1 ? ' ' : ''}${name}`;
}

const judgedAs = { max: 'call', period: 'period', rate: 'second' };

/** The state of a limit, in a line. */
export function limitWords(row) {
  if (row.breaches > 0) {
    const times = `Broken ${row.breaches === 1 ? 'once' : `${count(row.breaches)} times`}`;
    return `${times}, ${limitValue(row.worst.value, row.unit)} at the worst${row.now === null ? '' : `; now ${limitValue(row.now, row.unit)}`}`;
  }
  if (row.state === 'kept') {
    const now = row.now === null ? '' : `, now ${limitValue(row.now, row.unit)}`;
    return row.figure in judgedAs ? `Kept by ${plural(row.judged, judgedAs[row.figure])}${now}` : `Kept${now}`;
  }
  return row.detail ?? 'Nothing to judge yet.';
}

/** Limits that are broken now but are not in `before` (ids). */
export const newlyBroken = ({ limits }, before) => limits.filter((row) => row.breaches > 0 && !before.has(row.id));

/** The timeline range around a breach, as in the address, with its own length, at least 1 ms, added on both sides. */
export function breachPlace({ from, ticks }, ticksPerSecond) {
  const around = Math.max(ticks - from, Math.ceil((ticksPerSecond ?? 1000) / 1000));
  return `${Math.max(from - around, 0)}-${ticks + around}`;
}

/**
 * The key, as in the address, of the call that a breach ({ from }) of a function is of, or begins with; '' if it is not
 * in `rows` of the timeline.
 */
export function breachCall({ from }, fn, { start, function: fns, context, depth }) {
  const i = start.findIndex((one, at) => one === from && fns[at] === fn);
  return i < 0 ? '' : `${context[i]}-${depth[i]}-${from}`;
}

/** The breach of `hit` in the profile of a recording: the daemon may have counted on where the target's 32 bits of ticks began again. */
export function breachIn({ limits }, hit) {
  const row = limits.find(({ limit }) => limit === hit.limit);
  const by = Math.round(((row?.worst?.ticks ?? hit.ticks) - hit.ticks) / 2 ** 32) * 2 ** 32;
  return { from: hit.from + by, ticks: hit.ticks + by, fn: row?.function ?? null };
}

/** The recording that has a breach: { row, path }; null where none was kept. One in the time of another is in that one's recording. */
function keptRow({ source: { keeping } }, { at }) {
  const row = keeping?.rows.findLast((one) => Date.parse(one.at) <= Date.parse(at));
  return row === undefined ? null : { row, path: `${keeping.folder.replace(/\/$/, '')}/${row.name}` };
}

/** A sentence on where the time around a breach was kept; '' if it was not. */
export function keptOf(profile, breach) {
  const kept = keptRow(profile, breach);
  if (kept === null) return '';
  return kept.row.at === breach.at ? `It was kept: replay ${kept.path}.` : `It may be in ${kept.path}, which was begun before it.`;
}

/** The path of the recording that has a breach, or may have it; '' where there is none. */
export const recordingOf = (profile, breach) => keptRow(profile, breach)?.path ?? '';

const calls = 'Judged by miniprofd at each call from now on: exact in modes stream and calls. In mode tree the longest call is judged, and periods are unknown.';
const sums = 'Judged by miniprofd, since Clear: exact in every mode.';
const spread = 'Judged by miniprofd, since Clear: exact in modes stream and calls, unknown in mode tree.';
const seconds = 'Judged by miniprofd once a second: exact in every mode.';
const onDevice = 'Judged by the device in mode tree, which sends what happened around such a call (--trigger): exact even on a slow line. One at a time.';

const sayings = {
  max: ['longest call', calls],
  period: ['period', calls],
  mean: ['mean', sums],
  p50: ['p50', spread],
  p90: ['p90', spread],
  p99: ['p99', spread],
  calls: ['calls', sums],
  rate: ['calls per second', seconds],
  load: ['load', seconds],
  self: ['self', seconds],
};

/**
 * The figures that can have a limit, as [id, name, in which modes it is exact]: the daemon's ids, and 'trigger', which
 * the device checks itself.
 */
export const limitFigures = (ids) => [
  ...ids.map((id) => [id, ...(sayings[id] ?? [id, ''])]),
  ['trigger', 'call, on the device', onDevice],
];

/**
 * Parses the form's fields: { limit }, { when } (a trigger), or { error }. The first field may have a complete limit.
 */
export function limitOf(name, figure, value) {
  const [first, rest] = [name.trim(), value.trim()];
  if (rest === '' && /[^:]:\w+\s*[<>=]/.test(first)) return { limit: first };
  if (figure === 'trigger') {
    const { value: when, error } = triggerOf(first, rest);
    return error === undefined ? { when } : { error };
  }
  if (first === '') return { error: 'Name the function.' };
  if (rest === '') return { error: 'Write a value, such as 500us.' };
  return { limit: `${first}:${figure}${/^[<>=]/.test(rest) ? '' : '<'}${rest}` };
}

/** Breaches (rows of GET /api/v1/limits) and the calls that met a trigger, the newest first: [{ words, from, ticks, fn, limit, at (both of a breach) }]. */
export function hitsOf(profile, breaches) {
  const limits = new Map(profile.limits.map((row) => [row.id, row]));
  const broken = breaches
    .filter(({ limit }) => limits.has(limit))
    .map(({ limit, from, ticks, value, at }) => ({ words: `${limits.get(limit).limit}: ${limitValue(value, limits.get(limit).unit)}`, from, ticks, fn: limits.get(limit).function, limit: limits.get(limit).limit, at }));
  const met = profile.windows.rows
    .filter(({ reason }) => reason === 'slow')
    .map((row) => ({ words: windowTitle(row, profile), from: row.ticks - row.duration, ticks: row.ticks, fn: row.function }));
  return [...broken, ...met].sort((a, b) => b.ticks - a.ticks);
}

/** A sentence on what was kept around breaches; '' if nothing is kept. */
export function keptWords({ source }) {
  const { keeping = null } = source;
  if (keeping === null) return '';
  if (keeping.error !== null) return keeping.error;
  const size = keeping.rows.reduce((sum, row) => sum + (row.bytes ?? 0), 0);
  const gone = keeping.dropped > 0 ? `; ${count(keeping.dropped)} made room for newer and worse ones` : '';
  return keeping.rows.length === 0
    ? `The time around a broken limit is kept in ${keeping.folder}.`
    : `${plural(keeping.rows.length, 'recording')} (${bytes(size)}) of the time around broken limits in ${keeping.folder}${gone}.`;
}

/** The name of `fn`, a row of functions, in a limit: its address if its name is shared. */
export function limitName({ functions }, fn) {
  const isOne = functions.every((other) => other === fn || other?.id === fn.id || other?.name !== fn.name);
  return isOne || !fn.address ? fn.name : fn.address;
}
