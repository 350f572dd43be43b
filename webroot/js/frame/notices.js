// notices.js - the lines between frame and view that say what is wrong and what to do, and that the view is
// paused.

import { el, setText } from '../dom.js';
import { plural } from '../model/format.js';
import { notices } from '../model/notices.js';

export function createNotices(host, resume) {
  let shown = '';
  let held = null;
  return function update(profile, { answers, paused, updatesHeld }) {
    const list = notices(profile, answers);
    const now = JSON.stringify([list, paused]);
    // Built anew only when something has changed, for a screen reader reads it again each time.
    if (now !== shown) {
      shown = now;
      held = null;
      host.replaceChildren(
        ...list.map(({ id, level, title, text }) =>
          el(
            'div',
            { class: 'notice', 'data-level': level, 'data-id': id },
            el('span', { class: 'dot', 'aria-hidden': 'true' }),
            el('p', {}, el('strong', {}, title), ` ${text}`),
          ),
        ),
      );
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
    if (held !== null) setText(held, `${plural(updatesHeld, 'update')} held.`);
  };
}
