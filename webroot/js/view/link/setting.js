// setting.js - the form for one setting of the device, sent with Enter or Apply.

import { el, setAttr, setText } from '../../dom.js';

/**
 * A line for `field`, an input or select with an id. `judge(text)` returns { value } or { error }, `send(value)`
 * promises { now (the device's value, as text), text (the result) }, `tip(text)` returns the text beside it.
 * update(shown, barred) shows the device's value, and disables the form if `barred`.
 */
export function createSetting(host, { field, label, judge, send, tip }) {
  const { id } = field;
  const apply = el('button', { type: 'submit', class: 'button small', 'aria-label': `Apply ${label}` }, 'Apply');
  const about = el('span', { class: 'setting-range', id: `${id}-range` });
  const said = el('output', { id: `${id}-said`, for: id });
  const root = el('form', { class: 'setting' }, el('label', { for: id }, label), field, apply, about, said);
  setAttr(field, 'aria-describedby', `${about.id} ${said.id}`);
  const line = { host, field, judge, send, tip, apply, about, said, shown: null, waits: false, barred: false };
  field.addEventListener('input', () => look(line));
  field.addEventListener('keydown', (event) => takeBack(line, event));
  root.addEventListener('submit', (event) => {
    event.preventDefault();
    submit(line);
  });
  return { root, update: (shown, barred) => update(line, shown, barred) };
}

const isTouched = ({ field, shown }) => shown !== null && field.value !== shown;

/** Shows the device's value, unless the user is typing another. */
function update(line, shown, barred) {
  if (!isTouched(line) && !line.waits) line.field.value = shown;
  line.shown = shown;
  line.barred = line.field.disabled = barred;
  mark(line);
}

function mark({ field, judge, tip, apply, about, waits, barred, shown }) {
  apply.disabled = barred || waits || field.value === shown || 'error' in judge(field.value);
  setText(about, tip(field.value));
}

function say({ field, said }, level, text) {
  setText(said, text);
  setAttr(said, 'data-level', level);
  setAttr(field, 'aria-invalid', level === 'bad' ? 'true' : null);
}

function look(line) {
  const { error } = line.judge(line.field.value);
  say(line, error ? 'bad' : null, error ?? '');
  mark(line);
}

/** Escape restores the device's value. */
function takeBack(line, event) {
  if (event.key !== 'Escape' || !isTouched(line)) return;
  event.preventDefault();
  line.field.value = line.shown;
  look(line);
}

async function submit(line) {
  if (line.apply.disabled) return;
  const { value } = line.judge(line.field.value);
  line.waits = line.apply.disabled = true;
  say(line, null, 'Asking the device…');
  try {
    const { now, text } = await line.send(value);
    line.shown = line.field.value = now;
    say(line, 'ok', text);
  } catch (error) {
    say(line, 'bad', error.message);
  }
  line.waits = false;
  line.host.redraw();
}
