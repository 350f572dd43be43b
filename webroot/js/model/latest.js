// latest.js - work that is asked for more often than it can be done: one piece at a time, and then the latest.

const restShare = 2; // after work that took t ms, new data waits 2 t: two thirds of the time are left to others

export class Latest {
  #work;
  #done;
  #wanted = null; // { what, data, begin }
  #started = { what: null, data: null };
  #busy = false;
  #resting = 0;

  /** `work(...)` promises a result; `done(result)` is called with each. */
  constructor(work, done) {
    this.#work = work;
    this.#done = done;
  }

  /**
   * Wants the result of `what` on `data` (keys that differ when those differ); `begin()` gives the arguments of the
   * work when it begins. New data waits for a rest, another `what` only for the work that is being done.
   */
  want(what, data, begin) {
    this.#wanted = { what, data, begin };
    this.#next();
  }

  /** True while the wanted result is still to come. */
  get behind() {
    const [wanted, { what, data }] = [this.#wanted, this.#started];
    return wanted !== null && (this.#busy || wanted.what !== what || wanted.data !== data);
  }

  #next() {
    const { what, data, begin } = this.#wanted;
    const other = what !== this.#started.what;
    if (this.#busy || (!other && (this.#resting !== 0 || data === this.#started.data))) return;
    clearTimeout(this.#resting);
    this.#resting = 0;
    this.#started = { what, data };
    this.#run(begin());
  }

  async #run(input) {
    this.#busy = true;
    const began = performance.now();
    try {
      this.#done(await this.#work(...input));
    } finally {
      this.#busy = false;
      this.#rest(performance.now() - began);
      this.#next();
    }
  }

  #rest(tookMs) {
    this.#resting = setTimeout(() => {
      this.#resting = 0;
      this.#next();
    }, tookMs * restShare);
  }
}
