// changes.js - rows and columns of the table of changes between two profiles.

import { changeOf, divisorsOf, tickScale } from './compare.js';
import * as format from './format.js';
import { bothSides, callsLeast, isNoise } from './noise.js';

/**
 * Time of all calls of `fn` together. Where both sides have the mean of a call it is that of all; it is rounded, the total is
 * not, but counts recursion once. Where one side does not, as of a tree that the target counted itself, it is the total of both.
 */
function ticksOf(fn, { before, after }) {
  if (!(fn.calls > 0)) return 0;
  const isEach = [before, after].every((side) => !(side?.calls > 0) || Number.isFinite(side.mean_ticks));
  const total = fn.total_ticks ?? 0;
  const sum = isEach ? fn.mean_ticks * fn.calls : total;
  return Math.abs(sum - total) <= 0.001 * fn.calls ? total : sum;
}

const callsExpected = 5; // with this many expected, seeing none is no chance
const fields = { time: 'self_ticks', calls: 'calls', samples: 'samples' };

/** { before, after } of one figure of a function; with `since`, after is the increase. */
function pairOf(entry, read, since, scale = 1) {
  const before = (entry.before ? read(entry.before) : 0) * scale;
  const now = entry.after ? read(entry.after) : 0;
  return { before, after: since ? Math.max(now - before, 0) : now };
}

/** True when a function that one side has not called may only have had no turn yet: too few of all `made` calls would be its. */
function mayCome({ before, after }, calls, made) {
  if (before === null || after === null) return false;
  const [there, not] = calls.before > 0 ? ['before', 'after'] : ['after', 'before'];
  return calls[there] * made[not] < callsExpected * made[there];
}

/** The change of the ticks per call, and whether it is significant. */
function meanOf(entry, calls, ticks, scale, made) {
  const side = (name, by) => ({ fn: entry[name], calls: calls[name], scale: by, mean: calls[name] > 0 ? ticks[name] / calls[name] : 0 });
  const [before, after] = [side('before', scale), side('after', 1)];
  const change = changeOf(before.mean, after.mean);
  change.untold = change.kind === 'none' && Math.min(calls.before, calls.after) >= callsLeast;
  change.few = change.kind === 'both' && Math.min(calls.before, calls.after) < callsLeast;
  change.noise = change.kind === 'both' ? isNoise(before, after) : mayCome(entry, calls, made);
  return change;
}

/** Percentiles and the longest call of both sides. After a mark, the longest call is known only if it is new. */
function eachOf({ before, after }, since, scale) {
  const known = (fn, name) => Number.isFinite(fn?.[name]); // null >= 0 is true
  const pair = (name) => ({
    before: known(before, name) && !Number.isNaN(scale) ? before[name] * scale : null,
    after: known(after, name) && !since ? after[name] : null,
  });
  const max = pair('max_ticks');
  if (since && after?.max_ticks > (before?.max_ticks ?? -1)) max.after = after.max_ticks;
  return { p50: pair('p50_ticks'), p99: pair('p99_ticks'), max };
}

/**
 * A row for each function that has anything to show: { entry (of the aligned functions), own (change in the
 * measure), mean (change of ticks per call), calls (change of calls, per second where `seconds` are known),
 * impact (what to order by when the largest change comes first), self ({ before, after } of a call and how many `calls`, or
 * null), each ({ p50, p99, max } of { before, after }, null where they are not known) }. A mean is `few` of too few calls, `noise`,
 * and `untold` of calls whose time is unknown.
 *
 * rule: { unit, measure, since, seconds: { before, after } }. Ticks are those of the current profile.
 */
