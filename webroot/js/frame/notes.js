// notes.js - the dialog of the user's notes: adds a note, lists all, goes to one.

import { button, el, setAttr, setText } from '../dom.js';
import { lettersMost, notesMost, readNotes, withNote, withoutNote } from '../model/notes.js';
import { rangeTicks } from '../model/range.js';
import { parseMoment, placeOfMoment } from '../model/time.js';
import { openDialog } from '../part/dialog.js';

const field = (id, label, value, more = {}) => [
  el('label', { for: id }, label),
  el('input', { id, type: 'text', value, autocomplete: 'off', 'aria-describedby': 'note-error', ...more }),
];

/** `time()`: model/time.js; `place`: model/place.js; `ticks`: the time offered for a new note, or null. */
export function openNotes({ time, place }, ticks = null) {
  const [whenLabel, when] = field('note-when', 'At', ticks === null ? '' : time().moment(ticks), { placeholder: '12.3 s' });
  const [textLabel, text] = field('note-text', 'Note', '', { maxlength: lettersMost });
  const error = el('output', { id: 'note-error', for: 'note-when note-text' });
  const list = el('ol', { class: 'notes', 'aria-label': 'Notes' });
  const add = el('button', { type: 'submit', class: 'button primary' }, 'Set note');
  const form = el('form', { class: 'payload note-form' }, whenLabel, when, textLabel, text, error, el('div', { class: 'payload-buttons' }, add));
  const go = (note) => {
    dialog.close();
    place.go(placeOfMoment(note.ticks, time(), rangeTicks(place.get().at)));
  };
  const remove = (note) => {
    place.go({ notes: withoutNote(place.get().notes, note.ticks) }, { replace: true });
    show();
    text.focus();
  };
  const show = () => list.replaceChildren(...readNotes(place.get().notes).map((note) => noteRow(note, time(), { go, remove })));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const trouble = setNote({ time, place }, when, text, ticks);
    setText(error, trouble);
    setAttr(when, 'aria-invalid', trouble === '' ? null : 'true');
    if (trouble === '') dialog.close();
  });
  show();
  const dialog = openDialog('Notes', el('div', {}, form, list), { className: 'small-dialog' });
  (ticks === null && list.children.length > 0 ? list.querySelector('button') : ticks === null ? when : text).focus();
}

/** Adds the note in the fields; returns an error sentence, or ''. */
function setNote({ time, place }, when, text, ticks) {
  // The time offered is exact; the field's text is rounded.
  const isOffered = ticks !== null && when.value === time().moment(ticks);
  const found = isOffered ? { ticks } : parseMoment(when.value, time());
  if (found.error !== undefined) return found.error;
  const notes = withNote(place.get().notes, found.ticks, text.value.trim());
  if (notes === null) return `There are ${notesMost} notes, and a link has no room for more. Remove one first.`;
  place.go({ notes }, { replace: true });
  return '';
}

function noteRow(note, time, { go, remove }) {
  const words = [el('strong', {}, time.moment(note.ticks)), ' ', el('span', {}, note.text)];
  return el(
    'li',
    {},
    el('button', { type: 'button', class: 'window-row', onclick: () => go(note) }, ...words),
    button('close', `Remove the note at ${time.moment(note.ticks)}`, () => remove(note), { iconOnly: true }),
  );
}
