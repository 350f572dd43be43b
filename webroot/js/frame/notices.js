// notices.js - the lines between frame and view that report problems and remedies.

import { el, setText } from '../dom.js';
import { absentNotice } from '../model/absence.js';
import { notices } from '../model/notices.js';

/** The line of a notice, and its text element. */
export function noticeLine({ id, level, title, text }) {
  const words = el('span', { 'aria-live': 'off' }, text); // screen readers should not repeat growing figures
  const line = el(
    'div',
    { class: 'notice', 'data-level': level, 'data-id': id },
    el('span', { class: 'dot', 'aria-hidden': 'true' }),
    el('p', {}, el('strong', {}, title), ' ', words),
  );
  return { line, words };
}

export function createNotices(host) {
  let shown = '';
  let lines = [];
  return function update(profile, { answers, whole, place }) {
    const isInHealth = place.view === 'overview' && whole.tree.length > 1; // what is not bad is said there (view/overview/aside.js)
    const list = [...notices(profile, answers).filter(({ level }) => !isInHealth || level === 'bad'), absentNotice(whole, place)].filter((notice) => notice !== null);
    const now = JSON.stringify(list.map(({ id, level, title }) => [id, level, title]));
    // Built again only when something has changed, since a screen reader reads it again each time.
    if (now !== shown) {
      shown = now;
      lines = list.map(noticeLine);
      host.replaceChildren(...lines.map(({ line }) => line));
    }
    list.forEach(({ text }, i) => setText(lines[i].words, text));
  };
}
