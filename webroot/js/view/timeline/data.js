// data.js - the pictures of the timeline: asks the daemon for the visible part, and keeps the last ones. layers.js says which
// of them draws a sight while a better one is on its way.

import { Picture } from '../../model/picture.js';

const keptMost = 6;
const liveMs = 90; // between two requests while following: ten a second at most
const staleMs = 1000; // while data comes in, a visible part that is not followed is asked for again at this interval
const [overviewRows, overviewColumns] = [12000, 1000];
const retryMs = 2000;

export class TimelineData {
  #load;
  #changed;
  #flying = null; // { asked, abort }
  #overviewFlying = null;
  #timer = 0;
  #failedAt = -Infinity;

  /** `load(range or null, max, signal, columns)` promises an answer; `changed()` is called when there is more to draw. */
  constructor(load, changed) {
    this.#load = load;
    this.#changed = changed;
    this.still = null; // the sequence that is paused; null while the view is live
    this.#empty();
  }

  #empty() {
    this.overview = null; // the picture of everything
    this.parts = []; // pictures of parts that were visible, the newest last
    this.held = null; // { oldest, newest } in ticks, or null before the first call
    this.followed = null; // while the newest is followed: { newest: how far the last answer reaches, taken: when it came }
    this.trouble = '';
    this.loaded = false;
  }

  get pictures() {
    return this.overview === null ? this.parts : [this.overview, ...this.parts];
  }

  /** Stops at that sequence, or goes live for null. Discards later data. */
  stand(sequence) {
    if (sequence === this.still) return;
    this.still = sequence;
    if (sequence === null) return;
    this.#stop();
    this.parts = this.parts.filter((one) => one.sequence <= sequence);
    if (this.overview?.sequence > sequence) this.overview = null;
  }

  #stop() {
    this.#flying?.abort.abort();
    this.#overviewFlying?.abort();
    clearTimeout(this.#timer);
    [this.#flying, this.#overviewFlying, this.#timer] = [null, null, 0];
  }

  reset() {
    this.#stop();
    this.#empty();
  }

  /** Calls `changed()` when another request is allowed. */
  #later(ms) {
    if (this.#timer !== 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.#changed();
    }, ms);
  }

  #learn(picture) {
    picture.taken = performance.now();
    this.trouble = '';
    this.loaded = true;
    if (picture.oldest === null) {
      this.held = null;
      return;
    }
    const { held } = this;
    const known = held?.newest ?? 0;
    const newest = held !== null && this.still !== null ? Math.min(picture.newest, known) : Math.max(picture.newest, known);
    this.held = { oldest: Math.min(picture.oldest, newest), newest };
  }

  #fail(error) {
    this.#failedAt = performance.now();
    this.trouble = error.message;
    this.loaded = true;
    this.#later(retryMs);
    this.#changed();
  }

  get #failedLately() {
    return performance.now() - this.#failedAt < retryMs;
  }

  /** Keeps the overview up to date; `sequence` is the profile's, `live`: the daemon responds. */
  async refresh(sequence, live) {
    if (this.#overviewFlying !== null || this.#failedLately) return;
    if (this.overview !== null) {
      if (!live || this.overview.sequence >= sequence) return;
      const age = performance.now() - this.overview.taken;
      if (age < staleMs) {
        this.#later(staleMs - age);
        return;
      }
    }
    const abort = new AbortController();
    this.#overviewFlying = abort;
    try {
      const next = new Picture(await this.#load(null, overviewRows, abort.signal, overviewColumns));
      if (abort.signal.aborted) return;
      this.overview = next;
      this.#learn(next);
      this.#overviewFlying = null;
      this.#changed();
    } catch (error) {
      if (abort.signal.aborted) return;
      this.#overviewFlying = null;
      this.#fail(error);
    }
  }

  /** Requests `asked` (model/sight.js) unless a picture covers it. how: { sight, sequence, live, following }. */
  need(asked, { sight, sequence, live, following }) {
    if (this.#failedLately) return;
    if (!following) this.followed = null;
    const early = this.followed === null ? 0 : liveMs - (performance.now() - this.followed.taken);
    if (early > 0) {
      this.#later(early);
      return;
    }
    const have = this.parts.findLast((one) => one.grain <= asked.grain && one.covers(sight.from, sight.to));
    if (have !== undefined) {
      if (!live || have.sequence >= sequence) return;
      const wait = (following ? liveMs : staleMs) - (performance.now() - have.taken);
      if (wait > 0) {
        this.#later(wait);
        return;
      }
    }
    if (this.#flying !== null) {
      const { from, to, grain } = this.#flying.asked;
      const useful = grain <= asked.grain * 4 && Number(from) <= sight.to && Number(to) >= sight.from;
      if (useful) return; // its answer comes first; then this is requested
      this.#flying.abort.abort();
    }
    this.#ask(asked, following);
  }

  async #ask(asked, following) {
    const abort = new AbortController();
    this.#flying = { asked, abort };
    try {
      const answer = await this.#load({ from: asked.from, to: asked.to }, asked.max, abort.signal);
      if (abort.signal.aborted) return;
      const next = new Picture(answer, asked.grain);
      this.parts = [...this.parts, next].slice(-keptMost);
      this.#learn(next);
      if (following && next.newest !== null) this.followed = { newest: Math.min(next.to, next.newest), taken: next.taken };
      this.#flying = null;
      this.#changed();
    } catch (error) {
      if (abort.signal.aborted) return;
      this.#flying = null;
      this.#fail(error);
    }
  }
}
