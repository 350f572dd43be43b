// histogram.js - the daemon's fine buckets gathered into as many bars as there is room for.

import { better } from './longest.js';

/**
 * Bars with bounds that grow by a steady factor, or by a steady step if `linear`: [{ low, high, count, call }], at most `most` of them and none
 * narrower than a tick on average, from the shortest call to the longest. A bucket holds the calls of low to
 * high ticks, both included; one that lies across a bound is shared out by width. The counts of the bars add
 * up to those of the buckets. `call` is one of it ({ start, duration, context, depth, held }), the best of
 * `examples` (one a bucket, see better()), or null.
 */
export function histogramBars(histogram, most, { linear = false, examples = [] } = {}) {
  const { low = [], high = [], count = [] } = histogram ?? {};
  if (count.length === 0) return [];
  const first = Math.min(...low);
  const end = Math.max(...high) + 1;
  const bars = Math.min(most, end - first);
  const [to, back] = linear ? [(x) => x, (x) => x] : [Math.log1p, Math.expm1];
  const base = to(first);
  const step = (to(end) - base) / bars;
  const edge = (i) => (i === 0 ? first : i === bars ? end : back(base + i * step));
  const out = Array.from({ length: bars }, (_, i) => ({ low: edge(i), high: edge(i + 1), count: 0, call: null }));
  for (let b = 0; b < count.length; b++) {
    const after = high[b] + 1;
    // One bar early: rounding may put a bound on either side of the bucket's.
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
