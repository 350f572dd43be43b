// glide.js - animates the change from one zoom to the next in a few frames.

const glideMs = 140;
const still = matchMedia('(prefers-reduced-motion: reduce)');

export class Glide {
  constructor() {
    this.drawn = [0, 1]; // painted last, as shares of the whole
    this.way = null; // { from: [a, b], began }
  }

  /** The next range painted is reached from the last one in steps. */
  start() {
    this.way = { from: this.drawn, began: performance.now() };
  }

  stop() {
    this.way = null;
  }

  /** The range to paint now on the way to [from, to]; afterwards `going` is true if there are more steps. */
  step([from, to]) {
    this.drawn = [from, to];
    if (this.way !== null) {
      const { from: begin, began } = this.way;
      const t = still.matches ? 1 : Math.min((performance.now() - began) / glideMs, 1);
      const eased = 1 - (1 - t) ** 3;
      this.drawn = [begin[0] + (from - begin[0]) * eased, begin[1] + (to - begin[1]) * eased];
      if (t >= 1) this.way = null;
    }
    return this.drawn;
  }

  get going() {
    return this.way !== null;
  }
}