export function changeRows(aligned, base, current, rule) {
  const scale = tickScale(base, current); // NaN: ticks of the two sides are not comparable
  const field = fields[rule.unit];
  const found = [];
  const whole = { before: 0, after: 0 };
  const made = { before: 0, after: 0 }; // calls
  for (const entry of aligned.functions) {
    const own = pairOf(entry, (fn) => fn[field] ?? 0, rule.since, rule.unit === 'time' ? scale || 1 : 1);
    const calls = pairOf(entry, (fn) => fn.calls ?? 0, rule.since);
    const ticks = pairOf(entry, (fn) => ticksOf(fn, entry), rule.since, scale || 1);
    whole.before += own.before;
    whole.after += own.after;
    made.before += calls.before;
    made.after += calls.after;
    if (own.before > 0 || own.after > 0 || calls.before > 0 || calls.after > 0)
      found.push({ entry, own, calls, ticks });
  }
  const by = divisorsOf(rule.measure, whole, rule.seconds);
  const { before: secondsBefore, after: secondsAfter } = rule.seconds;
  const rates = secondsBefore > 0 && secondsAfter > 0;
  return found.map(({ entry, own, calls, ticks }) => {
    const mean = Number.isNaN(scale) ? changeOf(0, 0) : meanOf(entry, calls, ticks, scale, made);
    const perCall = rule.measure === 'call';
    const change = perCall ? mean : changeOf(own.before / by.before, own.after / by.after);
    const hasSelf = rule.unit === 'time' && calls.before > 0 && calls.after > 0;
    return {
      entry,
      own: change,
      mean,
      self: hasSelf ? { before: own.before / calls.before, after: own.after / calls.after, calls: calls.after } : null,
      each: eachOf(entry, rule.since, scale),
      calls: rates
        ? changeOf(calls.before / secondsBefore, calls.after / secondsAfter)
        : changeOf(calls.before, calls.after),
      impact: Math.abs(change.delta) * (perCall ? Math.max(calls.before, calls.after) : 1),
    };
  });
}

/** True when anything about the row changed by the share `least` or more. */
export function changedBy({ own, mean }, least) {
  const moved = (change) => {
    if (change.kind === 'new' || change.kind === 'gone') return true;
    return change.delta !== 0 && Math.abs(change.delta) >= least * change.before;
  };
  return moved(own) || moved(mean);
}

/** Formats a figure of the measure. `how`: { unit, measure, ticksPerSecond }. */
export function figure(value, { unit, measure, ticksPerSecond }) {
  if (Number.isNaN(value)) return format.dash;
  if (measure === 'share') return format.percent(value);
  if (unit !== 'time') return measure === 'second' ? `${format.compact(value)}/s` : format.count(value);
  return `${format.duration(value, ticksPerSecond)}${measure === 'second' ? '/s' : ''}`;
}

const minus = '−';
const sign = (x) => (x > 0 ? '+' : x < 0 ? minus : '');

/** A signed difference; differences of shares are in percentage points. */
export function difference(delta, how) {
  const text = figure(Math.abs(delta), how);
  if (how.measure !== 'share') return `${sign(delta)}${text}`;
  return text.startsWith('<') ? '0.00 pp' : `${sign(delta)}${text.replace(/ %$/, '')} pp`;
}

/** The relative change: "+12.5 %", "×14", "new", "gone". */
export function ratio({ before, after, kind }) {
  if (kind === 'new' || kind === 'gone') return kind;
  if (kind === 'none') return format.dash;
  if (after === before) return '0 %';
  if (after >= 10 * before) return `×${format.compact(after / before)}`;
  const text = format.percent(Math.abs(after / before - 1));
  return text.startsWith('<') ? '0.00 %' : `${sign(after - before)}${text}`;
}

const trend = ({ kind, ratio: r }) =>
  kind === 'both' ? r : kind === 'new' ? Infinity : kind === 'gone' ? 0 : null;
const present = (value, kind, side) => (kind === 'none' || kind === side ? null : value);

