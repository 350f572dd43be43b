// backlog.js - the deltas that a page has not asked for yet. They join, so that a page that is slow, or that somebody moves about in,
// gets one and not ten.

import { joinDeltas } from './joindeltas.js';

export const joinedMost = 10; // a second of them: then the page gets it in any case, for a hidden one never asks

export class Backlog {
  #pass;
  #held = null;
  #joined = 0; // how many deltas `held` is made of
  #asked = true;

  /** `pass(delta)` gives one to the page. */
  constructor(pass) {
    this.#pass = pass;
  }

  add(delta) {
    if (this.#held !== null && delta.since > this.#held.sequence) this.flush(); // the page has to see the gap
    this.#held = this.#held === null ? delta : joinDeltas(this.#held, delta);
    this.#joined++;
    if (this.#asked || this.#joined >= joinedMost) this.flush();
  }

  /** The page has a status now that is newer than what is held. */
  overtake({ source, target, link }) {
    if (this.#held !== null) this.#held = { ...this.#held, source, target, link };
  }

  /** The page takes another delta: what is held, or the next one. */
  more() {
    this.#asked = true;
    this.flush();
  }

  /** Passes what is held, so that what comes after it comes after it. */
  flush() {
    if (this.#held === null) return;
    const delta = this.#held;
    [this.#held, this.#joined, this.#asked] = [null, 0, false];
    this.#pass(delta);
  }
}
