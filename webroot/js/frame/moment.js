// moment.js - asks for a time to go to on the timeline.

import { el, setAttr, setText } from '../dom.js';
import { rangeTicks } from '../model/range.js';
import { parseMoment, placeOfMoment } from '../model/time.js';
import { openDialog } from '../part/dialog.js';

/** on: { time() (model/time.js), place }. Goes to the time entered; if that is impossible, shows why. */
export function askForMoment({ time, place }) {
  const { at, spot } = place.get();
  const input = el('input', {
    id: 'moment',
    type: 'text',
    placeholder: '12.3 s',
    value: spot === '' ? '' : time().moment(Number(spot)),
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': 'moment-hint moment-error',
  });
  const error = el('output', { id: 'moment-error', for: 'moment' });
  const { held, moment } = time();
  const step = held === null ? 1 : Math.max((held.newest - held.oldest) / 1000, 1);
  const extent = held === null ? 'No calls yet.' : `Available: ${moment(held.oldest, step)} to ${moment(held.newest, step)}.`;
  const form = el(
    'form',
    { class: 'payload' },
    el('label', { for: 'moment' }, 'Go to'),
    input,
    el('p', { id: 'moment-hint' }, `12.3 s, 350 ms, 1:02.5. ${extent}`),
    error,
    el('div', { class: 'payload-buttons' }, el('button', { type: 'submit', class: 'button primary' }, 'Go')),
  );
  const dialog = openDialog('Go to a time', form, { className: 'small-dialog' });
  input.addEventListener('input', () => {
    setText(error, '');
    setAttr(input, 'aria-invalid', null);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const found = parseMoment(input.value, time());
    if (found.error !== undefined) {
      setText(error, found.error);
      setAttr(input, 'aria-invalid', 'true');
      return;
    }
    dialog.close();
    place.go(placeOfMoment(found.ticks, time(), rangeTicks(at)));
  });
  input.focus();
  input.select();
}
