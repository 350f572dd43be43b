// backlog.js - merges deltas that the page has not taken yet, so that a slow page gets one delta instead of ten.

import { joinDeltas } from './joindeltas.js';

export const joinedMost = 10; // one second; then they are passed on unasked: hidden pages never ask

export class Backlog {
  #pass;
  #held = null;
  #joined = 0; // number of deltas merged into `held`
  #asked = true;

  /** `pass(delta)` gives a delta to the page. */
  constructor(pass) {
    this.#pass = pass;
  }

  add(delta) {
    if (this.#held !== null && delta.since > this.#held.sequence) this.flush(); // the page must see the gap
    this.#held = this.#held === null ? delta : joinDeltas(this.#held, delta);
    this.#joined++;
    if (this.#asked || this.#joined >= joinedMost) this.flush();
  }

  /** Puts a newer status, which the page already has, into the delta held back. */
  overtake({ source, target, link }) {
    if (this.#held !== null) this.#held = { ...this.#held, source, target, link };
  }

  /** Asks for a delta: the one held back, or the next. */
  more() {
    this.#asked = true;
    this.flush();
  }

  /** Passes the delta held back on, before anything newer. */
  flush() {
    if (this.#held === null) return;
    const delta = this.#held;
    [this.#held, this.#joined, this.#asked] = [null, 0, false];
    this.#pass(delta);
  }
}
