// load.js - the processor's current load, for the header.

import { percent } from './format.js';
import { processorLoad, RecentLoads } from './tasks.js';

export class ProcessorLoad {
  #recent = new RecentLoads();
  #sequence = -1;

  /** Adds the profile as of `at` (ms). */
  add(at, profile) {
    if (profile.sequence === this.#sequence) return;
    this.#sequence = profile.sequence;
    this.#recent.add(at, profile);
  }

  /** { text, tip } for the current load of `profile`, or null if unknown. */
  told(profile) {
    const { now, all } = processorLoad(profile, profile, this.#recent);
    if (all === null) return null;
    return { text: now === null ? percent(all) : `${percent(now)} now`, tip: now === null ? 'Time that was not idle' : `Time that was not idle, of the last second or two; ${percent(all)} over all` };
  }
}
