// asked.js - an answer of the daemon that a view keeps current while it is shown.

export class Asked {
  #ask;
  #changed;
  #everyMs;
  #busy = false;
  #at = -Infinity;
  #key = null;
  #timer = 0;

  /** `ask(...)` promises an answer; `changed()` is called when there is another; it is asked for again after `everyMs` at the earliest. */
  constructor(ask, changed, everyMs) {
    this.#ask = ask;
    this.#changed = changed;
    this.#everyMs = everyMs;
    /** The newest answer, or null. Of a question that failed the answer before stands. */
    this.answer = null;
  }

  /** Wants the answer of `key`, asked with `input`: of another key at once, where it is not being asked, else after a while. */
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
      // Asked again with the next update.
    }
    this.#busy = false;
    this.#at = performance.now();
    this.#changed();
  }
}
