// undo.js - what Clear forgot, for a while: the daemon keeps it as it keeps what is paused, and the page its rows.
//
// It is shown, not counted on: what has come since is a profile of its own, and the two cannot be told apart any more
// once they are added up.

const keptMs = 30 * 60_000; // as long as the daemon does

/** on: { api, live, show(profile, keeping, back) (shows a moment, see pause.js) }. */
export function createUndo(on) {
  let held = null;
  let timer = 0;

  const drop = ({ kept }) => kept !== null && on.api.endPause(kept.pause);

  function forget() {
    clearTimeout(timer);
    if (held !== null) drop(held);
    held = null;
  }

  function hold(prepared) {
    held = prepared;
    timer = setTimeout(forget, keptMs);
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
      hold(prepared);
    },
    /** It was not. */
    drop,
    /**
     * Shows it, or what was prepared and is meant; false where it is not held any more. After a return to the present it can be shown
     * once more, unless the profile was cleared once more.
     */
    show(meant = held) {
      if (held === null || held !== meant) return false;
      clearTimeout(timer);
      const shown = held;
      held = null;
      const keeping = async () => {
        if (shown.kept === null) throw shown.trouble;
        return shown.kept;
      };
      on.show(shown.profile, keeping, () => (held === null ? hold(shown) : drop(shown)));
      return true;
    },
  };
}
