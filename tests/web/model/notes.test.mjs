// The reader's notes are read from an address exactly as they were written to it.

import assert from 'node:assert/strict';
import test from 'node:test';

import { noteMarks, notesMost, readNotes, withNote, withoutNote } from '../../../webroot/js/model/notes.js';
import { formatPlace, parsePlace } from '../../../webroot/js/model/place.js';
import { savedFile } from '../../../webroot/js/model/saved.js';
import { simulated } from './support.mjs';

const strange = ['motor glitched', 'a,b&c=d#e?f', '100 % "x"', '</script><img src=x onerror=alert(1)>', '', '-5-', '🔥 שלום', '12-34'];

test('notes come back from an address', () => {
  let notes = [];
  strange.forEach((text, i) => {
    notes = withNote(notes, 1000 - i, text);
  });
  const back = parsePlace(formatPlace({ ...parsePlace('#timeline'), notes })).notes;
  assert.deepEqual(back, notes);
  assert.deepEqual(readNotes(back), strange.map((text, i) => ({ ticks: 1000 - i, text })).reverse());
});

test('a moment has one note, their number is limited so that a link has room, and invalid ones are left out', () => {
  const once = withNote(withNote([], 5, 'a'), 5.2, 'b');
  assert.deepEqual(readNotes(once), [{ ticks: 5, text: 'b' }]);
  assert.deepEqual(withoutNote(once, 5), []);
  let many = [];
  for (let i = 0; i < notesMost; i++) many = withNote(many, i, 'x');
  assert.equal(withNote(many, 1e6, 'one more'), null);
  assert.notEqual(withNote(many, 3, 'instead'), null);
  assert.deepEqual(readNotes(['soon-x', '7', '9-y']), [{ ticks: 9, text: 'y' }]);
  assert.equal(readNotes([`1-${'x'.repeat(9999)}`])[0].text.length, 120);
});

test('notes are markers where they lie, and in a snapshot that the page saves', () => {
  const list = withNote(withNote([], 500, 'late'), 20, 'early');
  assert.deepEqual(noteMarks(list, 0, 100).map(({ start, text, what }) => [start, text, what]), [[20, 'early', 'note']]);
  const told = JSON.parse(savedFile(simulated(2), 'json', new Date(), readNotes(list)).text);
  assert.deepEqual(told.notes, [{ ticks: 20, text: 'early' }, { ticks: 500, text: 'late' }]);
  assert.equal(told.windows.rows.length, 0);
});
