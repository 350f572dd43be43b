// overview.js - the strip over all buffered time: how busy each context was, and calls that took far longer than usual.

import { Columns } from './columns.js';
import { loopingThread } from './idle.js';
import { isPlaceholder } from './placeholder.js';

const farTimes = 8; // times the function's p50, at least
const fewAbove = 0.99; // of the columns are within the scale of the load
const burstMost = 8; // times the scale: a burst above this raises the scale
const nearTop = 1.5; // times the scale: up to here the scale fits all columns
const worthwhile = 0.1; // of the worst excess

/**
 * The load of the contexts of a picture on `wide` columns, as Columns: [{ context, columns }], as the daemon counted it. Where the
 * target does not report which context runs, and in the thread whose main loop idles while it runs (model/idle.js), a
 * column is as busy as the busiest depth in it: a caller is busy as long as its callees, but is not reported before it returns, and
 * a main loop never does. Intervals between checkpoints are no load. Idle contexts of the Map `contexts` have none. `colourOf(fn)` answers a number; a column with a function that `marked(fn)`
 * speaks for has its colour; one without calls has that of the column before.
 */
export function loadOf(picture, wide, contexts, functions, colourOf = () => 0, marked = () => false) {
  const looping = loopingThread(contexts);
  const span = Math.max(picture.newest - picture.oldest, 1);
  const xOf = (ticks) => ((ticks - picture.oldest) / span) * wide;
  const lanes = new Map();
  for (const { context, first, end } of picture.segments.values()) {
    const level = new Columns(wide);
    for (let i = first; i < end; i++) {
      if (functions[picture.fn[i]]?.kind === 'pair') continue;
      level.add(xOf(picture.start[i]), xOf(picture.end[i]), picture.share(i), colourOf(picture.fn[i]), Number(marked(picture.fn[i])));
    }
    const lane = lanes.get(context);
    if (lane === undefined) lanes.set(context, level);
    else busier(lane, level);
  }
  const loads = picture.load === null ? new Map() : countedLoads(picture, lanes, wide, xOf);
  loads.delete(looping);
  for (const [context, lane] of lanes) {
    if (picture.load !== null && context !== looping) continue;
    withoutAway(lane, picture.away, context, xOf);
    loads.set(context, lane);
  }
  const bands = [...loads].map(([context, columns]) => ({ context, columns })).sort((a, b) => a.context - b.context);
  return bands.filter(({ context }) => contexts.get(context)?.kind !== 'idle');
}

/** The loads that the daemon counted, in the colours of the calls: context -> Columns. */
function countedLoads({ load, from, to }, lanes, wide, xOf) {
  const found = new Map();
  load.context.forEach((context, i) => {
    if (!found.has(context)) found.set(context, new Columns(wide));
    const begin = load.from + load.column[i] * load.step;
    const end = Math.min(begin + load.step, load.to);
    if (end > Math.max(begin, from) && begin < to) found.get(context).add(xOf(begin), xOf(end), Math.min(load.ran[i] / (end - begin), 1), 0);
  });
  for (const [context, columns] of found) if (lanes.has(context)) takeColours(columns, lanes.get(context));
  return found;
}

function takeColours(columns, { colour, mark, first }) {
  let last = colour[first] ?? 0;
  for (let i = columns.first; i < columns.end; i++) {
    if (colour[i] !== 0) last = colour[i];
    [columns.colour[i], columns.mark[i]] = [last, mark[i]];
  }
}

/** Calls continue while other contexts run. In windows, only the time away is reported; what is left is an upper limit. */
function withoutAway(lane, away, context, xOf) {
  const gone = new Columns(lane.wide);
  for (const { context: of, first, end } of away?.segments.values() ?? [])
    if (of === context) for (let i = first; i < end; i++) gone.addAway(xOf(away.start[i]), xOf(away.end[i]), away.share(i), 0);
  for (let i = lane.first; i < lane.end; i++) lane.ran[i] = Math.max(Math.min(lane.ran[i], 1 - gone.away[i]), 0);
}

/** The smallest round share that is not below this one. */
function roundUp(share) {
  const power = 10 ** Math.floor(Math.log10(share));
  return Math.min((([1, 1.2, 1.5, 2, 3, 4, 5, 6, 8].find((step) => step * power >= share * 0.9999) ?? 10) * power), 1);
}

/**
 * The loads of loadOf() stacked: { totals (by column, at most 1), most, top (end of the scale: a round share, 0 without
 * load) }. A few columns may exceed the top by far, since one burst would flatten all others.
 */
export function totalOf(bands, wide) {
  const totals = new Float64Array(wide);
  for (const { columns } of bands) for (let i = columns.first; i < columns.end; i++) totals[i] = Math.min(totals[i] + columns.ran[i], 1);
  const busy = totals.filter((one) => one > 0).sort();
  const most = busy.at(-1) ?? 0;
  const high = busy[Math.floor(busy.length * fewAbove)] ?? 0;
  const top = most > 0 ? roundUp(Math.max(high, most / burstMost)) : 0;
  return { totals, most, top: most <= nearTop * top ? roundUp(most) : top };
}

/** Copies the columns of `other` that are higher into `lane`. */
function busier(lane, other) {
  for (let i = other.first; i < other.end; i++) {
    const [more, marked] = [other.ran[i] > lane.ran[i], other.mark[i] > lane.mark[i]];
    if (marked || (more && other.mark[i] === lane.mark[i])) [lane.colour[i], lane.mark[i]] = [other.colour[i], other.mark[i]];
    if (more) lane.ran[i] = other.ran[i];
  }
  [lane.first, lane.end] = [Math.min(lane.first, other.first), Math.max(lane.end, other.end)];
}

/**
 * The calls of a picture that took far longer than their function's p50, the worst first, at most `most`, and none
 * within `apart` ticks of a worse one: [{ row, excess (ticks above p50) }].
 */
export function outliersOf(picture, functions, most, apart) {
  const found = [];
  for (let row = 0; row < picture.count; row++) {
    const fn = functions[picture.fn[row]];
    const usual = fn?.p50_ticks;
    if (!(usual >= 0) || isPlaceholder(fn) || picture.longest[row] < farTimes * Math.max(usual, 1)) continue;
    found.push({ row, excess: picture.longest[row] - usual });
  }
  found.sort((a, b) => b.excess - a.excess);
  const kept = [];
  for (const one of found) {
    if (kept.length === most || one.excess < worthwhile * found[0].excess) break;
    const at = picture.start[one.row];
    if (kept.every(({ row }) => Math.abs(picture.start[row] - at) >= apart)) kept.push(one);
  }
  return kept;
}

/**
 * The row between two ticks whose longest call most exceeds its function's p50, or -1; only functions marked in `hits`
 * (a byte per function, or null) and contexts that `shows`.
 */
export function longestIn(picture, functions, { from, to }, hits, shows = () => true) {
  let [best, most] = [-1, -1];
  for (const { context, first, end } of picture.segments.values()) {
    if (!shows(context)) continue;
    for (let row = first; row < end; row++) {
      if (picture.end[row] <= from || picture.start[row] >= to) continue;
      const fn = functions[picture.fn[row]];
      if (isPlaceholder(fn) || (hits !== null && hits[picture.fn[row]] === 0)) continue;
      const excess = picture.longest[row] - (fn?.p50_ticks ?? 0);
      if (excess > most) [best, most] = [row, excess];
    }
  }
  return best;
}
