// columns.js - how much of the time of each column of the screen was taken: by what ran, by what kept it from running.

const least = 1e-9;

/** A row of columns, each as wide as a unit. Shares are of a column's time, from 0 to 1. */
export class Columns {
  constructor(wide) {
    this.wide = wide;
    this.ran = new Float32Array(wide);
    this.away = new Float32Array(wide);
    this.colour = new Uint32Array(wide);
    this.awayColour = new Uint32Array(wide);
    this.most = new Float32Array(wide); // what the owner of the colour took
    this.mark = new Uint32Array(wide);
    this.clear();
  }

  clear() {
    for (const one of [this.ran, this.away, this.most, this.mark]) one.fill(0);
    [this.first, this.end] = [this.wide, 0]; // columns that hold something
  }

  /** Calls of `share` of the time from x0 to x1; a column has the colour of what takes most of it, or of what is marked. */
  add(x0, x1, share, colour, mark = 0) {
    this.#each(x0, x1, share, (i, part) => {
      const better = mark !== 0 ? this.mark[i] === 0 || part > this.most[i] : this.mark[i] === 0 && part > this.most[i];
      this.ran[i] += part;
      if (!better) return;
      [this.most[i], this.colour[i], this.mark[i]] = [part, colour, mark];
    });
  }

  /** The same of stretches in which nothing ran: they stand above the calls. */
  addAway(x0, x1, share, colour) {
    this.#each(x0, x1, share, (i, part) => {
      this.away[i] += part;
      this.awayColour[i] = colour;
    });
  }

  #each(x0, x1, share, take) {
    const from = Math.max(Math.floor(x0), 0);
    const to = Math.min(Math.max(Math.ceil(x1), Math.floor(x0) + 1), this.wide);
    if (to <= from) return;
    this.first = Math.min(this.first, from);
    this.end = Math.max(this.end, to);
    for (let i = from; i < to; i++) take(i, Math.max((Math.min(x1, i + 1) - Math.max(x0, i)) * share, least));
  }

  /** How many of `levels` lines a column's calls fill, and to which line what kept them from running goes; nothing is too little to see. */
  level(i, levels) {
    const some = (share) => (share > 0 ? Math.min(Math.max(Math.round(share * levels), 1), levels) : 0);
    const ran = some(this.ran[i]);
    return { ran, away: this.away[i] > 0 ? Math.min(ran + some(this.away[i]), levels) : ran };
  }
}
