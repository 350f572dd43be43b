// histogram.js - the daemon's fine buckets gathered into as many bars as there is room for.

/**
 * Bars with bounds that grow by a steady factor: [{ low, high, count }], at most `bars` of them, from the
 * shortest call to the longest. A bucket that lies across a bound is shared out by width. Counts are kept:
 * their sum is that of the buckets.
 */
export function histogramBars(histogram, bars) {
  const { low = [], high = [], count = [] } = histogram ?? {};
  if (count.length === 0) return [];
  const first = Math.min(...low);
  const last = Math.max(...high, first + 1);
  const base = Math.log1p(first);
  const step = (Math.log1p(last) - base) / bars;
  const edge = (i) => (i === 0 ? first : i === bars ? last : Math.expm1(base + i * step));
  const out = Array.from({ length: bars }, (_, i) => ({ low: edge(i), high: edge(i + 1), count: 0 }));
  for (let b = 0; b < count.length; b++) {
    const width = high[b] - low[b];
    if (!(width > 0)) {
      out[barOf(low[b])].count += count[b];
      continue;
    }
    for (let i = barOf(low[b]); i < bars && out[i].low < high[b]; i++) {
      const shared = Math.min(out[i].high, high[b]) - Math.max(out[i].low, low[b]);
      if (shared > 0) out[i].count += (count[b] * shared) / width;
    }
  }
  return out;

  function barOf(ticks) {
    const i = Math.floor((Math.log1p(ticks) - base) / step);
    return Math.min(Math.max(Number.isFinite(i) ? i : 0, 0), bars - 1);
  }
}
