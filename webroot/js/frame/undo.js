// undo.js - keeps the cleared profile for a while: the daemon keeps it like a paused one, and the page keeps its rows.
//
// Undo only shows it. Counts since Clear are another profile: once added up, the two could not be separated again.

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
    /** To be called before the profile is cleared; the result is for take() or drop(). */
    async prepare() {
      const profile = on.live.freeze();
      try {
        return { profile, kept: await on.api.beginPause(), trouble: null };
      } catch (trouble) {
        return { profile, kept: null, trouble };
      }
    },
    /** After Clear: replaces the profile kept earlier. */
    take(prepared) {
      forget();
      hold(prepared);
    },
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
