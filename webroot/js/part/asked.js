// asked.js - an answer of the daemon that is refreshed while a view is shown.

export class Asked {
  #ask;
  #changed;
  #everyMs;
  #busy = false;
  #at = -Infinity;
  #key = null;
  #timer = 0;

  /**
   * `ask(...)` promises an answer; `changed()` is called after each; it is requested again after `everyMs` at the
   * earliest.
   */
  constructor(ask, changed, everyMs) {
    this.#ask = ask;
    this.#changed = changed;
    this.#everyMs = everyMs;
    /** The newest answer, or null. A failed request leaves the previous answer. */
    this.answer = null;
  }

  /**
   * Requests the answer for `key` with `input`: at once for a new key, otherwise after a while; not during another
   * request.
   */
  want(key, ...input) {
    if (this.#busy || key === this.#key) return;
    const wait = this.#at + this.#everyMs - performance.now();
    if (wait <= 0) this.#run(key, input);
    else this.#later(wait);
  }

  #later(ms) {
    if (this.#timer !== 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.#changed();
    }, ms);
  }

  async #run(key, input) {
    this.#busy = true;
    try {
      this.answer = await this.#ask(...input);
      this.#key = key;
    } catch {
      // Requested again with the next update.
    }
    this.#busy = false;
    this.#at = performance.now();
    this.#changed();
  }
}
