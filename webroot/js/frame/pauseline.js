// pauseline.js - the line that shows that the view is paused; it is below the view, so that nothing moves.

import { el, setText } from '../dom.js';
import { baseName, plural } from '../model/format.js';

/** What is paused, and for how long it will be kept. state: from pause.js. */
function pauseWords({ updates, left, trouble, recording }) {
  const held = recording === '' ? `${plural(updates, 'update')} not shown.` : '';
  if (trouble !== '') return `${held} ${trouble}`;
  const time = left < 120 ? plural(left, 'second') : plural(Math.floor(left / 60), 'minute');
  return `${held} This moment is kept for another ${time}.`;
}

/** The line that says that the view is paused, and what of it changes. */
function pauseLine({ resume, keepLonger }, { cleared, recording }) {
  const words = el('span', { 'aria-live': 'off' });
  const notIn = 'Counts began at zero since then; these are not included.';
  const atLength = el('span', { class: 'at-length' }, 'The view is paused while data arrives: ');
  const [title, about] = recording !== '' ? [`Recording ${baseName(recording)}.`, 'The live profile continues. '] : cleared ? ['Before Clear.', `${notIn} `] : ['Paused.', atLength];
  const press = (text, onclick) => el('button', { type: 'button', class: 'button small', onclick }, text);
  const longer = press('Keep longer', keepLonger);
  const line = el(
    'div',
    { class: 'notice', 'data-level': 'pause', 'data-id': 'pause' },
    el('span', { class: 'dot', 'aria-hidden': 'true' }),
    el('p', {}, el('strong', {}, title), ' ', about, words),
    longer,
    press(cleared || recording !== '' ? 'Back to now' : 'Resume', resume),
  );
  return { line, words, longer };
}

/** on: { resume, keepLonger } of the pause. */
export function createPauseLine(host, on) {
  let shown = null; // what the line is about: a recording, or whether from before Clear; null without a line
  let held = null;
  return function update(paused) {
    const now = paused === null ? null : paused.recording || paused.cleared;
    if (now !== shown) {
      shown = now;
      held = now === null ? null : pauseLine(on, paused);
      host.replaceChildren(...(held === null ? [] : [held.line]));
    }
    if (held === null) return;
    setText(held.words, pauseWords(paused));
    held.longer.hidden = !paused.short;
  };
}
