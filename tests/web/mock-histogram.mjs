// mock-histogram.mjs - computes histograms and spreads of durations in the daemon's form.

/** Returns buckets of about 2 % relative width, as in a histogram with a limited error. */
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

/** Returns the longest calls of a function on the timeline, and an example for each bucket. */
export function worth(list, id, { low, high }) {
  const calls = list.filter(({ fn }) => fn === id).map(({ start, duration, context, depth }) => ({ start, duration, context, depth, caller: null, held: true }));
  const longest = [...calls].sort((a, b) => b.duration - a.duration).slice(0, 20);
  const examples = low.map((least, i) => calls.findLast(({ duration }) => duration >= least && duration <= high[i]) ?? null);
  return { longest, examples };
}

/** Returns the spread in a range. A call that crosses its edge counts with the part inside. */
export function spreadIn(list, id, from, to) {
  const part = ({ start, duration }) => Math.min(start + duration, to) - Math.max(start, from);
  const mine = list.filter((call) => call.fn === id && part(call) > 0);
  const spread = histogram(mine.map(part));
  return { histogram: spread, ...worth(mine, id, spread) };
}

/** Returns the periods of a function in the daemon's form: from start to start of its calls, all in one context. */
export function periodsOf(list, id, from, to) {
  const held = (start) => start >= (from ?? 0) && start <= (to ?? Infinity);
  const calls = list.filter(({ fn, start }) => fn === id && held(start)).sort((a, b) => a.start - b.start);
  const ends = calls.slice(1).map(({ start }, i) => ({ ...calls[i], period: start - calls[i].start }));
  const sorted = ends.map(({ period }) => period).sort((a, b) => a - b);
  const at = (percent) => sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? null;
  const mean = sorted.length > 0 ? sorted.reduce((sum, one) => sum + one, 0) / sorted.length : null;
  const jitter = mean === null ? null : Math.sqrt(sorted.reduce((sum, one) => sum + (one - mean) ** 2, 0) / sorted.length);
  const spread = histogram(sorted);
  const examples = spread.low.map((low, i) => {
    const { start, duration, period, context, depth } = ends.findLast((one) => one.period >= low && one.period <= spread.high[i]);
    return { start, duration, period, context, depth };
  });
  const figures = { periods: sorted.length, min_ticks: sorted[0] ?? null, p50_ticks: at(50), p90_ticks: at(90), p99_ticks: at(99), max_ticks: at(100) };
  return { id, sequence: 1, recursive: false, excerpts: false, ...figures, mean_ticks: mean, jitter_ticks: jitter, histogram: spread, examples };
}

/** Returns a function over time in the daemon's form: columns by the start of its calls. */
export function overTime(list, id, from, to, n) {
  const oldest = list.reduce((least, { start }) => Math.min(least, start), Infinity);
  const newest = list.reduce((most, { start, duration }) => Math.max(most, start + duration), -Infinity);
  const [first, last] = [from ?? oldest, to ?? newest];
  const step = Math.floor((last - first) / n) + 1;
  const columns = new Map();
  const mine = list.filter(({ fn, start }) => fn === id && start >= first && start <= last).sort((a, b) => a.start - b.start);
  for (const call of mine) {
    const column = Math.floor((call.start - first) / step);
    columns.set(column, [...(columns.get(column) ?? []), call]);
  }
  const keys = ['column', 'calls', 'min', 'p50', 'p99', 'max', 'periods', 'period_ticks', 'period_min', 'period_max', 'period_jitter', 'start', 'context', 'depth'];
  const rows = Object.fromEntries(keys.map((key) => [key, []]));
  for (const [column, calls] of columns) {
    const sorted = [...calls].sort((a, b) => a.duration - b.duration);
    const at = (percent) => sorted[Math.ceil((sorted.length * percent) / 100) - 1].duration;
    const { start, context, depth } = sorted.at(-1);
    const periods = calls.slice(1).map((call, i) => call.start - calls[i].start);
    const sum = periods.reduce((all, one) => all + one, 0);
    const jitter = periods.length === 0 ? 0 : Math.round(Math.sqrt(periods.reduce((all, one) => all + (one - sum / periods.length) ** 2, 0) / periods.length));
    const extremes = periods.length === 0 ? [0, 0] : [Math.min(...periods), Math.max(...periods)];
    const values = [column, calls.length, sorted[0].duration, at(50), at(99), at(100), periods.length, sum, ...extremes, jitter, start, context, depth];
    keys.forEach((key, i) => rows[key].push(values[i]));
  }
  return { id, sequence: 1, from: first, to: last, step, oldest, newest, excerpts: false, rows, gaps: [] };
}
