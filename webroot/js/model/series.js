// series.js - measured values over time in bounded memory: when it is full, neighbours are merged and the
// step doubles.

export class Series {
  /** `names` are the columns; `most` points are kept at most; points closer than `stepMs` are merged. */
  constructor(names, most = 600, stepMs = 1000) {
    this.names = names;
    this.most = most;
    this.stepMs = stepMs;
    this.points = []; // { time, count, ...sums } - a column's value is its sum divided by count
  }

  /** Adds the values at `time` (ms). Unknown values (null) count as 0. */
  add(time, values) {
    const last = this.points[this.points.length - 1];
    if (last !== undefined && time - last.time < this.stepMs) {
      last.count++;
      for (const name of this.names) last[name] += values[name] ?? 0;
      return;
    }
    const point = { time, count: 1 };
    for (const name of this.names) point[name] = values[name] ?? 0;
    this.points.push(point);
    if (this.points.length > this.most) this.#halve();
  }

  #halve() {
    const merged = [];
    for (let i = 0; i < this.points.length; i += 2) {
      const a = this.points[i];
      const b = this.points[i + 1];
      if (b !== undefined) {
        a.count += b.count;
        for (const name of this.names) a[name] += b[name];
      }
      merged.push(a);
    }
    this.points = merged;
    this.stepMs *= 2;
  }

  /** [{ time, value }] of a column: means of what was merged. */
  column(name) {
    return this.points.map((point) => ({ time: point.time, value: point[name] / point.count }));
  }
}

/** A round number at or above x for the top of an axis. */
export function roundUp(x) {
  if (!(x > 0)) return 1;
  const size = 10 ** Math.floor(Math.log10(x));
  for (const step of [1, 1.5, 2, 3, 4, 5, 6, 8, 10]) if (step * size >= x * (1 - 1e-12)) return step * size;
  return 10 * size;
}
