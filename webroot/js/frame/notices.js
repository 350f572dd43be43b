// notices.js - the lines between frame and view that say what is wrong and what to do, and that the view is
// paused.

import { el, setText } from '../dom.js';
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

export function createNotices(host, resume) {
  let shown = '';
  let held = null;
  let lines = [];
  return function update(profile, { answers, paused, updatesHeld }) {
    const list = notices(profile, answers);
    const now = JSON.stringify([list.map(({ id, level, title }) => [id, level, title]), paused]);
    // Built anew only when something has changed, for a screen reader reads it again each time.
    if (now !== shown) {
      shown = now;
      held = null;
      lines = list.map(noticeLine);
      host.replaceChildren(...lines.map(({ line }) => line));
      if (paused) {
        held = el('span', { 'aria-live': 'off' });
        host.append(
          el(
            'div',
            { class: 'notice', 'data-level': 'pause', 'data-id': 'pause' },
            el('span', { class: 'dot', 'aria-hidden': 'true' }),
            el(
              'p',
              {},
              el('strong', {}, 'Paused.'),
              ' The view stands still while data keeps coming: ',
              held,
            ),
            el('button', { type: 'button', class: 'button small', onclick: resume }, 'Resume'),
          ),
        );
      }
    }
    list.forEach(({ text }, i) => setText(lines[i].words, text));
    if (held !== null) setText(held, `${plural(updatesHeld, 'update')} held.`);
  };
}
