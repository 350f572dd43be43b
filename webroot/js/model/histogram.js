// histogram.js - merges the daemon's fine buckets into as many bars as fit.

import { duration, plural } from './format.js';
import { better, isHeld, words } from './longest.js';

/**
 * Bars from the shortest to the longest call, at most `most`: [{ low, high, count, call }]. Their widths grow by a
 * steady factor, or are equal if `linear`; none is narrower than the narrowest bucket, which cannot be divided. A
 * bucket has the calls of low to high ticks inclusive; one that crosses the edge of a bar is split by width. Counts of
 * bars add up to those of the buckets. `call` is one of its calls ({ start, duration, context, depth, held }), the best
 * of `examples` (one per bucket, see better()), or null.
 */
export function histogramBars(histogram, most, { linear = false, examples = [] } = {}) {
  const { low = [], high = [], count = [] } = histogram ?? {};
  if (count.length === 0) return [];
  const first = Math.min(...low);
  const end = Math.max(...high) + 1;
  const [to, back] = linear ? [(x) => x, (x) => x] : [Math.log1p, Math.expm1];
  const base = to(first);
  const narrowest = Math.min(...low.map((least, b) => to(high[b] + 1) - to(least)));
  const bars = Math.min(most, Math.max(Math.round((to(end) - base) / narrowest), 1));
  const step = (to(end) - base) / bars;
  const edge = (i) => (i === 0 ? first : i === bars ? end : back(base + i * step));
  const out = Array.from({ length: bars }, (_, i) => ({ low: edge(i), high: edge(i + 1), count: 0, call: null }));
  for (let b = 0; b < count.length; b++) {
    const after = high[b] + 1;
    // One bar early, in case rounding puts the edge above the bucket's.
    const from = Math.max(Math.floor((to(low[b]) - base) / step) - 1, 0);
    for (let i = from; i < bars && out[i].low < after; i++) {
      const shared = Math.min(out[i].high, after) - Math.max(out[i].low, low[b]);
      if (shared <= 0) continue;
      out[i].count += (count[b] * shared) / (after - low[b]);
      out[i].call = better(out[i].call, examples[b] ?? null);
    }
  }
  return out;
}

const nothing = { histogram: null, examples: [], longest: [] };

/** The periods of the longest bars' examples, the longest first: calls that take as long as their period, so that a link shows all of it. */
const longPeriods = (examples) => examples.filter(Boolean).reverse().map((call) => ({ ...call, duration: call.period }));

function periodsNote({ recursive, excerpts, periods, mean_ticks, jitter_ticks }, ticksPerSecond) {
  if (recursive) return 'It may call itself: no period is known.';
  const time = (ticks) => duration(ticks, ticksPerSecond);
  const told = periods > 0 ? `Of the calls available: every ${time(mean_ticks)}, jitter ${time(jitter_ticks)}.` : 'The timeline holds no two calls to measure between.';
  return told + (excerpts ? ' Calls are known inside of windows only.' : '');
}

/**
 * What the histogram of a function shows, of 'duration' or 'period': { title, histogram, examples, longest (calls), listed (what these are), p50_ticks,
 * p90_ticks, p99_ticks, note ('' or a sentence), many(count) and those (of what is counted, as text), leads (to what a bar does) }.
 */
export function spreadOf(fn, of, ticksPerSecond) {
  if (of === 'period') {
    const words = { title: 'Periods', listed: 'Among the longest', many: (n) => plural(Math.round(n), 'period'), those: 'periods are', leads: 'the call that began one' };
    if (fn.periodSpread === null) return { ...nothing, ...words, note: 'Loading …' };
    return { ...fn.periodSpread, ...words, longest: longPeriods(fn.periodSpread.examples ?? []), note: periodsNote(fn.periodSpread, ticksPerSecond) };
  }
  const many = (n) => plural(Math.round(n), 'call');
  const some = fn.isOfRange ? 'Of calls that reach over an edge of the range the part inside counts.' : '';
  const note = (fn.histogram?.count ?? []).length > 0 ? some : 'No completed call has been timed.';
  return { ...fn, title: 'Durations', listed: 'Longest', many, those: 'calls took', leads: 'one', longest: fn.longest ?? [], note };
}

/** Texts for a bar, and for the call it leads to. */
export function barWords({ low, high, count, call }, { many, leads }, time) {
  const said = `${duration(low, time.ticksPerSecond)} to ${duration(high, time.ticksPerSecond)}: ${many(count)}`;
  if (call === null) return [said, ''];
  return [said, isHeld(call) ? `; a click shows ${leads}` : `; the first took ${words(call, time)}, no longer on the timeline`];
}
