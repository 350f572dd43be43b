// base.js - what the Compare view compares with: the profile as it was when it was marked, or an opened file.

import { createKeep } from './keep.js';
import { checkSize, checkSnapshot, snapshotOf } from './model/opened.js';
import { Profile } from './model/profile.js';

const keptRowsMost = 300000; // of a call tree; larger ones are not kept over a reload

function profileOf(snapshot) {
  const profile = new Profile();
  profile.load(snapshot);
  return profile;
}

/** `changed()` is called whenever what is told here has changed. */
export function createBase(changed) {
  const keep = createKeep('compare-base');
  let held = null; // { id, kind: 'mark' | 'file', name, at (ms), run, ranged, profile }
  let lastId = 0;
  let reading = null; // { name, worker }
  let error = '';
  let kept = true;

  function set(next) {
    held = { ...next, id: ++lastId };
    error = '';
    changed();
  }

  async function store({ kind, name, at, run, ranged, profile }) {
    const { id } = held;
    const fits = profile.tree.length <= keptRowsMost;
    const snapshot = { schema: 'miniprofd.snapshot', schema_version: 1, ...snapshotOf(profile) };
    if (!fits) keep.forget();
    const ok = fits && (await keep.save({ kind, name, at, run, ranged, snapshot }));
    if (held?.id !== id) return;
    kept = ok;
    changed();
  }

  function stopReading() {
    reading?.worker.terminate();
    reading = null;
  }

  function fail(sentence) {
    stopReading();
    error = sentence;
    changed();
  }

  return {
    /** The base, or null. */
    get held() {
      return held;
    },
    /** The name of the file that is being read, or ''. */
    get reading() {
      return reading?.name ?? '';
    },
    /** A sentence about what could not be opened or kept, or ''. */
    get error() {
      return error;
    },
    /** Whether the base will be here after a reload. */
    get kept() {
      return kept;
    },
    /**
     * Takes the profile as it is now; `run` is the start of the daemon it belongs to, `ranged` says that it is
     * only of a part of the time. */
    mark(profile, run, ranged) {
      stopReading();
      set({ kind: 'mark', name: 'Mark', at: Date.now(), run, ranged, profile: profile.freeze() });
      store(held);
    },
    /** Reads a snapshot file; what was the base stays until it is read. */
    open(file) {
      stopReading();
      error = '';
      try {
        checkSize(file.name, file.size);
      } catch (trouble) {
        fail(trouble.message);
        return;
      }
      const worker = new Worker(new URL('./worker/snapshot.js', import.meta.url), {
        type: 'module',
        name: 'snapshot',
      });
      reading = { name: file.name, worker };
      worker.onmessage = ({ data }) => {
        if (data.error) {
          fail(data.error);
          return;
        }
        stopReading();
        set({
          kind: 'file',
          name: file.name,
          at: file.lastModified,
          run: null,
          ranged: false,
          profile: profileOf(data.snapshot),
        });
        store(held);
      };
      worker.onerror = () =>
        fail(`“${file.name}” cannot be opened: the browser gave up on it. Choose a smaller snapshot.`);
      worker.postMessage(file);
      changed();
    },
    remove() {
      stopReading();
      held = null;
      error = '';
      keep.forget();
      changed();
    },
    dismiss() {
      error = '';
      changed();
    },
    /** Brings back what was there before a reload. */
    async restore() {
      const { value, lost } = await keep.load();
      if (held !== null || reading !== null) return;
      try {
        if (value !== null) {
          set({ ...value, profile: profileOf(checkSnapshot(value.name, value.snapshot)) });
          return;
        }
      } catch {
        // Another version of the page has kept it: as good as lost.
      }
      if (!lost && value === null) return;
      keep.forget();
      fail(
        'The base of before the reload is gone: the browser has not kept it. Mark again, or open the file again.',
      );
    },
  };
}
