// pause.js - pausing: the daemon keeps the profile of one time with its calls, so that all requests until the view
// resumes are of that time.
//
// The view stands still at once, with what the page has; what the daemon keeps may be an update newer, and takes its
// place as soon as it is there. Where nothing can be kept the view stands still all the same, and the line reports it.

import { Profile } from '../model/profile.js';

const tickMs = 1000;
const keptS = 1800; // how long the daemon keeps it after the last request
const shortS = 300; // with less left, the page offers to keep it longer

/**
 * on: { api, live, fetchSnapshot(part), changed() (profile or text have changed), toast, place (whose `pause` is the
 * number of the paused moment in a link) }.
 */
export function createPause(on) {
  const pause = { on, profile: null, id: null, back: null, settled: false, seconds: 0, until: 0, trouble: '', timer: 0, updates: 0, shared: false, asked: new Set() };
  addEventListener('pagehide', () => letGo(pause, true));
  return {
    /** The paused profile; null while the view is live. */
    get profile() {
      return pause.profile;
    },
    toggle: () => (pause.profile === null ? stand(pause, on.live.freeze(), on.api.beginPause) : end(pause)),
    /**
     * Shows what was there before the profile was cleared: `profile` as the page had it, keeping() answers how the daemon keeps it, and
     * back() takes it over when the view goes on.
     */
    showCleared(profile, keeping, back) {
      if (pause.profile !== null) end(pause);
      return stand(pause, profile, keeping, back);
    },
    /** True when the data asked for is of the moment that is shown: the daemon may have had no room to keep it. */
    get isKept() {
      return pause.profile === null || pause.id !== null;
    },
    end: () => end(pause),
    /** Shows the paused moment in the address, now and whenever that changes. */
    followLinks: () => followLinks(pause),
    /** Shows what the daemon keeps under that number; false, which was said, where it does not. */
    showKept: (id) => showLinked(pause, id),
    /** The number of the moment for a link; the daemon keeps it from now on also when this page goes on. Null where it is not kept. */
    share() {
      pause.shared = true;
      return pause.id;
    },
    /** `part`, restricted to the paused moment, for a request to the daemon. */
    part: (part) => (pause.id === null ? part : { ...part, pause: pause.id }),
    /** Runs what asks for a part of the moment, and restarts the time for which the daemon keeps it. */
    asking: (run) => (...args) => watch(pause, run(...args)),
    /** Counts an update that is not shown. */
    count: () => pause.updates++,
    /** The state to show; null while the view is live or the pause has just begun. */
    get state() {
      return pause.settled ? stateOf(pause) : null;
    },
    keepLonger: () => watch(pause, on.api.fetchTimeline({ pause: pause.id }, 1)).catch(() => {}),
  };
}

function stateOf({ on: { live }, profile, id, until, trouble, updates, back }) {
  const left = id === null ? null : Math.max(Math.ceil((until - Date.now()) / 1000), 0);
  const { port } = profile.source; // of a recording of this run, which the daemon has read beside it
  const recording = port !== live.source.port && port.startsWith('file:') ? port.slice(5) : '';
  return { updates, left, trouble, recording, cleared: back !== null, short: left !== null && left < shortS };
}

/** Stands still at `mine`, which the daemon keeps as keeping() answers. */
async function stand(pause, mine, keeping, back = null) {
  const { api, changed } = pause.on;
  Object.assign(pause, { profile: mine, updates: 0, trouble: '', settled: false, back });
  changed();
  let kept = null;
  try {
    kept = await keeping();
    if (pause.profile === mine) await take(pause, kept);
    else if (back === null) api.endPause(kept.pause);
  } catch (error) {
    if (pause.profile !== mine) return;
    letGo(pause);
    Object.assign(pause, { trouble: error.message, settled: true });
  }
  changed();
}

/** Shows the profile that the daemon keeps. */
async function take(pause, kept) {
  const before = pause.profile;
  pause.id = kept.pause;
  pause.seconds = kept.seconds;
  used(pause);
  const profile = new Profile();
  profile.load(await pause.on.fetchSnapshot({ pause: kept.pause }));
  if (pause.profile !== before || pause.id !== kept.pause) return;
  clearInterval(pause.timer);
  const timer = setInterval(pause.on.changed, tickMs);
  Object.assign(pause, { profile, timer, settled: true });
  pause.on.settled();
}

function followLinks(pause) {
  const { place } = pause.on;
  const follow = ({ pause: id }) => (id === '' ? pause.shared && pause.profile !== null && end(pause) : showLinked(pause, Number(id)));
  place.subscribe((now, before) => now.pause !== before.pause && follow(now));
  follow(place.get());
}

/** Shows the moment that the daemon keeps under a link's number. */
async function showLinked(pause, id) {
  if (pause.id === id) return true;
  if (pause.profile !== null) end(pause);
  pause.shared = true;
  try {
    await take(pause, { pause: id, seconds: keptS });
  } catch (error) {
    if (pause.id !== id) return false;
    pause.id = null;
    pause.shared = false;
    pause.on.toast('bad', 'The moment of the link is gone', `${error.message} What you see is of now.`);
    leaveLink(pause);
  }
  pause.on.changed();
  return pause.id === id;
}

const leaveLink = ({ on: { place } }) => place.go({ pause: '' }, { replace: true });

function used(pause) {
  pause.until = Date.now() + pause.seconds * 1000;
}

/** Each answer shows whether the daemon still keeps the moment. */
async function watch(pause, answer) {
  const { id, asked } = pause;
  asked.add(answer);
  try {
    const given = await answer;
    if (id !== null && id === pause.id) used(pause);
    return given;
  } catch (error) {
    if (error.status === 410 && id === pause.id) {
      pause.trouble = error.message;
      pause.until = 0;
    }
    throw error;
  } finally {
    asked.delete(answer);
  }
}

/** Releases the moment, once all that was asked of it is answered; `now`: at once, since the page is being closed. */
function letGo(pause, now = false) {
  const { id, asked, shared, on } = pause;
  pause.id = null;
  if (id === null || shared) return;
  if (now) on.api.endPause(id);
  else Promise.allSettled(asked).then(() => on.api.endPause(id));
}

function end(pause) {
  if (pause.back === null) letGo(pause);
  else pause.back();
  clearInterval(pause.timer);
  Object.assign(pause, { profile: null, id: null, back: null, settled: false, timer: 0, shared: false });
  leaveLink(pause);
  pause.on.changed();
}
