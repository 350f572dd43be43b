// undo.js - what Clear forgot, for a while: the daemon keeps it as it keeps what is paused, and the page its rows.
//
// It is shown, not counted on: what has come since is a profile of its own, and the two cannot be told apart any more
// once they are added up.

const keptMs = 30 * 60_000; // as long as the daemon does

/** on: { api, live, show(profile, keeping) (shows a moment, see pause.js) }. */
export function createUndo(on) {
  let held = null;
  let timer = 0;

  function forget() {
    clearTimeout(timer);
    if (held !== null && held.kept !== null) on.api.endPause(held.kept.pause);
    held = null;
  }

  addEventListener('pagehide', forget);
  return {
    /** To be asked before the profile is cleared; answers a thing to be given to take() when it is. */
    async prepare() {
      const profile = on.live.freeze();
      try {
        return { profile, kept: await on.api.beginPause(), trouble: null };
      } catch (trouble) {
        return { profile, kept: null, trouble };
      }
    },
    /** It was cleared: what was there before may be shown from now on, in the place of what was kept earlier. */
    take(prepared) {
      forget();
      held = prepared;
      timer = setTimeout(forget, keptMs);
    },
    /** It was not. */
    drop({ kept }) {
      if (kept !== null) on.api.endPause(kept.pause);
    },
    /** Shows it; false where there is nothing. */
    show() {
      if (held === null) return false;
      clearTimeout(timer);
      const { profile, kept, trouble } = held;
      held = null;
      on.show(profile, async () => {
        if (kept === null) throw trouble;
        return kept;
      });
      return true;
    },
  };
}
