// cycles.js - the last calls of a periodic function, aligned at their starts: which calls ran in each, and how much
// their starts and ends vary.

import { writeRange } from './range.js';

export const cyclesMost = 50;

/**
 * The range, as of writeRange(), that has the last `most` calls of `fn` (a row with period_mean_ticks) before `to`. It
 * is longer by one period, 10 % and two calls, since periods vary.
 */
export function cyclesStretch(fn, to, oldest, most = cyclesMost) {
  const ticks = fn.period_mean_ticks * (most + 1) * 1.1 + 2 * (fn.max_ticks ?? 0);
  return writeRange(Math.max(to - ticks, oldest), to);
}

/** Rows of the outermost calls of `id`, in the context with most of them, ordered by start; null if some are merged. */
function callsOf({ rows }, id) {
  const contexts = new Map();
  for (let i = 0; i < rows.start.length; i++) {
    if (rows.function[i] !== id) continue;
    if (rows.calls[i] > 1) return null;
    if (rows.cut?.[i]) continue; // older daemons do not send it
    if (!contexts.has(rows.context[i])) contexts.set(rows.context[i], []);
    contexts.get(rows.context[i]).push(i);
  }
  const all = [...contexts.values()].sort((a, b) => b.length - a.length)[0] ?? [];
  const depth = all.reduce((least, i) => Math.min(least, rows.depth[i]), Infinity);
  return all.filter((i) => rows.depth[i] === depth).sort((a, b) => rows.start[a] - rows.start[b]);
}

/**
 * The cycles in an answer about the timeline: { cycles: [{ start, duration, context, depth }] by start, worst (index of
 * the first longest cycle, -1 for none), rows }. A row is one function of one context: { fn, context, depth, calls: [{
 * cycle, from, to }] in ticks from the cycle's start, from and to: { min, max } over the cycles of its first start and
 * its last end }. There are rows for the function itself, its callees, and calls that began at that time in other
 * contexts, ordered by first start. Null if calls are merged: ask for a shorter range. Cycles with missing records are
 * omitted.
 */
export function cyclesOf(answer, id, most = cyclesMost) {
  const { rows, gaps } = answer;
  if (rows.calls.some((n) => n > 1)) return null;
  const isWhole = (i) => !gaps.from.some((from, at) => from < rows.start[i] + rows.duration[i] && gaps.to[at] > rows.start[i]);
  const found = callsOf(answer, id).filter(isWhole).slice(-most);
  const cycles = found.map((i) => ({ start: rows.start[i], duration: rows.duration[i], context: rows.context[i], depth: rows.depth[i] }));
  const worst = cycles.reduce((at, one, i) => (at < 0 || one.duration > cycles[at].duration ? i : at), -1);
  return { cycles, worst, rows: rowsIn(answer, cycles) };
}

/** The index of the cycle that runs at `tick`; -1 for none. */
function cycleAt(cycles, tick) {
  let [low, high] = [0, cycles.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cycles[middle].start <= tick) low = middle + 1;
    else high = middle;
  }
  const one = cycles[low - 1];
  return one !== undefined && tick < one.start + Math.max(one.duration, 1) ? low - 1 : -1;
}

function rowsIn({ rows }, cycles) {
  const found = new Map();
  if (cycles.length === 0) return [];
  const { context: own, depth } = cycles[0];
  for (let i = 0; i < rows.start.length; i++) {
    const isOwn = rows.context[i] === own;
    if (isOwn ? rows.depth[i] < depth || rows.depth[i] > depth + 1 : rows.depth[i] > 1) continue;
    const at = cycleAt(cycles, rows.start[i]);
    if (at < 0) continue;
    const key = `${rows.context[i]} ${rows.depth[i]} ${rows.function[i]}`;
    if (!found.has(key)) found.set(key, { fn: rows.function[i], context: rows.context[i], depth: rows.depth[i], calls: [] });
    const from = rows.start[i] - cycles[at].start;
    found.get(key).calls.push({ cycle: at, from, to: from + rows.duration[i] });
  }
  const list = [...found.values()].map((row) => ({ ...row, ...spreadsOf(row.calls) }));
  return list.sort((a, b) => (b.context === own) - (a.context === own) || a.context - b.context || a.from.min - b.from.min || a.depth - b.depth);
}

/** The variation of first starts and last ends over the cycles. */
function spreadsOf(calls) {
  const [first, last] = [new Map(), new Map()];
  for (const { cycle, from, to } of calls) {
    first.set(cycle, Math.min(first.get(cycle) ?? Infinity, from));
    last.set(cycle, Math.max(last.get(cycle) ?? 0, to));
  }
  const spread = (values) => ({ min: Math.min(...values), max: Math.max(...values) });
  return { from: spread([...first.values()]), to: spread([...last.values()]) };
}

const unitSeconds = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1 };

/**
 * A function's limits on call times, given in units of time, as lines: [{ limit (its text), ticks }]. None if the clock
 * is unknown.
 */
export function limitLines(limits, id, ticksPerSecond) {
  return limits.flatMap(({ function: fn, limit, figure }) => {
    const [, value, unit] = /<\s*([\d.]+)\s*(ns|us|µs|ms|s)$/.exec(limit) ?? [];
    if (fn !== id || unit === undefined || !ticksPerSecond || !/^(max|min|mean|p\d+)$/.test(figure)) return [];
    return [{ limit, ticks: Number(value) * unitSeconds[unit] * ticksPerSecond }];
  });
}
