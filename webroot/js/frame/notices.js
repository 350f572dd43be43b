// notices.js - the lines between frame and view that say what is wrong and what to do, and that the view is
// paused.

import { el, setText } from '../dom.js';
import { absentNotice } from '../model/absence.js';
import { plural } from '../model/format.js';
import { notices } from '../model/notices.js';

/** The line of a notice, and the node of its text. */
export function noticeLine({ id, level, title, text }) {
  const words = el('span', { 'aria-live': 'off' }, text); // a figure that grows is not read out again and again
  const line = el(
    'div',
    { class: 'notice', 'data-level': level, 'data-id': id },
    el('span', { class: 'dot', 'aria-hidden': 'true' }),
    el('p', {}, el('strong', {}, title), ' ', words),
  );
  return { line, words };
}

/** What is paused, and for how long it will be kept. state: what pause.js tells. */
function pauseWords({ updates, left, trouble }) {
  const held = `${plural(updates, 'update')} held.`;
  if (trouble !== '') return `${held} ${trouble}`;
  const time = left < 120 ? plural(left, 'second') : plural(Math.floor(left / 60), 'minute');
  return `${held} This moment is kept for another ${time}.`;
}

/** The line that says that the view is paused, and what of it changes. */
function pauseLine({ resume, keepLonger }, cleared) {
  const words = el('span', { 'aria-live': 'off' });
  const notIn = 'Counting has gone on from zero since; what came then is not in this.';
  const atLength = el('span', { class: 'at-length' }, ' The view stands still while data keeps coming:');
  const press = (text, onclick) => el('button', { type: 'button', class: 'button small', onclick }, text);
  const longer = press('Keep longer', keepLonger);
  const line = el(
    'div',
    { class: 'notice', 'data-level': 'pause', 'data-id': 'pause' },
    el('span', { class: 'dot', 'aria-hidden': 'true' }),
    el('p', {}, el('strong', {}, cleared ? 'Before Clear.' : 'Paused.'), ...(cleared ? [' ', notIn] : [atLength]), ' ', words),
    longer,
    press(cleared ? 'Back to now' : 'Resume', resume),
  );
  return { line, words, longer };
}

/** on: { resume, keepLonger } of the pause. */
export function createNotices(host, on) {
  let shown = '';
  let held = null;
  let lines = [];
  return function update(profile, { answers, paused, whole, place }) {
    const list = [...notices(profile, answers), absentNotice(whole, place)].filter((notice) => notice !== null);
    const now = JSON.stringify([list.map(({ id, level, title }) => [id, level, title]), paused?.cleared ?? null]);
    // Built anew only when something has changed, for a screen reader reads it again each time.
    if (now !== shown) {
      shown = now;
      lines = list.map(noticeLine);
      host.replaceChildren(...lines.map(({ line }) => line));
      held = paused === null ? null : pauseLine(on, paused.cleared);
      if (held !== null) host.append(held.line);
    }
    list.forEach(({ text }, i) => setText(lines[i].words, text));
    if (held === null) return;
    setText(held.words, pauseWords(paused));
    held.longer.hidden = !paused.short;
  };
}
