// data.js - the pictures of the timeline: asks the daemon for what is in sight, keeps the last ones, and says
// which of them draws a sight best while a better one is on its way.

import { Picture } from '../../model/picture.js';

const keptMost = 6;
const liveMs = 90; // between two requests while following: ten a second at most
const staleMs = 1000; // what is in sight but not followed is asked for again so often while data comes in
const overviewRows = 12000;
const retryMs = 2000;

/** `load(range or null, max, signal)` promises an answer; `changed()` is called when there is more to draw. */
export function createTimelineData({ load, changed }) {
  let overview = null;
  let pictures = []; // the newest last
  let flying = null; // { asked, abort, began }
  let overviewFlying = null;
  let timer = 0;
  let failedAt = -Infinity;
  const data = {
    held: null, // { oldest, newest } in ticks, or null before the first call
    still: false, // whether what comes in later is none of the reader's business: the view is paused
    trouble: '',
    loaded: false,
    get overview() {
      return overview;
    },
    get pictures() {
      return overview === null ? pictures : [overview, ...pictures];
    },
    reset,
    refresh,
    need,
    layers,
  };

  function reset() {
    flying?.abort.abort();
    overviewFlying?.abort();
    clearTimeout(timer);
    [overview, pictures, flying, overviewFlying, timer] = [null, [], null, null, 0];
    Object.assign(data, { held: null, loaded: false, trouble: '' });
  }

  /** Comes back when something may be asked for again. */
  function later(ms) {
    if (timer !== 0) return;
    timer = setTimeout(() => {
      timer = 0;
      changed();
    }, ms);
  }

  function learn(picture) {
    picture.taken = performance.now();
    data.trouble = '';
    data.loaded = true;
    if (picture.oldest === null) {
      data.held = null;
      return;
    }
    const newest = data.held !== null && data.still ? data.held.newest : Math.max(picture.newest, data.held?.newest ?? 0);
    data.held = { oldest: Math.min(picture.oldest, newest), newest };
  }

  function fail(error) {
    failedAt = performance.now();
    data.trouble = error.message;
    data.loaded = true;
    later(retryMs);
    changed();
  }

  const failedLately = () => performance.now() - failedAt < retryMs;

  /** Keeps the picture of everything current; `sequence` is that of the profile, `live` whether it grows. */
  async function refresh(sequence, live) {
    if (overviewFlying !== null || failedLately()) return;
    if (overview !== null) {
      if (!live || overview.sequence >= sequence) return;
      const age = performance.now() - overview.taken;
      if (age < staleMs) {
        later(staleMs - age);
        return;
      }
    }
    const abort = new AbortController();
    overviewFlying = abort;
    try {
      const next = new Picture(await load(null, overviewRows, abort.signal));
      if (abort.signal.aborted) return;
      overview = next;
      learn(next);
      overviewFlying = null;
      changed();
    } catch (error) {
      if (abort.signal.aborted) return;
      overviewFlying = null;
      fail(error);
    }
  }

  /** Asks for what `asked` says (model/sight.js) unless a picture has it. how: { sight, sequence, live, following }. */
  function need(asked, { sight, sequence, live, following }) {
    if (failedLately()) return;
    const now = performance.now();
    const have = pictures.findLast((one) => one.grain <= asked.grain && one.covers(sight.from, sight.to));
    if (have !== undefined) {
      if (!live || have.sequence >= sequence) return;
      const wait = (following ? liveMs : staleMs) - (now - have.taken);
      if (wait > 0) {
        later(wait);
        return;
      }
    }
    if (flying !== null) {
      const wanted = flying.asked;
      const useful =
        wanted.grain <= asked.grain * 4 && Number(wanted.from) <= sight.to && Number(wanted.to) >= sight.from;
      if (useful) return; // its answer comes first; then this is asked for
      flying.abort.abort();
    }
    ask(asked);
  }

  async function ask(asked) {
    const abort = new AbortController();
    flying = { asked, abort };
    try {
      const answer = await load({ from: asked.from, to: asked.to }, asked.max, abort.signal);
      if (abort.signal.aborted) return;
      const next = new Picture(answer, asked.grain);
      pictures = [...pictures, next].slice(-keptMost);
      learn(next);
      flying = null;
      changed();
    } catch (error) {
      if (abort.signal.aborted) return;
      flying = null;
      fail(error);
    }
  }

  /**
   * What to draw the sight from, stretches that do not overlap: [{ picture, from, to }]. The picture that shows most
   * of it finely enough, and left and right of it the overview.
   */
  function layers({ from: begin, to: end }, grain) {
    const sight = { from: begin, to: Math.min(end, data.held.newest) };
    if (sight.to <= sight.from) return [];
    let best = null;
    let bestScore = 0;
    const span = sight.to - sight.from;
    for (const picture of pictures) {
      const share = Math.max(Math.min(sight.to, picture.to) - Math.max(sight.from, picture.from), 0) / span;
      const coarse = Math.max(Math.log2(picture.grain / grain), 0);
      const score = share - Math.min(coarse * 0.1, 0.9) + (picture.covers(sight.from, sight.to) ? 1 : 0);
      if (share > 0 && score >= bestScore) [best, bestScore] = [picture, score];
    }
    if (best === null) return overview === null ? [] : [{ picture: overview, ...sight }];
    const from = Math.max(sight.from, best.from);
    const to = best.covers(sight.from, sight.to) ? sight.to : Math.min(sight.to, best.to);
    const list = [{ picture: best, from: best.covers(sight.from, sight.to) ? sight.from : from, to }];
    if (overview !== null && list[0].from > sight.from)
      list.unshift({ picture: overview, from: sight.from, to: list[0].from });
    if (overview !== null && to < sight.to) list.push({ picture: overview, from: to, to: sight.to });
    return list;
  }

  return data;
}
