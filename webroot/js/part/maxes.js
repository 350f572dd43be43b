// maxes.js - the longest calls of functions over time, for visible rows: asked for one after the other, so that a table of hundreds
// is no load for the daemon.

import { longestOver } from '../model/pinned.js';

const [againMs, columns] = [10000, 60];

export class Maxes {
  #host;
  #known = new Map(); // id -> { values, at (ms), sequence }
  #key = ''; // of the range and the moment that they are of
  #busy = false;

  constructor(host) {
    this.#host = host;
  }

  get isThere() {
    return this.#host.fetchOverTime !== null && this.#host.profile.provides('timeline');
  }

  /** The longest call of each column of time (null: there was none); [] until it is known. */
  of(id) {
    return this.#known.get(id)?.values ?? [];
  }

  /** Asks for the first of `ids` that is not known, or else is old. */
  want(ids) {
    const { place, paused, whole, answers } = this.#host;
    const key = `${place.range}|${paused}`;
    if (key !== this.#key) this.#known.clear();
    this.#key = key;
    if (this.#busy || !this.isThere || !answers) return;
    const isOld = ({ at, sequence }) => performance.now() - at > againMs && sequence !== whole.sequence;
    const id = ids.find((one) => !this.#known.has(one)) ?? ids.find((one) => isOld(this.#known.get(one)));
    if (id !== undefined) this.#ask(id, key);
  }

  async #ask(id, key) {
    const { range, whole, fetchOverTime, redraw } = this.#host;
    let values = this.of(id); // which stay where there is no answer
    this.#busy = true;
    try {
      values = longestOver(await fetchOverTime(id, range, columns));
    } catch {
      // Asked again when it is old.
    }
    this.#busy = false;
    if (key === this.#key) this.#known.set(id, { values, at: performance.now(), sequence: whole.sequence });
    redraw();
  }
}
