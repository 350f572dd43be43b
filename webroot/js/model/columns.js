// columns.js - the share of each screen column's time that calls took, and that preemption and blocking took.

const least = 1e-9;

/** A row of columns, each one unit wide. Shares are of a column's time, from 0 to 1. */
export class Columns {
  constructor(wide) {
    this.wide = wide;
    this.ran = new Float32Array(wide);
    this.away = new Float32Array(wide);
    this.colour = new Uint32Array(wide);
    this.awayColour = new Uint32Array(wide);
    this.most = new Float32Array(wide); // share of the call that gave the column its colour
    this.mark = new Uint32Array(wide);
    this.clear();
  }

  clear() {
    for (const one of [this.ran, this.away, this.most, this.mark]) one.fill(0);
    [this.first, this.end] = [this.wide, 0]; // columns with content
  }

  /**
   * Adds calls that take `share` of the time from x0 to x1. A column has the colour of the largest share, or of a
   * marked call.
   */
  add(x0, x1, share, colour, mark = 0) {
    this.#each(x0, x1, share, (i, part) => {
      const better = mark !== 0 ? this.mark[i] === 0 || part > this.most[i] : this.mark[i] === 0 && part > this.most[i];
      this.ran[i] += part;
      if (!better) return;
      [this.most[i], this.colour[i], this.mark[i]] = [part, colour, mark];
    });
  }

  /** Adds a stretch in which the context did not run; it is drawn above the calls. */
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

  /**
   * The number of `levels` lines that a column's calls fill, and the line up to which time away reaches; any time above
   * 0 fills at least one.
   */
  level(i, levels) {
    const some = (share) => (share > 0 ? Math.min(Math.max(Math.round(share * levels), 1), levels) : 0);
    const ran = some(this.ran[i]);
    return { ran, away: this.away[i] > 0 ? Math.min(ran + some(this.away[i]), levels) : ran };
  }
}
