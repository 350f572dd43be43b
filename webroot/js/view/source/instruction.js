// instruction.js - the cell of an instruction: its text, and its target: another function, a row of this one, or a
// value.

import { el, setAttr, setText } from '../../dom.js';

/** on: as for createPanes(), and indexOf(row). */
export const instructionColumn = (on) => ({
  id: 'code',
  title: 'Instruction',
  plain: true,
  text: () => '',
  cell: () => createCell(on),
});

function createCell(on) {
  const cell = {
    on,
    row: null, // shown last
    word: el('span', { class: 'source-word' }),
    rest: el('span', {}),
    value: el('span', { class: 'source-value' }),
    name: el('span', { class: 'source-value' }),
  };
  cell.away = el('a', { class: 'source-target', onclick: (event) => follow(cell, event) });
  cell.within = el('button', { type: 'button', class: 'source-target', onclick: (event) => jump(cell, event) });
  const { word, rest, value, away, within, name } = cell;
  return { nodes: [el('code', {}, word, rest), value, away, within, name], set: (row) => show(cell, row) };
}

function follow({ on, row }, event) {
  event.stopPropagation();
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  on.follow(row.target);
}

function jump({ on, row }, event) {
  event.stopPropagation();
  on.jump(row.into);
}

function show(cell, row) {
  cell.row = row;
  const [first, ...others] = row.text.split(' ');
  setText(cell.word, first);
  setText(cell.rest, others.join(' '));
  setText(cell.value, row.literal === null ? '' : `= ${row.literal}`);
  showTarget(cell, row);
}

function showTarget({ on, away, within, name }, row) {
  const { target, into } = row;
  const isLink = target !== null && into < 0 && target.function !== null;
  away.hidden = !isLink;
  within.hidden = into < 0;
  name.hidden = target === null || isLink || into >= 0 || target.name === null;
  if (isLink) {
    setText(away, target.name);
    setAttr(away, 'href', on.addressOf(target));
  }
  if (!within.hidden) {
    setText(within, into > on.indexOf(row) ? '↓' : '↑');
    setAttr(within, 'title', `Goes to ${target.address}, in this function`);
    setAttr(within, 'aria-label', `Goes to ${target.address}`);
  }
  if (!name.hidden) {
    setText(name, target.name);
    setAttr(name, 'title', 'Not met in this profile');
  }
}
