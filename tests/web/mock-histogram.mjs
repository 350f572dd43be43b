// mock-histogram.mjs - durations as the daemon's histogram tells them.

/** Buckets of about 2 % relative width, as a histogram of bounded error has them. */
export function histogram(durations) {
  const counts = new Map();
  for (const ticks of durations) {
    const step = 2 ** Math.max(Math.floor(Math.log2(Math.max(ticks, 1))) - 5, 0);
    const low = Math.floor(ticks / step) * step;
    const bucket = counts.get(low) ?? { low, high: low + step - 1, count: 0 };
    bucket.count++;
    counts.set(low, bucket);
  }
  const buckets = [...counts.values()].sort((a, b) => a.low - b.low);
  return {
    unit: 'ticks',
    low: buckets.map((b) => b.low),
    high: buckets.map((b) => b.high),
    count: buckets.map((b) => b.count),
  };
}

/** The longest of the timeline's calls of a function, and one for each bucket. */
export function worth(list, id, { low, high }) {
  const calls = list.filter(({ fn }) => fn === id).map(({ start, duration, context, depth }) => ({ start, duration, context, depth, caller: null, held: true }));
  const longest = calls.toSorted((a, b) => b.duration - a.duration).slice(0, 20);
  const examples = low.map((least, i) => calls.findLast(({ duration }) => duration >= least && duration <= high[i]) ?? null);
  return { longest, examples };
}
