// maxes.js - the longest calls of functions over time, for visible rows: asked for one after the other, so that a table of hundreds
// is no load for the daemon.

import { longestOver } from '../model/pinned.js';

const [againMs, columns] = [10000, 60];

export class Maxes {
  #host;
  #changed;
  #known = new Map(); // id -> { values, at (ms), sequence }
  #key = ''; // of their range and paused moment
  #busy = false;

  /** `changed()` is called when more is known. */
  constructor(host, changed) {
    this.#host = host;
    this.#changed = changed;
  }

  get isThere() {
    return this.#host.fetchOverTime !== null && this.#host.profile.provides('timeline');
  }

  /** The longest call of each time column (null for columns without calls); [] until known. */
  of(id) {
    return this.#known.get(id)?.values ?? [];
  }

  /** Requests the first of `ids` that is unknown, or else old. */
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
    const { range, whole, fetchOverTime } = this.#host;
    let values = this.of(id); // kept if the request fails
    this.#busy = true;
    try {
      values = longestOver(await fetchOverTime(id, range, columns));
    } catch {
      // Requested again when old.
    }
    this.#busy = false;
    if (key === this.#key) this.#known.set(id, { values, at: performance.now(), sequence: whole.sequence });
    this.#changed();
  }
}
