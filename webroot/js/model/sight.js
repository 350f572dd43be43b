// sight.js - the part of the target's time that is visible: moving it, writing it into the address, and what has to
// be asked for to draw it.

import { readRange, wholeTicks, writeRange } from './range.js';

const leastTicks = 8;
const ahead = 0.02; // of the visible range: room after the newest data while following it
const usualSeconds = 1;
const [roundsInSight, lengthsInSight] = [4, 30]; // while following: at least this many calls, or this many of their lengths
const typicalLeast = 20; // calls
const lengthsStill = 2; // of them in a recording that opens: the newest one is wide

/** held: { oldest, newest } in ticks. Returns all of it, with a small margin. */
export function wholeSight({ oldest, newest }) {
  const room = Math.max((newest - oldest) * 0.01, leastTicks / 2);
  return { from: Math.max(oldest - room, 0), to: newest + room };
}

/**
 * The outermost calls that are made again and again, the rounds of a main loop as a rule: { every, length } in ticks
 * on average, and the end of the `last`, of the context where they take most; null where they are too few. `functions` of the
 * profile say how long calls are, since merged ones do not.
 */
export function typicalCalls(picture, functions) {
  const rounds = new Map(); // context -> { depth, calls, ticks } of the outermost depth with enough calls
  for (const { context, depth, first, end } of picture.segments.values()) {
    if (depth >= (rounds.get(context)?.depth ?? Infinity)) continue;
    const sum = { depth, calls: 0, ticks: 0, last: picture.end[end - 1] };
    for (let i = first; i < end; i++) {
      const { calls = 0, total_ticks: ticks = 0 } = functions[picture.fn[i]] ?? {};
      sum.calls += picture.calls[i];
      if (calls > 0) sum.ticks += (picture.calls[i] * ticks) / calls;
    }
    if (sum.calls >= typicalLeast) rounds.set(context, sum);
  }
  const [most] = [...rounds.values()].sort((a, b) => b.ticks - a.ticks);
  if (most === undefined) return null;
  return { every: (picture.newest - picture.oldest) / most.calls, length: most.ticks / most.calls, last: most.last };
}

/** How much to show while following, unless the reader chose a length: a few calls, wide enough to read them. */
export function usualSpan({ oldest, newest }, ticksPerSecond, typical = null) {
  const held = Math.max(newest - oldest, leastTicks);
  const most = ticksPerSecond ? Math.min(usualSeconds * ticksPerSecond, held) : Math.max(held / 10, leastTicks);
  if (typical === null) return most;
  const wanted = Math.max(typical.every * roundsInSight, typical.length * lengthsInSight, leastTicks);
  return Math.min(wanted, most);
}

/** What a finished recording opens with: the newest of the typical calls, wide enough to read what they call; null for all of it. */
export function stillSight({ oldest, newest }, typical) {
  const span = Math.max((typical?.length ?? Infinity) * lengthsStill, leastTicks);
  return span < newest - oldest ? liveSight({ newest: typical.last }, span) : null;
}

export function liveSight({ newest }, span) {
  const to = newest + span * ahead;
  return { from: to - span, to };
}

/** Keeps the size within what makes sense and some of the kept calls visible. */
export function settle(sight, held) {
  const whole = wholeSight(held);
  const span = Math.min(Math.max(sight.to - sight.from, leastTicks), whole.to - whole.from);
  const room = span * 0.5;
  const from = Math.min(Math.max(sight.from, held.oldest - room), held.newest + room - span);
  const kept = Math.max(from, Math.min(whole.from, held.oldest - room));
  return { from: kept, to: kept + span };
}

/** Zooms by `factor` (below 1: in) about the share `at` of the visible range. */
export function zoomSight(sight, factor, at, held) {
  const span = sight.to - sight.from;
  const most = wholeSight(held);
  const next = Math.min(Math.max(span * factor, leastTicks), most.to - most.from);
  const centre = sight.from + span * at;
  return settle({ from: centre - next * at, to: centre + next * (1 - at) }, held);
}

/** Moves sideways by `share` of the visible range. */
export function panSight(sight, share, held) {
  const by = (sight.to - sight.from) * share;
  return settle({ from: sight.from + by, to: sight.to + by }, held);
}

/** The visible range for `from` to `to`, with a margin. */
export function sightOf(from, to, held, share = 0.08) {
  const room = Math.max((to - from) * share, leastTicks / 2);
  return settle({ from: from - room, to: to + room }, held);
}

/** Moves the visible range just enough to show `start` to `end`, or only `start` if that is too long. */
export function revealing(sight, start, end, held) {
  const span = sight.to - sight.from;
  const room = span * 0.05;
  if (start >= sight.from && start <= sight.to - room && (end <= sight.to || end - start > span)) return sight;
  if (end - start > span) return settle({ from: start - room, to: start - room + span }, held);
  const from = start < sight.from + room ? start - room : Math.max(end + room - span, sight.from);
  return settle({ from, to: from + span }, held);
}

/** Parses the address: { mode: 'usual' | 'live' | 'all' | 'fixed', span, from, to }. */
export function readAt(text) {
  const range = readRange(text);
  if (range !== null) return { mode: 'fixed', span: 0, from: Number(range.from), to: Number(range.to) };
  const live = /^live(?:-(\d+))?$/.exec(text);
  if (live) return { mode: 'live', span: Number(live[1] ?? 0) };
  return { mode: text === 'all' ? 'all' : 'usual', span: 0 };
}

export function writeAt(mode, sight, span) {
  if (mode === 'live') return `live-${wholeTicks(span)}`;
  return mode === 'fixed' ? writeRange(sight.from, sight.to) : mode === 'all' ? 'all' : '';
}

export const rowsMost = 100000; // what the daemon sends at once

/**
 * The request for drawing `sight` on `widthPx`: { from, to, grain, max }, with a margin of half the visible range on
 * both sides. Grain, the ticks of a column within which calls are merged, is a power of two of one or two pixels, and
 * columns begin at its multiples; so moving about requests the same columns, with the same merges. The daemon divides
 * `max` rows evenly among the `lanes` (context and depth), half for calls as long as a column, half for merged ones.
 */
export function request(sight, widthPx, lanes, held) {
  const span = sight.to - sight.from;
  const wanted = Math.max(2 ** Math.floor(Math.log2((span / widthPx) * 2.2)), 1);
  const margin = span / 2;
  const first = Math.max(Math.min(sight.from, held.newest) - margin, held.oldest, 0);
  const last = Math.max(Math.min(sight.to + margin, held.newest + margin), first + 1);
  const columnsMost = Math.max(Math.floor((rowsMost / Math.max(lanes, 1) - 2) / 2), 1);
  let grain = wanted;
  while ((last - first) / grain + 2 > columnsMost && columnsMost > 3) grain *= 2;
  const begin = Math.floor(first / grain) * grain;
  const columns = Math.max(Math.min(Math.ceil((last - begin) / grain), columnsMost), 1);
  return {
    from: wholeTicks(begin),
    to: wholeTicks(begin + columns * grain - 1),
    grain,
    max: Math.min(Math.max(lanes, 1) * (2 * columns + 2), rowsMost),
  };
}
