// base.js - the base of the Compare view: the profile when it was marked, or an opened file.

import { createKeep } from './keep.js';
import { checkSize, checkSnapshot, snapshotOf } from './model/opened.js';
import { Profile } from './model/profile.js';

const keptRowsMost = 300000; // of a call tree; larger ones do not survive a reload
const lostWords =
  'The base of before the reload is gone: the browser has not kept it. Mark again, or open the file again.';

function profileOf(snapshot) {
  const profile = new Profile();
  profile.load(snapshot);
  return profile;
}

export class Base {
  #changed;
  #keep;
  #lastId = 0;
  #reading = null; // { name, worker }

  /** `changed()` is called whenever one of these answers has changed; under `name` the base is kept over a reload. */
  constructor(changed, name = 'compare-base') {
    this.#changed = changed;
    this.#keep = createKeep(name);
    /** The base, or null: { id, kind: 'mark' | 'file', name, at (ms), run, ranged, profile }. */
    this.held = null;
    /** True while the browser still looks for the base of before a reload: until then it is unknown whether there is one. */
    this.restoring = false;
    /** A sentence on what could not be opened or stored, or ''. */
    this.error = '';
    /** True when the base will be here after a reload. */
    this.kept = true;
  }

  /** The name of the file that is being read, or ''. */
  get reading() {
    return this.#reading?.name ?? '';
  }

  /**
   * Marks the present profile; `run` identifies the start of its daemon, `ranged` means that it covers only a range.
   */
  mark(profile, run, ranged) {
    this.#stopReading();
    this.#hold({ kind: 'mark', name: 'Mark', at: Date.now(), run, ranged, profile: profile.freeze() });
    this.#store();
  }

  /** Reads a snapshot file; the old base stays until it is read. */
  open(file) {
    this.#stopReading();
    this.error = '';
    try {
      checkSize(file.name, file.size);
    } catch (trouble) {
      this.#fail(trouble.message);
      return;
    }
    const address = new URL('./worker/snapshot.js', import.meta.url);
    const worker = new Worker(address, { type: 'module', name: 'snapshot' });
    this.#reading = { name: file.name, worker };
    worker.onmessage = ({ data }) => this.#take(file, data);
    worker.onerror = () =>
      this.#fail(`“${file.name}” cannot be opened: the browser gave up on it. Choose a smaller snapshot.`);
    worker.postMessage(file);
    this.#changed();
  }

  remove() {
    this.#stopReading();
    this.held = null;
    this.error = '';
    this.#keep.forget();
    this.#changed();
  }

  dismiss() {
    this.error = '';
    this.#changed();
  }

  /** Restores the base after a reload. */
  async restore() {
    this.restoring = true;
    const { value, lost } = await this.#keep.load();
    this.restoring = false;
    if (this.held !== null || this.#reading !== null) return;
    try {
      if (value !== null) {
        this.#hold({ ...value, profile: profileOf(checkSnapshot(value.name, value.snapshot)) });
        return;
      }
    } catch {
      // Stored by another version of the page: treated as lost.
    }
    if (!lost && value === null) {
      this.#changed();
      return;
    }
    this.#keep.forget();
    this.#fail(lostWords);
  }

  #hold(next) {
    this.held = { ...next, id: ++this.#lastId };
    this.error = '';
    this.#changed();
  }

  /** Handles the thread's result for a file. */
  #take({ name, lastModified: at }, { snapshot, error }) {
    if (error) {
      this.#fail(error);
      return;
    }
    this.#stopReading();
    this.#hold({ kind: 'file', name, at, run: null, ranged: false, profile: profileOf(snapshot) });
    this.#store();
  }

  async #store() {
    const { id, kind, name, at, run, ranged, profile } = this.held;
    const fits = profile.tree.length <= keptRowsMost;
    const snapshot = { schema: 'miniprofd.snapshot', schema_version: 1, ...snapshotOf(profile) };
    if (!fits) this.#keep.forget();
    const isKept = fits && (await this.#keep.save({ kind, name, at, run, ranged, snapshot }));
    if (this.held?.id !== id) return;
    this.kept = isKept;
    this.#changed();
  }

  #stopReading() {
    this.#reading?.worker.terminate();
    this.#reading = null;
  }

  #fail(sentence) {
    this.#stopReading();
    this.error = sentence;
    this.#changed();
  }
}
