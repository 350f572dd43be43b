// load.js - how busy the processor is now, for the header: the load, where the target tells of an idle context, or else
// what the functions that are profiled took of the time.

import { percent } from './format.js';
import { processorLoad, RecentLoads, taskRows } from './tasks.js';

const spanMs = 2000; // as far back as a rate has to reach: what arrives in packets comes unevenly
const staleMs = 6000; // what is older says nothing of now

/** What never returned is the program's loop, in which it also waits: its own time says nothing. */
const selfTicks = ({ functions }) => functions.reduce((sum, fn) => sum + (fn?.calls > 0 ? (fn.self_ticks ?? 0) : 0), 0);

/** The share of the last seconds that profiled functions took. */
class RecentBusy {
  #samples = []; // { at (ms), ticks }, oldest first

  add(at, ticks) {
    const last = this.#samples.at(-1);
    if (last !== undefined && (ticks < last.ticks || at - last.at > staleMs)) this.#samples = [];
    this.#samples.push({ at, ticks });
    while (this.#samples.length > 2 && this.#samples[1].at <= at - spanMs) this.#samples.shift();
  }

  /** A share of 1, or null until it is known. */
  share(ticksPerSecond) {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!ticksPerSecond || first === undefined || last.at - first.at < spanMs) return null;
    return Math.min((last.ticks - first.ticks) / (((last.at - first.at) / 1000) * ticksPerSecond), 1);
  }
}

/** Follows a live profile. */
export class ProcessorLoad {
  #contexts = new RecentLoads();
  #busy = new RecentBusy();
  #sequence = -1;

  /** Takes the profile as it is at `at` (ms). */
  add(at, profile) {
    if (profile.sequence === this.#sequence) return;
    this.#sequence = profile.sequence;
    this.#contexts.add(at, profile);
    this.#busy.add(at, selfTicks(profile));
  }

  /** { term, text, tip } of `profile` now, or null where nothing is known. */
  told(profile) {
    const { now, all } = processorLoad(taskRows(profile, this.#contexts));
    if (all !== null)
      return {
        term: 'CPU load',
        text: percent(now ?? all),
        tip: now === null ? 'What the idle context left of the time' : `What the idle context left of the last second or two; ${percent(all)} over all`,
      };
    const busy = this.#busy.share(profile.ticksPerSecond);
    if (busy === null) return null;
    return {
      term: 'Busy',
      text: percent(busy),
      tip: 'What functions that return took of the last seconds, as far as they arrived; the target tells of no idle context, so the load itself is not known',
    };
  }
}
