// frozen.js - the base of a report's Compare view: the mark or file saved in it, or a file that is opened.

import { checkSize, readSnapshot } from '../js/model/opened.js';
import { Profile } from '../js/model/profile.js';

function profileOf(snapshot) {
  const profile = new Profile();
  profile.load(snapshot);
  return profile;
}

/** As Base (js/base.js), without threads and storage. */
export class FrozenBase {
  #changed;
  #lastId = 0;

  /** `told` is the base saved in the file, or null; `changed()` is called after each change. */
  constructor(told, changed) {
    this.held = null;
    this.error = '';
    this.kept = true;
    this.reading = '';
    this.#changed = () => {};
    if (told !== null) this.#hold({ ...told, profile: profileOf(told.snapshot) });
    this.#changed = changed;
  }

  #hold(next) {
    this.held = { ...next, id: ++this.#lastId };
    this.error = '';
    this.#changed();
  }

  mark(profile, run, ranged) {
    this.#hold({ kind: 'mark', name: 'Mark', at: Date.now(), run, ranged, profile: profile.freeze() });
  }

  async open(file) {
    try {
      checkSize(file.name, file.size);
      const profile = profileOf(readSnapshot(file.name, await file.text()));
      this.#hold({ kind: 'file', name: file.name, at: file.lastModified, run: null, ranged: false, profile });
    } catch (trouble) {
      this.error = trouble.message;
      this.#changed();
    }
  }

  remove() {
    this.held = null;
    this.error = '';
    this.#changed();
  }

  dismiss() {
    this.error = '';
    this.#changed();
  }
}
