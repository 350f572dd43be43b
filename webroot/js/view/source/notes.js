// notes.js - the notes of the Source view: above the panes on what cannot be shown, below them on the selection.

import { setAttr, setText } from '../../dom.js';
import { count, plural } from '../../model/format.js';
import { sampleText } from '../../model/source.js';
import { paneOf, rowsOf, selected } from './walk.js';

/** The text on how far a listing goes. */
function extent({ lines, code, answer, hasSamples, samples }) {
  const all = lines.filter(({ kind }) => kind === 'line').length;
  return [
    all > 0 ? plural(all, 'line') : '',
    code.length > 0 ? plural(code.length, 'instruction') : '',
    code.length > 0 && answer.size ? `${count(answer.size)} bytes` : '',
    hasSamples && all + code.length > 0 ? plural(Math.round(samples), 'sample') : '',
  ].filter(Boolean);
}

function say(view, pane, text, level) {
  const note = view.notes[pane];
  setText(note, text);
  setAttr(note, 'data-level', level);
  note.hidden = text === '';
  view.panes.tables[pane].root.hidden = rowsOf(view, pane).length === 0;
}

function warningOf(known) {
  const changed = known.changed();
  if (changed.length === 0) return '';
  return `${changed.join(', ')} changed after the ELF was linked: lines may have moved. Build again to be sure.`;
}

/** The text on what cannot be shown. */
export function drawNotes(view) {
  const { known, about, trouble, halves, both } = view;
  const { reason = {}, left_out: leftOut = 0 } = known.answer;
  const loading = about === '' && trouble === '' ? 'Loading …' : trouble;
  const level = reason.source || trouble ? 'plain' : 'warn';
  say(view, 'source', loading || reason.source || warningOf(known), level);
  // A reason common to both panes is shown once.
  const same = known.lines.length === 0 && reason.source === reason.disassembly;
  const more = leftOut > 0 ? `The function continues: ${count(leftOut)} more bytes of code are not shown.` : '';
  say(view, 'code', loading || same ? '' : reason.disassembly || more, 'plain');
  halves.code.hidden = same && known.code.length === 0;
  setAttr(both, 'data-only', known.lines.length === 0 && known.code.length > 0 ? 'code' : null);
  const current = paneOf(view);
  for (const [pane, half] of Object.entries(halves)) setAttr(half, 'data-current', pane === current ? '' : null);
}

function aboutRow(known, row, inCode) {
  if (row === undefined) return extent(known);
  if (inCode) return [`${row.address}: ${row.text}`];
  const instructions = row.instructions > 0 ? plural(row.instructions, 'instruction') : 'no instructions';
  return [`line ${row.line}`, instructions];
}

export function drawStatus(view) {
  const { known, status } = view;
  const pane = paneOf(view);
  const row = rowsOf(view, pane)[selected(view, pane)];
  const bin = known.answer.bin_bytes;
  const parts = [
    ...aboutRow(known, row, pane === 'code'),
    row?.samples > 0 ? `${sampleText(row.samples)} samples` : '',
    bin > 1 ? `samples are reported for ${count(bin)} bytes of code together, and shared out` : '',
  ].filter(Boolean);
  setText(status, parts.join(' · '));
  status.hidden = parts.length === 0;
}