/** Columns left to right, as in table.js; `how` as for figure(), with `rates` for calls per second. */
export function changeColumns(how) {
  const perCall = { unit: 'time', measure: 'call', ticksPerSecond: how.ticksPerSecond };
  const what = {
    time: how.measure === 'call' ? 'Time of a call on average' : 'Self time',
    calls: 'Calls',
    samples: 'Samples',
  }[how.unit];
  const calls = how.rates ? 'Calls/s' : 'Calls';
  const callText = (value) => (how.rates ? format.compact(value) : format.count(value));
  const ofPart = (part, side) => (row) =>
    present(row[part][side], row[part].kind, side === 'before' ? 'new' : 'gone');
  const cell = (id, title, tip, part, side, text) => {
    const of = ofPart(part, side);
    return { id, title, tip, of, text: (row) => (of(row) === null ? format.dash : text(of(row))) };
  };
  const own = (value) => figure(value, how);
  const mean = (value) => figure(value, perCall);
  const list = [
    { id: 'name', title: 'Function', tip: 'Name from the ELF', text: (row) => row.entry.name },
    cell('before', 'Before', `${what} before`, 'own', 'before', own),
    cell('after', 'After', `${what} after`, 'own', 'after', own),
    {
      id: 'delta',
      title: 'Change',
      tip: 'After less before; sorted by size, whichever way it went',
      of: (row) => row.impact,
      text: (row) => difference(row.own.delta, how),
    },
    {
      id: 'ratio',
      title: 'Change %',
      tip: 'Change as a share of what was before',
      of: (row) => trend(row.own),
      text: (row) => ratio(row.own),
    },
    cell('meanBefore', 'Per call before', 'Total time of a call on average, before', 'mean', 'before', mean),
    cell('meanAfter', 'Per call after', 'Total time of a call on average, after', 'mean', 'after', mean),
    {
      id: 'meanRatio',
      title: 'Per call %',
      tip: 'Change of the time per call: longer (+) or shorter (−) than before',
      of: (row) => trend(row.mean),
      text: (row) => ratio(row.mean),
    },
    ...['p50', 'p99', 'max'].map((id) => ({
      id,
      title: id,
      tip: `${{ p50: 'Half of the calls took no longer', p99: '99 of 100 calls took no longer', max: 'The longest call' }[id]}, before → after; after a mark, only a new longest call is known`,
      of: ({ each: { [id]: one } }) => (one.before > 0 && one.after !== null ? one.after / one.before : null),
      text: ({ each }) => bothSides(each[id], mean),
    })),
    cell('callsBefore', `${calls} before`, `${calls} before`, 'calls', 'before', callText),
    cell('callsAfter', `${calls} after`, `${calls} after`, 'calls', 'after', callText),
  ];
  return how.measure === 'call' ? list.filter(({ id }) => !id.startsWith('mean')) : list;
}

const field = (text) => {
  // A quote keeps spreadsheets from running the cell as a formula.
  const formula = /^[=+\-@\t\r]/.test(text);
  const quoted = formula || /[,"\r\n]/.test(text);
  return quoted ? `"${formula ? "'" : ''}${text.replaceAll('"', '""')}"` : text;
};

/** The rows as CSV (RFC 4180): plain numbers in the measure, times in ticks, unknown cells empty. */
export function changesCsv(rows, { unit, measure, rates }) {
  const number = (value) => (Number.isFinite(value) ? String(value) : '');
  const own = { share: `${unit}_share`, second: `${unit}_per_second`, total: unit, call: 'mean_ticks' }[
    measure
  ];
  const calls = rates ? 'calls_per_second' : 'calls';
  const head = ['function', 'file'];
  for (const name of new Set([own, 'mean_ticks', calls])) head.push(`${name}_before`, `${name}_after`);
  const lines = rows.map((row) =>
    [
      field(row.entry.name),
      field(row.entry.file ?? ''),
      ...(measure === 'call' ? [row.mean, row.calls] : [row.own, row.mean, row.calls]).flatMap(
        ({ before, after }) => [number(before), number(after)],
      ),
    ].join(','),
  );
  return `${[head.join(','), ...lines].join('\r\n')}\r\n`;
}
