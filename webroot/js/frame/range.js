// range.js - the part of time that every view shows: its profile, fetched once, and the line that names it.
//
// The figures of a range come from the daemon, which holds the calls; here they are only kept. While they are on
// their way, or are unavailable, the views show everything, and the line says that, too.

import { el, setAttr, setText } from '../dom.js';
import { duration, percent } from '../model/format.js';
import { Profile } from '../model/profile.js';
import { rangeTicks, readRange } from '../model/range.js';

/** Shows all time again; false if no range is selected. */
export function leaveRange(place) {
  if (place.get().range === '') return false;
  place.go({ range: '' });
  return true;
}

/**
 * on: { host (the element of the line), live, fetchSnapshot, changed() (called when the profile changes), clear()
 * (clears the range), time() (model/time.js) }.
 */
export function createRange(on) {
  const range = {
    on,
    wanted: '',
    profile: null, // the range's, or null while views show all time
    trouble: '',
    told: null, // the daemon's description of the range
    request: null,
    line: null,
  };
  range.line = createLine(on, () => load(range));
  return {
    /** The profile of the range, or null where there is none. */
    get profile() {
      return range.profile;
    },
    show: (wanted) => show(range, wanted),
    /** The daemon has cleared its counts. */
    forget() {
      if (range.wanted !== '') load(range);
    },
    update: () => update(range),
  };
}

function createLine({ host, clear }, reload) {
  const title = el('strong');
  const words = el('span');
  const press = (text, onclick, tip = null) =>
    el('button', { type: 'button', class: 'button small', title: tip, onclick }, text);
  const again = press('Try again', reload);
  const root = el(
    'div',
    { class: 'notice', 'data-id': 'range', hidden: true },
    el('span', { class: 'dot', 'aria-hidden': 'true' }),
    el('p', {}, title, ' ', words),
    again,
    press('Show everything', clear, 'Clear selection (Backspace)'),
  );
  host.append(root);
  return { root, title, words, again };
}

/** Shows this range, '' for all time; fetches only a new one. */
function show(range, wanted) {
  if (wanted === range.wanted) return;
  range.wanted = wanted;
  range.told = null;
  if (wanted !== '') {
    load(range);
    return;
  }
  range.request?.abort();
  range.request = null;
  range.profile = null;
  range.trouble = '';
}

async function load(range) {
  const { fetchSnapshot, changed } = range.on;
  range.request?.abort();
  const mine = new AbortController();
  range.request = mine;
  range.trouble = '';
  changed();
  try {
    const answer = await fetchSnapshot(readRange(range.wanted), mine.signal);
    if (mine.signal.aborted) return;
    range.profile = new Profile();
    range.profile.load(answer);
    range.told = answer.range ?? null;
  } catch (error) {
    if (mine.signal.aborted) return;
    range.profile = null;
    range.trouble = error.message;
  }
  range.request = null;
  changed();
}

const momentIn = ({ on, wanted }, ticks) => on.time().moment(ticks, rangeTicks(wanted) / 100);

/**
 * Text on the part of the range that is no longer kept. Made for each drawing: from where moments are counted may be learnt after the range.
 */
function whatIsMissing(range) {
  const held = range.told?.held_from ?? 0;
  const { from, to } = readRange(range.wanted);
  const at = momentIn(range, held);
  if (held > Number(to)) return `It ends before ${at}, the oldest call available: there is nothing to show.`;
  if (held > Number(from)) return `Its calls before ${at} are no longer available; the figures are of later calls.`;
  const known = range.told?.known ?? null; // where call times are known only inside of windows
  if (known === 0) return 'No window is in it: what ran there is unknown.';
  if (known !== null && known < Number(to) - Number(from))
    return `Windows cover ${percent(known / (Number(to) - Number(from)))} of it, and the figures are of that.`;
  const { calls, messages } = range.profile;
  if (calls > 0 || messages.length > 0) return '';
  return 'It has no calls: nothing ran then, or the profile was cleared since.';
}

function wordsOf(range, missing) {
  const { from, to } = readRange(range.wanted);
  const [begin, end] = [from, to].map((edge) => momentIn(range, Number(edge)));
  if (range.trouble !== '') return `It cannot be shown: ${range.trouble} Until then every view shows all time.`;
  if (range.profile === null) return `from ${begin} to ${end}. Reading its calls …`;
  return missing || `from ${begin} to ${end}: views and exports are of these calls only.`;
}

function update(range) {
  const { wanted, trouble, on } = range;
  const { root, title, words, again } = range.line;
  root.hidden = wanted === '';
  if (root.hidden) return;
  const missing = range.profile === null ? '' : whatIsMissing(range);
  setAttr(root, 'data-level', trouble !== '' ? 'bad' : missing !== '' ? 'warn' : 'pause');
  setText(title, `Range of ${duration(rangeTicks(wanted), on.live.ticksPerSecond)}`);
  setText(words, wordsOf(range, missing));
  again.hidden = trouble === '';
}
