// load.js - how busy the processor is now, for the header.

import { percent } from './format.js';
import { processorLoad, RecentLoads } from './tasks.js';

/** Follows a live profile. */
export class ProcessorLoad {
  #recent = new RecentLoads();
  #sequence = -1;

  /** Takes the profile as it is at `at` (ms). */
  add(at, profile) {
    if (profile.sequence === this.#sequence) return;
    this.#sequence = profile.sequence;
    this.#recent.add(at, profile);
  }

  /** { text, tip } of `profile` now, or null where nothing is known. */
  told(profile) {
    const { now, all } = processorLoad(profile, profile, this.#recent);
    if (all === null) return null;
    return { text: percent(now ?? all), tip: now === null ? 'Time that was not idle' : `Time that was not idle, of the last second or two; ${percent(all)} over all` };
  }
}
