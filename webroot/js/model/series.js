// series.js - how the link did over time, as the daemon sends it: what its plots and its "last at" are made of.

/**
 * One column of a history ({ from, step, now in ms, and for each name a column of values per second, null while the
 * source was away }) as points: [{ time (ms, in the middle of its step), value }]. The last step is left out until half
 * of it has passed.
 */
export function pointsOf(history, name) {
  const { from, step, now } = history;
  const points = history[name].map((value, i) => ({ time: Math.min(from + (i + 0.5) * step, now), value }));
  return points.length > 1 && (now - from) % step < step / 2 ? points.slice(0, -1) : points;
}

/** The runs of known points, each of at least one. */
export function runsOf(points) {
  const runs = [];
  let run = null;
  for (const point of points) {
    if (point.value === null) run = null;
    else if (run === null) runs.push((run = [point]));
    else run.push(point);
  }
  return runs;
}

/** The times without a source: [{ from, to }] in ms, from the last point before to the first after. */
export function outagesOf(points) {
  const found = [];
  points.forEach(({ value }, i) => {
    if (value !== null) return;
    const [from, to] = [points[i - 1] ?? points[i], points[i + 1] ?? points[i]].map(({ time }) => time);
    if (i > 0 && points[i - 1].value === null) found.at(-1).to = to;
    else found.push({ from, to });
  });
  return found;
}

/** A time ago, in short form. */
export function agoText(ms) {
  const s = ms / 1000;
  if (s < 120) return `${Math.max(Math.round(s), 0)} s`;
  return s < 7200 ? `${Math.round(s / 60)} min` : s < 172800 ? `${(s / 3600).toFixed(1)} h` : `${Math.round(s / 86400)} d`;
}

/** A round number at or above x for the top of an axis. */
export function roundUp(x) {
  if (!(x > 0)) return 1;
  const size = 10 ** Math.floor(Math.log10(x));
  for (const step of [1, 1.5, 2, 3, 4, 5, 6, 8, 10]) if (step * size >= x * (1 - 1e-12)) return step * size;
  return 10 * size;
}
