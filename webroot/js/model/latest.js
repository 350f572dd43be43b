// latest.js - runs work that is requested more often than it can be done: one at a time, then the latest request.

const restShare = 2; // after work that took t ms, new data waits 2 t, which leaves two thirds of the time to others

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
   * Requests the result of `what` on `data` (keys for comparison); `begin()` returns the arguments when the work
   * begins. New data waits for the pause after the last work; another `what` waits only for work in progress.
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
